package models

import (
	"encoding/json"

	"github.com/govalues/decimal"

	"levy/tax"
	"levy/tax/money"
)

// CreditAccount is a sale with the amounts that its refunds took, without cancelled ones and the one that is being
// changed. If prices include tax, all amounts are as submitted.
type CreditAccount struct {
	Sale Transaction
	CreditSums
	Committed             CreditSums      // the part of the COMMITTED ones
	Collected, Calculated decimal.Decimal // tax
	Lines                 map[int]LineCredit
	// Coupons is what each coupon line of the sale takes off its other lines. EachAlone means that the sale was calculated
	// before coupon lines were spread: each of its lines is taxed by itself.
	Coupons   []tax.CouponPart
	EachAlone bool

	// The rest is for refunds whose collected tax the law of the sale decides. Explanation is that of the calculated sale.
	// Others are its other refunds that are PENDING or COMMITTED, in the order in which they are decided. Law returns the
	// law of a version of the content; nil for a version that is not there.
	Explanation json.RawMessage
	Others      []Transaction
	Law         func(version string) (func(tax.Request) (tax.Result, error), error)
}

// CreditSums are sums of refunds of a sale: their totals, and their lines before tax. The lines of a tax refund do not
// count.
type CreditSums struct{ Total, Net decimal.Decimal }

// LineCredit are the amounts that refunds took of one line of the sale: of its net amount, its collected tax and its
// calculated tax. Coupon lines of refunds count in Coupons, and their collected tax lowers Collected.
type LineCredit struct{ Amount, Coupons, Collected, Calculated decimal.Decimal }

// Creditable returns the amount of the sale that can be refunded: the larger of its total and what its lines come to
// with tax. Prices may include it. A gift card lowers the total of a sale, but what it paid can be refunded too.
func (t Transaction) Creditable() (decimal.Decimal, error) {
	if t.GrossAmount != nil {
		return larger(t.TotalAmount, *t.GrossAmount).Abs(), nil
	}
	net, err := money.Sub(t.Subtotal, t.TotalDiscount)
	if err != nil {
		return decimal.Decimal{}, err
	}
	sum, err := money.Add(net, t.Tax())
	if err == nil && sum.CmpAbs(maxAmount) > 0 {
		return maxAmount, nil // no refund can be larger
	}
	return larger(t.TotalAmount, sum).Abs(), err
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
