package rules

import (
	"cmp"
	"fmt"

	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax/money"
)

// AdmitRefund checks a refund against its original, in the order of the contract. It sets the values that follow from
// the original: the refunded lines, the type, the customer and the marketplace.
//
// Errors: models.ErrOriginalIsRefund, *models.OriginalNotCommittedError,
// *models.InvalidError, *models.CreditExceedsError.
func AdmitRefund(a *models.CreditAccount, d *models.RefundDraft) error {
	sale := &a.Sale
	switch {
	case sale.Type.IsCredit():
		return models.ErrOriginalIsRefund
	case d.Ended:
		matchLines(a, d)
		inherit(a, d)
		return nil
	case sale.Status != models.StatusCommitted:
		return &models.OriginalNotCommittedError{Status: sale.Status}
	}
	var faults []models.Fault
	if d.Currency != sale.Currency {
		faults = append(faults, models.Fault{
			Code: models.FieldCurrencyMismatch, Path: "currency",
			Message: "Must be " + sale.Currency + ", the currency of the original.",
		})
	}
	if faults = append(faults, matchLines(a, d)...); faults != nil {
		return &models.InvalidError{Faults: faults}
	}
	if err := addUpDiscounts(d); err != nil {
		return err
	}
	creditable, err := sale.Creditable()
	if err != nil {
		return err
	}
	if d.Type != models.TypeTaxRefund {
		d.Type = models.TypePartialCreditNote
		if d.TotalAmount.CmpAbs(creditable) == 0 {
			d.Type = models.TypeFullCreditNote
		}
	}
	inherit(a, d)
	if !d.Status.Reserves() {
		return nil
	}
	if err := withinOriginal(a, d, creditable); err != nil {
		return err
	}
	return collectBack(a, d, creditable)
}

// inherit copies customer, marketplace, source and time zone from the original.
func inherit(a *models.CreditAccount, d *models.RefundDraft) {
	d.Customer, d.CustomerID, d.Marketplace = a.Sale.Customer, a.Sale.CustomerID, a.Sale.Marketplace
	takeZone(&a.Sale, d)
	if !d.OwnSource {
		d.Source = a.Sale.Source
	}
}

// matchLines finds for each line the line of the sale that it refunds. It has the same external id and product. Without
// such a line, it is the first one of the product that is not refunded in full, else the first one of the product. The
// part of an amount above what is left of the line becomes a discount.
func matchLines(a *models.CreditAccount, d *models.RefundDraft) (faults []models.Fault) {
	limited := d.Status.Reserves() && d.Type != models.TypeTaxRefund && !d.Ended
	left := leftOfLines(a)
	fault := func(i int, field, code, message string) {
		path := fmt.Sprintf("transaction_items[%d].%s", i, field)
		faults = append(faults, models.Fault{Code: code, Path: path, Message: message})
	}
	for i := range d.Items {
		item := &d.Items[i]
		of := originalLine(a, item, left)
		if of == nil {
			fault(i, "external_product_id", models.FieldNotInOriginal, "This product is not on the original.")
			continue
		}
		if !of.Quantity.IsZero() && item.Quantity.CmpAbs(of.Quantity) > 0 {
			most := money.FormatQuantity(of.Quantity.Abs())
			fault(i, "quantity", models.FieldOutOfRange, "The original has fewer of this product: at most "+most+".")
		}
		line := of.LineNo
		item.OriginalLine = &line
		remainder, err := money.Sub(left[line], item.Amount.Abs())
		if err != nil {
			continue
		}
		item.TotalDiscount = decimal.Zero
		if limited && remainder.IsNeg() {
			remainder = takeDiscountBack(item, left[line])
		}
		left[line] = remainder
	}
	return faults
}

// leftOfLines returns the amount of each line of the sale that is not refunded yet.
func leftOfLines(a *models.CreditAccount) map[int]decimal.Decimal {
	left := make(map[int]decimal.Decimal, len(a.Sale.Items))
	for i := range a.Sale.Items {
		of := &a.Sale.Items[i]
		net, err := of.NetAmount()
		if err == nil {
			net, err = money.Sub(net.Abs(), a.Lines[of.LineNo].Amount)
		}
		if err == nil {
			left[of.LineNo] = net
		}
	}
	return left
}

