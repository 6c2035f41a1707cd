package rules

import "github.com/govalues/decimal"

// ExceedsAmount reports whether a discount takes more than the amount that it is taken
// off: nobody is paid for a purchase. Nothing can be taken off a negative amount, such as
// that of a coupon.
func ExceedsAmount(discount, amount decimal.Decimal) bool {
	return discount.IsPos() && discount.Cmp(amount) > 0
}
