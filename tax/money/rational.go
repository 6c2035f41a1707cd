package money

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/govalues/decimal"
)

// Nearest rounds an amount that is not negative to a whole number, halves up.
func Nearest(r *big.Rat) int64 {
	return Whole(new(big.Rat).Add(r, big.NewRat(1, 2)))
}

// Whole is the whole part of an amount that is not negative.
func Whole(r *big.Rat) int64 {
	return max(0, new(big.Int).Quo(r.Num(), r.Denom()).Int64())
}

// Floor is the largest whole number that is not above a number.
func Floor(r *big.Rat) int64 {
	return new(big.Int).Div(r.Num(), r.Denom()).Int64() // Euclidean: the denominator is positive
}

// InCents is the magnitude of the amount as an exact number of cents.
func (e Exact) InCents() *big.Rat {
	units := new(big.Int).Lsh(new(big.Int).SetUint64(e.hi), 64)
	units.Or(units, new(big.Int).SetUint64(e.lo))
	return new(big.Rat).SetFrac(units, big.NewInt(ExactPerCent))
}

// ExactOf is an amount in cents, cut to the decimals that an Exact has.
func ExactOf(cents *big.Rat, sign int64) Exact {
	units := new(big.Rat).Mul(cents, new(big.Rat).SetInt64(ExactPerCent))
	n := new(big.Int).Quo(units.Num(), units.Denom())
	e := Exact{neg: sign < 0, lo: new(big.Int).And(n, new(big.Int).SetUint64(math.MaxUint64)).Uint64()}
	e.hi = n.Rsh(n, 64).Uint64()
	return e.normal()
}

// RateOf is tax per base as a rate in units of 10^-9; zero without a base, or when
// there is no such rate below 1000.
func RateOf(tax *big.Rat, base int64) int64 {
	if base == 0 {
		return 0
	}
	rate := new(big.Rat).Quo(tax, new(big.Rat).SetInt64(base))
	if rate.Cmp(new(big.Rat).SetInt64(1000)) >= 0 {
		return 0
	}
	return Nearest(rate.Mul(rate, new(big.Rat).SetInt64(1_000_000_000)))
}

// ShareBetween returns the share of an amount that falls between two points of a whole, in cents. Shares of adjacent
// stretches add up to the share of all of them. For example, the stretches from 0 to 5 and from 5 to 10 of a whole of
// 10 add up to the amount. Errors: ErrOverflow, ErrPrecision.
func ShareBetween(amount, from, to, whole decimal.Decimal) (decimal.Decimal, error) {
	var cents [4]int64
	for i, d := range [...]decimal.Decimal{amount, from, to, whole} {
		var err error
		if cents[i], err = Scaled(d, Scale); err != nil {
			return decimal.Decimal{}, err
		}
	}
	if cents[3] == 0 {
		return FromCents(0), nil
	}
	var upTo [2]int64
	for i, point := range cents[1:3] {
		hi, lo := bits.Mul64(Magnitude(cents[0]), Magnitude(point))
		share, ok := DivHalfAway(hi, lo, Magnitude(cents[3]))
		if !ok || share >= 1<<62 { // so that the difference of two fits
			return decimal.Decimal{}, ErrOverflow
		}
		if upTo[i] = int64(share); amount.IsNeg() != (point < 0) != whole.IsNeg() {
			upTo[i] = -upTo[i]
		}
	}
	return FromCents(upTo[1] - upTo[0]), nil
}
