package tax

import (
	"math"
	"math/bits"

	"levy/tax/money"
)

// dollars is the currency of the limits of American laws.
const dollars = "USD"

// bound is a limit of the law in the currency of the sale. It is kept as cents of the currency of the law and never
// rounded, so that no amount is above or below it by rounding.
type bound struct {
	cents int64
	rate  uint64 // units of 10^-9 of the currency of the law for one of the sale
}

// one is a rate of 1.
const one = 1_000_000_000

// times is a multiple of the limit in cents of the currency of the sale, without what is left of a cent.
func (b bound) times(n uint64) int64 {
	hi, lo := bits.Mul64(uint64(b.cents)*n, one)
	if hi >= b.rate {
		return math.MaxInt64 // no amount of a document reaches it
	}
	quotient, _ := bits.Div64(hi, lo, b.rate)
	return int64(min(quotient, math.MaxInt64))
}

// limit is a limit of the law for a sale in any currency. Without a rate the limit is not converted.
func (k *calculation) limit(cents int64, currency string) bound {
	b, rated := k.converted(cents, currency)
	if !rated {
		k.unrated, k.sure = true, levelLow
	}
	return b
}

// converted is limit without a note that there is no rate.
func (k *calculation) converted(cents int64, currency string) (b bound, rated bool) {
	b = bound{cents, one}
	if currency == k.req.Currency || k.req.Currency == "" {
		return b, true
	}
	rate, err := money.Scaled(k.req.Rates[currency], money.RateScale)
	if err != nil || rate <= 0 {
		return b, false
	}
	b.rate = uint64(rate)
	return b, true
}
