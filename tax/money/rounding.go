package money

import (
	"math/bits"

	"github.com/govalues/decimal"
)

// Pow10 is 10 to the n, for n from 0 to 19.
func Pow10(n int) uint64 { return pow10[n] }

// DivHalfAway is the one rounding of this package: (hi,lo)/div, rounded half
// away from zero on the magnitude. ok is false when the result needs more than
// 63 bits.
func DivHalfAway(hi, lo, div uint64) (q uint64, ok bool) {
	if div == 0 || hi >= div {
		return 0, false
	}
	q, r := bits.Div64(hi, lo, div)
	if r >= div-r {
		q++
	}
	return q, q <= maxInt64
}

// MulRateHalfUp returns amount x rate with scale decimals, rounded once, half
// away from zero, from the exact product. Errors: ErrOverflow, ErrPrecision for
// a scale that decimals cannot have.
func MulRateHalfUp(amount, rate decimal.Decimal, scale int) (decimal.Decimal, error) {
	if scale < 0 || scale > decimal.MaxScale {
		return decimal.Decimal{}, ErrPrecision
	}
	hi, lo := bits.Mul64(amount.Coef(), rate.Coef())
	q, ok := lo, hi == 0
	switch drop := amount.Scale() + rate.Scale() - scale; {
	case drop > 19:
		// The digits that the first division cuts off cannot change the rounding: the half is a whole multiple of 10^19.
		q, _ = bits.Div64(hi, lo, pow10[19])
		q, ok = DivHalfAway(0, q, pow10[drop-19])
	case drop > 0:
		q, ok = DivHalfAway(hi, lo, pow10[drop])
	case drop < 0:
		hi, q = bits.Mul64(lo, pow10[-drop])
		ok = ok && hi == 0
	}
	if !ok || q > maxInt64 {
		return decimal.Decimal{}, ErrOverflow
	}
	v := int64(q)
	if amount.IsNeg() != rate.IsNeg() {
		v = -v
	}
	return decimal.New(v, scale)
}

// Magnitude is the absolute value, also of the smallest int64.
func Magnitude(v int64) uint64 {
	if v < 0 {
		return -uint64(v)
	}
	return uint64(v)
}
