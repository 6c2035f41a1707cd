package ser

import (
	"slices"
	"strings"

	"levy/tax"
)

// lines returns the lines of the return for people.
func (m *maker) lines() []Line {
	lines := []Line{}
	put := func(number, part, name string, sum *amount) {
		l, ok := m.Layout.Line(number)
		if !ok {
			return
		}
		shown := Line{
			Line: strings.Replace(l.Line, "*", part, 1), Name: l.Name, Amount: sum.Total, Rule: l.Rule, Sure: l.Confidence,
			Figures: slices.Compact(slices.Sorted(slices.Values(sum.figures))),
		}
		if name != "" {
			shown.Name += ": " + name
		}
		if shown.Figures == nil {
			shown.Figures = []int{}
		}
		lines = append(lines, shown)
	}
	put("TotalSales", "", "", &m.sales)
	put("ExemptionsDeductions", "", "", &m.exempt)
	for i := range m.breakout {
		if !m.breakout[i].IsZero() {
			put("Breakout*", exemptionTypes[i], exemptionTypes[i], &m.breakout[i])
		}
	}
	put("TaxableSales", "", "", &m.taxable)
	put("StateTaxDueSalesInState", "", "", &m.inState)
	put("StateTaxDueSalesOrigOutOfState", "", "", &m.outside)
	put("StateTaxDueOwnPurchWithdraw", "", "", &m.own)
	put("StateTaxDueFoodDrug", "", "", &m.food)
	for _, code := range m.codes() {
		l := m.locals[code]
		put("Local*", code, l.name, &l.inState)
		put("Local*o", code, l.name, &l.outside)
		if !l.own.IsZero() {
			put("Local*p", code, l.name, &l.own)
		}
	}
	put("TotalTaxDue", "", "", &m.total)
	for _, end := range []struct {
		line string
		sum  *amount
	}{
		{"InterestDue", &m.interest}, {"PenaltyDue", &m.penalty}, {"Discounts", &m.discounts}, {"Priorpayments", &m.prior},
		{"NewPrepayments", &m.next}, {"AmountDueOrRefund", &m.due},
	} {
		put(end.line, "", "", end.sum)
	}
	return lines
}

// breakouts returns whether the state wants exemptions by kind.
func (m *maker) breakouts() bool {
	rule := m.Layout.Rule(tax.SimplifiedBreakout)
	return rule.Has("EACH") && !m.exemptsNothing()
}

func (m *maker) exemptsNothing() bool {
	for i := range m.breakout {
		if !m.breakout[i].IsZero() {
			return false
		}
	}
	return true
}
