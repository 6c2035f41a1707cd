package models

import (
	"github.com/govalues/decimal"

	"levy/tax/money"
)

// CreditAccount is a sale with the amounts that its refunds took, without cancelled ones and the one that is being
// changed.
type CreditAccount struct {
	Sale  Transaction
	Taken decimal.Decimal // part of the creditable amount
	Tax   decimal.Decimal // part of the tax: the larger of the collected and the calculated one
	// Collected is the part of the collected tax.
	Collected decimal.Decimal
	Lines     map[int]LineCredit
}

// LineCredit are the amounts that refunds took of one line of the sale: of its net amount, its tax,
// and its collected tax.
type LineCredit struct{ Amount, Tax, Collected decimal.Decimal }

// Creditable returns the amount of the sale that can be refunded: its total. Without a total it is that of the lines
// after discounts with the larger of the imported and the calculated tax.
func (t Transaction) Creditable() (decimal.Decimal, error) {
	if !t.TotalAmount.IsZero() {
		return t.TotalAmount.Abs(), nil
	}
	net, err := money.Sub(t.Subtotal, t.TotalDiscount)
	if err != nil {
		return decimal.Decimal{}, err
	}
	sum, err := money.Add(net, t.Tax())
	if err == nil && sum.CmpAbs(maxAmount) > 0 {
		return maxAmount, nil // no refund can be larger
	}
	return sum.Abs(), err
}

// maxAmount is the largest amount of a document.
var maxAmount = decimal.MustNew(999_999_999_999, 2)

// Tax returns the larger of the imported and the calculated tax.
func (t Transaction) Tax() decimal.Decimal {
	return larger(t.TotalTaxAmountImported, t.TotalTaxAmountCalculated)
}

func larger(a, b decimal.Decimal) decimal.Decimal {
	if a.CmpAbs(b) >= 0 {
		return a
	}
	return b
}

// IsDocumentAmount reports whether a sum fits an amount of a document: it has at most 10
// digits before the point.
func IsDocumentAmount(sum decimal.Decimal) bool { return sum.CmpAbs(maxAmount) <= 0 }
