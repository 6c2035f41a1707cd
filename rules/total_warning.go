package rules

import (
	"slices"

	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax"
	"levy/tax/money"
)

// warningTotalMismatch is the code of a document whose total is not that of its lines with their tax.
const warningTotalMismatch tax.WarningCode = "TOTAL_MISMATCH"

// warnOfTotal adds a warning to a document whose submitted total differs from its lines with their tax by more than a
// cent a line. Without imported tax, the lines may be meant with or without the calculated one. Errors:
// money.ErrOverflow.
func warnOfTotal(t models.Transaction, result *tax.Result) error {
	certainty := result.Explanation.Certainty
	if certainty == nil || t.TotalAmount.IsZero() {
		return nil
	}
	net, err := NetSales(t, decimal.One)
	if err != nil {
		return err
	}
	imported, calculated := t.TotalTaxAmountImported, result.Tax
	if paysByLines(&t) {
		net, imported, calculated = *t.GrossAmount, decimal.Zero, decimal.Zero
	}
	if t.Type.IsCredit() { // in answers, all its amounts have one sign
		net, imported = net.Abs(), imported.Abs()
	}
	taxes := []decimal.Decimal{imported}
	if imported.IsZero() {
		taxes = append(taxes, calculated)
		if t.Type.IsCredit() {
			taxes[1] = calculated.Abs()
			if !t.Original.Sold.Collected.IsZero() {
				taxes = taxes[1:] // collected tax that does not come back is worth a warning
			}
		}
	}
	total := t.TotalAmount
	if t.Type.IsCredit() {
		total = total.Abs()
	}
	var lines decimal.Decimal
	for _, of := range taxes {
		if lines, err = money.Add(net, of); err != nil {
			return err
		}
		apart, err := money.Sub(total, lines)
		// guard: total: one that is not that of the lines is told
		if err != nil || apart.CmpAbs(unitForEach(len(t.Items), t.Currency)) <= 0 {
			return err
		}
	}
	message := "The total is " + money.Format(total) + " " + t.Currency + ", but the lines with their tax come to " +
		money.Format(lines) + "."
	if !t.Type.IsCredit() && total.Cmp(lines) < 0 {
		message += " If a gift card or another way to pay was taken off the total: it is no discount."
	}
	certainty.Warnings = append(slices.Clip(certainty.Warnings), tax.Warning{Code: warningTotalMismatch, Message: message})
	return nil
}
