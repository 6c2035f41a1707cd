package rules

import (
	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax"
	"levy/tax/money"
)

// warningRefundExceedsTax is the code of a refund that takes more tax than is left of the whole sale.
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

// exceedsTax reports whether a refund takes more tax than is left of the whole sale. Each line refunds its own tax,
// without the tax that a coupon took off. If the coupon is not refunded, the remaining tax has the other sign. after is
// the remaining tax. A refunded coupon adds tax to the sale and exceeds nothing.
func exceedsTax(sold, taken, after decimal.Decimal) bool {
	below := -1
	if sold.IsNeg() {
		below = 1
	}
	return after.Sign() == below && taken.Sign() == below
}
