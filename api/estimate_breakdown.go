package api

import (
	"github.com/govalues/decimal"

	"levy/api/openapi"
	"levy/tax"
)

// breakdown is the tax of a sale over all lines, by jurisdiction, rate, reason and
// rule, in the order in which they appear.
type breakdown []breakdownRow

type breakdownRow struct {
	of           *tax.TaxItem // one of its tax items
	registered   bool
	taxable, tax total
}

type breakdownKey struct {
	jurisdictionID, jurisdictionName string // no id where the content has no rules
	rate                             decimal.Decimal
	reason                           tax.TaxReason
	rule                             string
}

// breakDown adds up the lines. registered tells whether an active registration
// covers the tax of a jurisdiction. Errors: sumTooLarge.
func breakDown(r *tax.Result, registered func(*tax.TaxItem) bool) (breakdown, error) {
	var rows breakdown
	index := map[breakdownKey]int{}
	for i := range r.Lines {
		for j := range r.Lines[i].TaxItems {
			t := &r.Lines[i].TaxItems[j]
			key := breakdownKey{t.JurisdictionID, t.JurisdictionName, t.Rate, t.Reason, t.RuleID}
			at, known := index[key]
			if !known {
				at = len(rows)
				index[key] = at
				rows = append(rows, breakdownRow{of: t, registered: registered(t)})
			}
			rows[at].taxable.add(t.TaxableAmount)
			rows[at].tax.add(t.Amount)
		}
	}
	for i := range rows {
		if !rows[i].taxable.isMoney() || !rows[i].tax.isMoney() {
			return nil, sumTooLarge
		}
	}
	return rows, nil
}

// toCollect is the tax of the rows with a registration; nothing is left of it when
// a marketplace collects. Errors: sumTooLarge.
func (b breakdown) toCollect(marketplace bool) (decimal.Decimal, error) {
	var sum total
	for i := range b {
		if b[i].registered && !marketplace {
			sum.add(b[i].tax.sum)
		}
	}
	if !sum.isMoney() {
		return decimal.Decimal{}, sumTooLarge
	}
	return sum.sum, nil
}

func (b breakdown) answers() []openapi.EstimatedTax {
	return convertAll(b, func(row breakdownRow) openapi.EstimatedTax {
		t := row.of
		return openapi.EstimatedTax{
			JurisdictionType: openapi.JurisdictionType(t.JurisdictionType), JurisdictionName: t.JurisdictionName, Country: t.Country, State: t.State,
			Rate: tax.FormatRate(t.Rate), TaxableAmount: tax.FormatMoney(row.taxable.sum), Amount: tax.FormatMoney(row.tax.sum),
			Reason: openapi.TaxReason(t.Reason), RuleID: t.RuleID, HasActiveRegistration: row.registered,
		}
	})
}
