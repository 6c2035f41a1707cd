package rules

import (
	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax/money"
)

// typeOfNote returns FULL_CREDIT_NOTE for a note that alone refunds the whole sale, else PARTIAL_CREDIT_NOTE. Errors:
// money.ErrOverflow.
func typeOfNote(
	a *models.CreditAccount, d *models.RefundDraft, creditable decimal.Decimal,
) (models.TransactionType, error) {
	net, err := netOfRefund(d)
	if err != nil {
		return "", err
	}
	whole, err := isWhole(&a.Sale, creditable, models.CreditSums{Total: d.TotalAmount.Abs(), Net: net})
	if err != nil || !whole {
		return models.TypePartialCreditNote, err
	}
	return models.TypeFullCreditNote, nil
}

// isWhole reports whether refunds give a sale back whole. They refund the creditable amount, or all lines before tax
// with at least the total of the sale. Tax that the seller did not charge need not come back. Errors:
// money.ErrOverflow.
func isWhole(sale *models.Transaction, creditable decimal.Decimal, sums models.CreditSums) (bool, error) {
	net, err := money.Sub(sale.Subtotal, sale.TotalDiscount)
	if err != nil {
		return false, err
	}
	return sums.Total.Cmp(creditable) >= 0 ||
		sums.Net.CmpAbs(net) == 0 && sums.Total.CmpAbs(sale.TotalAmount) >= 0, nil
}

// RefundStatus returns the refund status of a sale after a refund is added or changed. It follows from the COMMITTED
// refunds. Errors: money.ErrOverflow.
func RefundStatus(a *models.CreditAccount, d *models.RefundDraft) (*string, error) {
	sums := a.Committed
	if d.Status == models.StatusCommitted {
		net, err := netOfRefund(d)
		if err != nil {
			return nil, err
		}
		if sums.Total, err = money.Add(sums.Total, d.TotalAmount.Abs()); err != nil {
			return nil, err
		}
		if sums.Net, err = money.Add(sums.Net, net); err != nil {
			return nil, err
		}
	}
	if sums.Total.IsZero() {
		return nil, nil
	}
	creditable, err := a.Sale.Creditable()
	if err != nil {
		return nil, err
	}
	status := string(models.StatusPartiallyRefunded)
	whole, err := isWhole(&a.Sale, creditable, sums)
	if whole {
		status = string(models.StatusFullyRefunded)
	}
	return &status, err
}

// withinOriginal refuses a refund of more than is left of the sale. A refund of tax alone must also fit the tax that is
// left of the sale. Errors: *models.CreditExceedsError, *models.NotProcessedError.
func withinOriginal(a *models.CreditAccount, d *models.RefundDraft, creditable decimal.Decimal) error {
	left, err := money.Sub(creditable, a.Total)
	if err != nil {
		return err
	}
	// guard: credit note: at most what is left of the sale
	if err := atMost(a, d.TotalAmount, left, !a.Sale.PricesIncludeTax()); err != nil {
		return err
	}
	taxAlone, err := refundsTaxAlone(d)
	if err != nil || !taxAlone {
		return err
	}
	tax, err := refundedTax(d)
	if err != nil {
		return err
	}
	if left, err = leftOfTax(a); err != nil {
		return err
	}
	// guard: tax refund: at most the tax that is left of the sale
	return atMost(a, tax, left, true)
}

// refundsTaxAlone reports whether a refund refunds nothing but tax. A credit note does so if its lines come to nothing
// before tax and have imported tax. Errors: money.ErrOverflow.
func refundsTaxAlone(d *models.RefundDraft) (bool, error) {
	if d.Type == models.TypeTaxRefund {
		return true, nil
	}
	net, err := netOfRefund(d)
	if err != nil || !net.IsZero() {
		return false, err
	}
	tax, err := importedOfLines(d)
	return !tax.IsZero() || !d.TotalTaxAmountImported.IsZero(), err
}

// refundedTax returns the tax that a refund of tax alone refunds, without a sign: that of its lines, else its total.
// Errors: money.ErrOverflow.
func refundedTax(d *models.RefundDraft) (decimal.Decimal, error) {
	tax, err := importedOfLines(d)
	switch {
	case err != nil:
		return tax, err
	case !tax.IsZero():
		return tax.Abs(), nil
	case d.Type != models.TypeTaxRefund && !d.TotalTaxAmountImported.IsZero():
		return d.TotalTaxAmountImported.Abs(), nil
	}
	return d.TotalAmount.Abs(), nil
}

func importedOfLines(d *models.RefundDraft) (sum decimal.Decimal, err error) {
	imported := make([]decimal.Decimal, len(d.Items))
	for i := range d.Items {
		imported[i] = d.Items[i].TaxAmountImported
	}
	return sumExactly(imported)
}

// leftOfTax returns the tax that is left of the sale: of the collected or of the calculated tax, whichever is larger.
// Errors: money.ErrOverflow.
func leftOfTax(a *models.CreditAccount) (decimal.Decimal, error) {
	collected, err := money.Sub(a.Sale.TotalTaxAmountImported.Abs(), a.Collected)
	if err != nil {
		return collected, err
	}
	calculated, err := money.Sub(a.Sale.TotalTaxAmountCalculated.Abs(), a.Calculated)
	return collected.Max(calculated), err
}

// atMost refuses an amount above what is left. If only the tax of the sale that is not known yet could cover it, the
// refund has to wait. taxAdds is false for prices that include tax: they hold it. The sign of the amount is ignored.
// Errors: *models.CreditExceedsError, *models.NotProcessedError.
func atMost(a *models.CreditAccount, amount, left decimal.Decimal, taxAdds bool) error {
	left = nothing.Max(left)
	if amount.CmpAbs(left) <= 0 {
		return nil
	}
	// A tax is not larger than its price.
	covered, err := money.Add(left, a.Sale.Subtotal.Abs())
	if err != nil {
		return err
	}
	// guard: credit note: one that only unknown tax could cover waits
	if sale := &a.Sale; taxAdds && !sale.ProcessingStatus.Calculated() && amount.CmpAbs(covered) <= 0 {
		unready := &models.NotProcessedError{ProcessingStatus: sale.ProcessingStatus}
		if sale.ProcessingReason != nil {
			unready.Reason = *sale.ProcessingReason
		}
		return unready
	}
	return &models.CreditExceedsError{Remaining: left, Currency: a.Sale.Currency}
}
