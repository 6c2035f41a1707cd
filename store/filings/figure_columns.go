package filings

import (
	"strings"

	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax/money"
)

// The figures of a total are arrays of one length: their keys, and each of their amounts. Of 300,000 sales with three
// figures each, arrays take 476 bytes a sale. One JSON value takes 521, and rows of a table of their own 1,018.

// quoted escapes the text of an element of an array.
var quoted = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// FigureKeys returns the keys of figures as an array of PostgreSQL; nil for totals of earlier releases.
func FigureKeys(figures []models.Figure) *string {
	return arrayOf(figures, func(x *models.Figure) string { return `"` + quoted.Replace(x.FigureKey.String()) + `"` })
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
	return arrayOf(figures, func(x *models.Figure) string { return money.Format(of(x)) })
}

func arrayOf(figures []models.Figure, of func(*models.Figure) string) *string {
	if figures == nil {
		return nil
	}
	var b strings.Builder
	b.WriteByte('{')
	for i := range figures {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(of(&figures[i]))
	}
	b.WriteByte('}')
	text := b.String()
	return &text
}
