package rules

import (
	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax"
	"levy/tax/money"
)

// warningRefundExceedsTax is the code of a refund that takes more tax than its sale as a whole has left.
const warningRefundExceedsTax tax.WarningCode = "REFUND_EXCEEDS_TAX"

// warnOfExcess adds a warning to a refund that takes more tax than is left of its sale. Calculations of earlier
// releases have no warnings, and neither have their refunds.
func warnOfExcess(t models.Transaction, sold tax.Explanation, refund *tax.Result) error {
	certainty := refund.Explanation.Certainty
	if certainty == nil {
		return nil
	}
	earlier, err := taxOfLines(t.Original.Refunded)
	if err != nil {
		return err
	}
	left, err := money.Add(sold.Totals.TaxAmount, earlier)
	if err != nil {
		return err
	}
	after, err := money.Add(left, refund.Tax)
	if err != nil {
		return err
	}
	if exceedsTax(sold.Totals.TaxAmount, refund.Tax, after) {
		certainty.Warnings = append(certainty.Warnings, tax.Warning{
			Code: warningRefundExceedsTax,
			Message: "The refund takes " + money.Format(refund.Tax.Abs()) + " " + t.Currency +
				" of tax and leaves the sale with " + money.Format(after) +
				": a line that lowered its tax, such as a coupon, is not refunded with it.",
		})
	}
	return nil
}

// exceedsTax reports whether a refund takes more tax than is left of its sale as a whole. Each line gives back what it
// bore, and not what a coupon took off the tax of the sale: without the coupon, less than no tax remains. after is what
// remains of the tax that was sold. A coupon that is refunded gives tax back to the sale and exceeds nothing.
func exceedsTax(sold, taken, after decimal.Decimal) bool {
	below := -1
	if sold.IsNeg() {
		below = 1
	}
	return after.Sign() == below && taken.Sign() == below
}
