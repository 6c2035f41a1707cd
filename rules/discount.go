package rules

import "github.com/govalues/decimal"

// ExceedsAmount reports whether a discount is larger than the amount that it reduces, so that
// the buyer would be paid. A negative amount, such as that of a coupon, cannot be reduced.
func ExceedsAmount(discount, amount decimal.Decimal) bool {
	return discount.IsPos() && discount.Cmp(amount) > 0
}
