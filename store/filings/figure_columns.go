package filings

import (
	"strings"

	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax/money"
)

// The figures of a total are arrays of one length: their keys, and each of their amounts. Of 300,000 sales with three
// figures each, arrays take 476 bytes a sale. One JSON value takes 521 bytes, and rows of a table of their own 1,018.

// quoted escapes the text of an element of an array.
var quoted = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// FigureKeys returns the keys of figures as an array of PostgreSQL; nil for totals of earlier releases.
func FigureKeys(figures []models.Figure) *string {
	return arrayOf(figures, 96, func(text []byte, x *models.Figure) []byte {
		text = append(text, '"')
		text = append(text, quoted.Replace(x.FigureKey.String())...)
		return append(text, '"')
	})
}

// FigureGross returns the net sales of figures as such an array.
func FigureGross(figures []models.Figure) *string {
	return amountsOf(figures, func(x *models.Figure) decimal.Decimal { return x.Gross })
}

// FigureTaxable returns the bases of figures as such an array.
func FigureTaxable(figures []models.Figure) *string {
	return amountsOf(figures, func(x *models.Figure) decimal.Decimal { return x.Taxable })
}

// FigureTax returns the calculated taxes of figures as such an array.
func FigureTax(figures []models.Figure) *string {
	return amountsOf(figures, func(x *models.Figure) decimal.Decimal { return x.Tax })
}

// FigureOwed returns what figures owe as such an array.
func FigureOwed(figures []models.Figure) *string {
	return amountsOf(figures, func(x *models.Figure) decimal.Decimal { return x.Owed })
}

func amountsOf(figures []models.Figure, of func(*models.Figure) decimal.Decimal) *string {
	return arrayOf(figures, 12, func(text []byte, x *models.Figure) []byte { return money.AppendFormat(text, of(x)) })
}

// arrayOf returns an array of what is appended for each figure, with room for elements of a usual length.
func arrayOf(figures []models.Figure, usual int, element func([]byte, *models.Figure) []byte) *string {
	if figures == nil {
		return nil
	}
	text := append(make([]byte, 0, 2+len(figures)*(usual+1)), '{')
	for i := range figures {
		if i > 0 {
			text = append(text, ',')
		}
		text = element(text, &figures[i])
	}
	array := string(append(text, '}'))
	return &array
}
