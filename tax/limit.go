package tax

import (
	"math"
	"math/bits"

	"levy/tax/money"
)

// dollars is the currency of the limits of American laws.
const dollars = "USD"

// limit is a limit of the law, in cents of the currency of the law, in cents of that of the
// sale, rounded half away from zero. Without a rate it stands as it is.
func (k *calculation) limit(cents int64, currency string) int64 {
	converted, rated := k.converted(cents, currency)
	if !rated {
		k.unrated, k.sure = true, levelLow
	}
	return converted
}

// converted is limit without a note that there is no rate.
func (k *calculation) converted(cents int64, currency string) (converted int64, rated bool) {
	if currency == k.req.Currency || k.req.Currency == "" {
		return cents, true
	}
	rate, err := money.Scaled(k.req.Rates[currency], money.RateScale)
	if err != nil || rate <= 0 {
		return cents, false
	}
	const one = 1_000_000_000 // of a rate
	hi, lo := bits.Mul64(uint64(cents), one)
	limit, ok := money.DivHalfAway(hi, lo, uint64(rate))
	if !ok {
		return math.MaxInt64, true // no amount of a document reaches it
	}
	return int64(limit), true
}
