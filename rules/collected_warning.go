package rules

import (
	"slices"

	"levy/models"
	"levy/tax"
	"levy/tax/money"
)

// The codes of sales with other collected tax than the calculated one.
const (
	warningOverCollected  tax.WarningCode = "OVER_COLLECTED"
	warningUnderCollected tax.WarningCode = "UNDER_COLLECTED"
)

// warnOfCollected adds a warning to a sale for which more or less tax was collected than calculated, by more than a cent
// a line. Errors: money.ErrOverflow.
func (c *calculation) warnOfCollected(t models.Transaction) error {
	certainty, terms := c.result.Explanation.Certainty, c.document.terms
	if certainty == nil || !terms.imported {
		return nil
	}
	own := judged{calculated: c.document.change.calculated, collected: c.document.change.collected}
	sum, preferred := nothing, false
	for i, of := range terms.cases {
		excess, err := terms.excess(own, i)
		if err != nil {
			return err
		}
		if sum, err = money.Add(sum, excess); err != nil {
			return err
		}
		preferred = preferred || of == casePreferred
	}
	// guard: liability: a cent a line is a rounding
	if sum.CmpAbs(unitForEach(len(t.Items), t.Currency)) <= 0 {
		return nil
	}
	w := tax.Warning{Code: warningOverCollected, Message: money.Format(sum.Abs()) + " " + t.Currency +
		" more tax was collected than calculated. It is owed until it is given back to the buyer."}
	if sum.IsNeg() {
		w.Code, w.Message = warningUnderCollected, money.Format(sum.Abs())+" "+t.Currency+
			" less tax was collected than calculated. The calculated tax is owed."
		if preferred {
			w.Message = money.Format(sum.Abs()) + " " + t.Currency + " less tax was collected than calculated. " +
				"The organization prefers collected amounts: only those are owed."
		}
	}
	certainty.Warnings = append(slices.Clip(certainty.Warnings), w)
	return nil
}
