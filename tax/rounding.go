package tax

import (
	"errors"
	"math/bits"

	"github.com/govalues/decimal"
)

// ErrNoWeight is returned when an amount shall be spread over weights that add
// up to nothing.
var ErrNoWeight = errors.New("nothing to allocate to: the weights add up to zero")

const maxInt64 = 1<<63 - 1

var pow10 = [20]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19}

// divHalfAway is the one rounding of this package: (hi,lo)/div, rounded half
// away from zero on the magnitude. ok is false when the result needs more than
// 63 bits.
func divHalfAway(hi, lo, div uint64) (q uint64, ok bool) {
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
		// Whatever the first 19 digits cut off cannot change on which side of
		// the half the rest lies, because the half is a whole number of them.
		q, _ = bits.Div64(hi, lo, pow10[19])
		q, ok = divHalfAway(0, q, pow10[drop-19])
	case drop > 0:
		q, ok = divHalfAway(hi, lo, pow10[drop])
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

// RoundHalfUp rounds d to scale decimals, half away from zero.
func RoundHalfUp(d decimal.Decimal, scale int) (decimal.Decimal, error) {
	return MulRateHalfUp(d, decimal.One, scale)
}

// Allocate spreads total over the weights in proportion, in whole cents that
// add up to total exactly: each share is cut toward zero and the missing cents
// go one by one to the largest remainders, the earlier of equal ones first.
// Weights may have any sign. Errors: ErrPrecision when total has fractions of a
// cent, ErrNoWeight when the weights add up to zero and total does not,
// ErrOverflow.
func Allocate(total decimal.Decimal, weights []decimal.Decimal) ([]decimal.Decimal, error) {
	cents, err := toScaled(total, moneyScale)
	if err != nil {
		return nil, err
	}
	parts := make([]int64, len(weights))
	if cents != 0 {
		if err := allocate(cents, weights, parts); err != nil {
			return nil, err
		}
	}
	shares := make([]decimal.Decimal, len(parts))
	for i, p := range parts {
		shares[i] = fromCents(p)
	}
	return shares, nil
}

func allocate(cents int64, weights []decimal.Decimal, parts []int64) error {
	scale := 0
	for _, w := range weights {
		scale = max(scale, w.Scale())
	}
	ws := make([]int64, len(weights))
	sum := int64(0)
	for i, w := range weights {
		v, err := toScaled(w, scale)
		if err != nil {
			return err
		}
		ws[i] = v
		next := sum + v
		if (next > sum) != (v > 0) && v != 0 {
			return ErrOverflow
		}
		sum = next
	}
	if sum == 0 {
		return ErrNoWeight
	}
	missing := cents
	for i, w := range ws {
		hi, lo := bits.Mul64(magnitude(cents), magnitude(w))
		if hi >= magnitude(sum) {
			return ErrOverflow
		}
		q, r := bits.Div64(hi, lo, magnitude(sum))
		if q > maxInt64 {
			return ErrOverflow
		}
		parts[i], ws[i] = int64(q), int64(r)
		if (cents < 0) != (w < 0) != (sum < 0) {
			parts[i], ws[i] = -parts[i], -ws[i]
		}
		missing -= parts[i]
	}
	giveLeftovers(parts, ws, int64(magnitude(sum)), missing, nil)
	return nil
}

// giveLeftovers adds the missing cents (which may be negative) to parts, each
// to the part with the largest remainder in that direction, the first of equal
// ones. unit is the remainder that makes a whole cent. got, when not nil, hears
// the index of each part that was changed.
func giveLeftovers(parts, remainders []int64, unit, missing int64, got func(int)) {
	step := int64(1)
	if missing < 0 {
		step = -1
	}
	for ; missing != 0; missing -= step {
		best := 0
		for i, r := range remainders {
			if r*step > remainders[best]*step {
				best = i
			}
		}
		parts[best] += step
		remainders[best] -= step * unit
		if got != nil {
			got(best)
		}
	}
}

func magnitude(v int64) uint64 {
	if v < 0 {
		return -uint64(v)
	}
	return uint64(v)
}
