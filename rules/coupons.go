package rules

import (
	"slices"

	"levy/models"
	"levy/tax"
	"levy/tax/money"
)

// SpreadCoupons sets in each line of a sale what coupon lines take off it: see tax.SpreadCoupons. The lines are in a
// currency, and need the classes of their products. Prices that include tax take them off with their tax. Errors:
// money.ErrOverflow, money.ErrPrecision.
func SpreadCoupons(items []models.TransactionItem, currency string) error {
	if !HasCoupons(items) {
		return nil
	}
	parts, err := couponParts(items, money.UnitOf(currency))
	if err != nil {
		return err
	}
	return takeCoupons(items, parts)
}

// takeCoupons sets in each line of a sale what coupon lines take off it. Errors: money.ErrOverflow.
func takeCoupons(items []models.TransactionItem, parts []tax.CouponPart) (err error) {
	for i := range items {
		items[i].Coupons, items[i].IsCoupon = nothing, items[i].Amount.IsNeg()
	}
	for _, part := range parts {
		from, to := &items[part.From], &items[part.To]
		if from.Coupons, err = money.Sub(from.Coupons, part.Amount); err != nil {
			return err
		}
		if to.Coupons, err = money.Add(to.Coupons, part.Amount); err != nil {
			return err
		}
	}
	return nil
}

// spreadCouponsOf is SpreadCoupons for the lines of a sale. Those of a refund follow its original.
func spreadCouponsOf(t models.Transaction) error {
	if t.Type.IsCredit() {
		return nil
	}
	return SpreadCoupons(t.Items, t.Currency)
}

// HasCoupons reports whether a sale has negative lines beside positive ones.
func HasCoupons(items []models.TransactionItem) bool {
	return hasNegative(items) && slices.ContainsFunc(items, func(i models.TransactionItem) bool { return i.Amount.IsPos() })
}

func hasNegative(items []models.TransactionItem) bool {
	for i := range items {
		if items[i].Amount.IsNeg() {
			return true
		}
	}
	return false
}

// couponParts returns what each coupon line takes off each other line, in whole units of so many cents.
func couponParts(items []models.TransactionItem, unit int64) ([]tax.CouponPart, error) {
	lines := make([]tax.Line, len(items))
	for i := range items {
		item := &items[i]
		lines[i] = tax.Line{
			ExternalProductID: item.ExternalProductID, Class: item.TaxClass, Amount: item.SubmittedAmount(),
			Discount: item.SubmittedDiscount(), Terms: item.Terms(),
		}
	}
	return tax.SpreadCoupons(lines, unit)
}
