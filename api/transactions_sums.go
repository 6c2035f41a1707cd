package api

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/govalues/decimal"

	"levy/contract"
	"levy/models"
	"levy/rules"
	"levy/tax/money"
)

// maxMoney is the largest amount of a document: 10 digits before the point.
var maxMoney = decimal.MustNew(999_999_999_999, 2)

const tooLarge = "needs more than 10 digits before the point."

// amountsOfLines are the fields that sums over all lines follow from. By its id a changed line continues a stored one
// with its discount.
var amountsOfLines = []string{
	"transaction_items[].amount", "transaction_items[].discount_builder", "transaction_items[].id",
}

// total adds up amounts exactly.
type total struct {
	sum decimal.Decimal
	err error
}

func (t *total) add(d decimal.Decimal) {
	if t.err == nil {
		t.sum, t.err = money.Add(t.sum, d)
	}
}

// isMoney reports whether the sum fits an amount of a document. What is added on
// the way may be larger: a fee and its coupon cancel.
func (t *total) isMoney() bool { return t.err == nil && t.sum.CmpAbs(maxMoney) <= 0 }

// discounts gives every line its discount.
func (m *draftMaker) discounts() {
	builders := make([]*contract.DiscountBuilder, len(m.body.TransactionItems))
	for i := range builders {
		builders[i] = m.body.TransactionItems[i].DiscountBuilder
	}
	m.faults = append(m.faults, spreadDiscounts(m.d.Items, builders)...)
}

// spreadDiscounts gives every line its discount: that of the line itself and its
// share of those for the whole transaction, which are added up before they are
// spread. There is one builder for a line, nil for none. Neither takes more than there is.
func spreadDiscounts(items []models.TransactionItem, builders []*contract.DiscountBuilder) (faults []models.Fault) {
	var whole, left total
	path := "" // of the first discount for the whole transaction
	for i, b := range builders {
		left.add(items[i].Amount)
		at := fmt.Sprintf("transaction_items[%d].discount_builder.discount_amount", i)
		switch {
		case b == nil:
		case b.AppliedTo == contract.DiscountTargetTRANSACTIONITEM:
			items[i].TotalDiscount = b.DiscountAmount
			left.add(b.DiscountAmount.Neg())
			if rules.ExceedsAmount(b.DiscountAmount, items[i].Amount) {
				faults = append(faults, models.Fault{
					Code: models.FieldOutOfRange, Path: at, Message: "Must not be above the amount of the line, " +
						money.Format(items[i].Amount) + ".",
					Of: []string{fmt.Sprintf("transaction_items[%d].amount", i), fmt.Sprintf("transaction_items[%d].id", i)},
				})
			}
		default:
			path = cmp.Or(path, at)
			whole.add(b.DiscountAmount)
		}
	}
	if path == "" {
		return faults
	}
	if fault := spreadDiscount(items, whole, left); fault != nil {
		fault.Path, fault.Of = path, amountsOfLines
		faults = append(faults, *fault)
	}
	return faults
}

// spreadDiscount gives every line its share of a discount for the whole transaction, of
// which something is left after the discounts of its lines.
func spreadDiscount(items []models.TransactionItem, whole, left total) *models.Fault {
	fault := func(code, message string) *models.Fault { return &models.Fault{Code: code, Message: message} }
	if !whole.isMoney() {
		return fault(models.FieldOutOfRange, "The sum of the discounts of the transaction "+tooLarge)
	}
	weights := make([]decimal.Decimal, len(items))
	for i := range items {
		weights[i] = items[i].Amount
	}
	shares, err := money.Allocate(whole.sum, weights)
	switch {
	case errors.Is(err, money.ErrNoWeight):
		return fault(
			models.FieldMismatch,
			"A discount of the transaction cannot be spread over lines whose amounts add up to 0.",
		)
	case left.err == nil && rules.ExceedsAmount(whole.sum, left.sum):
		return fault(models.FieldOutOfRange, "Must not be above the sum of the lines after their own discounts, "+
			money.Format(left.sum)+".")
	case err != nil:
		return fault(models.FieldOutOfRange, "The share of a line in this discount "+tooLarge)
	}
	for i, share := range shares {
		line := total{sum: items[i].TotalDiscount}
		line.add(share)
		if !line.isMoney() {
			return fault(models.FieldOutOfRange, fmt.Sprintf("The discount of line %d %s", i+1, tooLarge))
		}
		items[i].TotalDiscount = line.sum
	}
	return nil
}

// sumLines adds up the amounts and discounts of the lines. Each line after its
// discount has to be an amount too, because later steps calculate with it. fits
// reports whether both sums are amounts.
func sumLines(t *models.Transaction) (faults []models.Fault, fits bool) {
	fault := func(path, message string) {
		faults = append(faults, models.Fault{
			Code: models.FieldOutOfRange, Path: path, Message: message + tooLarge, Of: amountsOfLines,
		})
	}
	var subtotal, discount total
	for i := range t.Items {
		item := &t.Items[i]
		subtotal.add(item.Amount)
		discount.add(item.TotalDiscount)
		net := total{sum: item.Amount}
		if net.add(item.TotalDiscount.Neg()); !net.isMoney() {
			fault(fmt.Sprintf("transaction_items[%d].amount", i), "The amount after the discount ")
		}
	}
	t.Subtotal, t.TotalDiscount = subtotal.sum, discount.sum
	switch {
	case !subtotal.isMoney():
		fault("transaction_items", "The sum of the amounts ")
	case !discount.isMoney():
		fault("transaction_items", "The sum of the discounts ")
	default:
		fits = true
	}
	return faults, fits
}

// sums adds up the lines. The document with its tax has to be an amount too.
func (m *draftMaker) sums() {
	d := m.d
	faults, fits := sumLines(&d.Transaction)
	m.faults = append(m.faults, faults...)
	if final := finalTotal(&d.Transaction); fits && !final.isMoney() {
		m.fault(
			models.FieldOutOfRange, "total_tax_liability_amount",
			"The total after discounts and with the tax "+tooLarge,
			slices.Concat(amountsOfLines, []string{"total_amount", "type"})...,
		)
	}
	var imported total
	for i := range d.Items {
		imported.add(d.Items[i].TaxAmountImported)
	}
	if d.TotalTaxAmountImported.IsZero() {
		d.TotalTaxAmountImported = imported.sum
		if !imported.isMoney() {
			m.fault(
				models.FieldOutOfRange, "total_tax_amount_imported",
				"The sum of the imported tax of the lines "+tooLarge,
				"transaction_items[].tax_amount_imported",
			)
		}
	}
}

// finalTotal is what is to be paid: subtotal - total_discount + total_tax_liability_amount.
// That of a refund is paid back, and has the sign of its total.
func finalTotal(t *models.Transaction) total {
	t = rules.WithOneSign(t)
	final := total{sum: t.Subtotal}
	final.add(t.TotalDiscount.Neg())
	final.add(t.TotalTaxLiabilityAmount)
	return final
}