// takeDiscountBack reduces a line that names more than is left of the refunded line, such as the price before
// discounts. The excess becomes its discount. It returns the amount that is left then: zero.
func takeDiscountBack(item *models.TransactionItem, left decimal.Decimal) decimal.Decimal {
	if left.IsNeg() {
		left = decimal.Zero
	}
	above, err := money.Sub(item.Amount.Abs(), left)
	if err == nil {
		item.TotalDiscount = above.CopySign(item.Amount)
	}
	return decimal.Zero
}

// addUpDiscounts sums up the discounts of the lines.
func addUpDiscounts(d *models.RefundDraft) (err error) {
	d.TotalDiscount = decimal.Zero
	for i := range d.Items {
		if d.TotalDiscount, err = money.Add(d.TotalDiscount, d.Items[i].TotalDiscount); err != nil {
			return err
		}
	}
	return nil
}

func originalLine(
	a *models.CreditAccount, item *models.TransactionItem, left map[int]decimal.Decimal,
) *models.TransactionItem {
	var sameProduct, withRemainder *models.TransactionItem
	for i := range a.Sale.Items {
		of := &a.Sale.Items[i]
		if of.ExternalProductID != item.ExternalProductID {
			continue
		}
		if item.ExternalID != nil && of.ExternalID != nil && *of.ExternalID == *item.ExternalID {
			return of
		}
		if sameProduct == nil {
			sameProduct = of
		}
		if withRemainder == nil && left[of.LineNo].IsPos() {
			withRemainder = of
		}
	}
	return cmp.Or(withRemainder, sameProduct)
}

// withinOriginal refuses a refund of more than is left of the sale. A refund of tax alone must also fit the tax of the
// sale, and the tax of each line that is known. Errors: *models.CreditExceedsError.
func withinOriginal(a *models.CreditAccount, d *models.RefundDraft, creditable decimal.Decimal) error {
	if err := atMost(a, d.TotalAmount, creditable, a.Taken); err != nil || d.Type != models.TypeTaxRefund {
		return err
	}
	for _, amount := range []decimal.Decimal{d.TotalAmount, d.TotalTaxAmountImported} {
		if err := atMost(a, amount, a.Sale.Tax(), a.Tax); err != nil {
			return err
		}
	}
	imported := decimal.Zero
	wanted := map[int]decimal.Decimal{}
	for i := range a.Sale.Items {
		var err error
		if imported, err = money.Add(imported, a.Sale.Items[i].TaxAmountImported); err != nil {
			return err
		}
	}
	if !a.Sale.ProcessingStatus.Calculated() && imported.Cmp(a.Sale.TotalTaxAmountImported) != 0 {
		return nil // not known yet which line bears how much
	}
	for i := range d.Items {
		item := &d.Items[i]
		sum, err := money.Add(wanted[*item.OriginalLine], item.TaxAmountImported.Abs())
		if err != nil {
			return err
		}
		wanted[*item.OriginalLine] = sum
	}
	for i := range a.Sale.Items {
		of := &a.Sale.Items[i]
		if err := atMost(a, wanted[of.LineNo], of.Tax(), a.Lines[of.LineNo].Tax); err != nil {
			return err
		}
	}
	return nil
}

// atMost refuses an amount above the part of a whole that is not taken. It ignores signs. Errors:
// *models.CreditExceedsError.
func atMost(a *models.CreditAccount, amount, whole, taken decimal.Decimal) error {
	left, err := money.Sub(whole.Abs(), taken)
	if err != nil {
		return err
	}
	if left.IsNeg() {
		left = decimal.Zero
	}
	if amount.CmpAbs(left) > 0 {
		return &models.CreditExceedsError{Remaining: left, Currency: a.Sale.Currency}
	}
	return nil
}
