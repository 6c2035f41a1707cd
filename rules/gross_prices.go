package rules

import (
	"errors"

	"github.com/govalues/decimal"

	"levy/tax"
	"levy/tax/money"
)

// NetDiscount is a discount that includes tax without it, in the proportion of net and gross price of its line. It is
// at most the discount, so that it fits.
func NetDiscount(discount, net, gross decimal.Decimal) decimal.Decimal {
	if gross.IsZero() {
		return discount
	}
	share, err := money.ShareBetween(discount, decimal.Zero, net, gross)
	if err != nil {
		return discount
	}
	return share
}

// NoNetPrice returns the index of the line whose law allows no net price, if an error of the calculation says so.
func NoNetPrice(err error) (line int, found bool) {
	if refused, ok := errors.AsType[*tax.NoNetPriceError](err); ok {
		return refused.Line, true
	}
	return 0, false
}

// NoNetPriceMessage says why a price is refused.
func NoNetPriceMessage(price decimal.Decimal) string {
	return "No net price comes to " + money.Format(price) + " with its tax: a limit of the law lies between."
}
