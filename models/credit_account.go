package models

import (
	"github.com/govalues/decimal"

	"levy/tax/money"
)

// CreditAccount is a sale with what its refunds took, those aside that are
// cancelled and the one that is being changed.
type CreditAccount struct {
	Sale  Transaction
	Taken decimal.Decimal // of the creditable amount
	Tax   decimal.Decimal // of the tax, the collected or the calculated, whichever is larger
	// Collected is what they took of the collected tax.
	Collected decimal.Decimal
	Lines     map[int]LineCredit
}

// LineCredit is what refunds took of one line of the sale: of its net amount, of its tax,
// and of its collected tax alone.
type LineCredit struct{ Amount, Tax, Collected decimal.Decimal }

// Creditable is the amount of the sale that can be given back: its total, or, of a
// sale without one, its lines after discounts with the larger of the imported and
// the calculated tax.
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

// Tax is the larger of the imported and the calculated tax.
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
