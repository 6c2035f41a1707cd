package money

import (
	"errors"
	"math/bits"

	"github.com/govalues/decimal"
)

// ErrNoWeight is returned when an amount shall be spread over weights that add
// up to nothing.
var ErrNoWeight = errors.New("nothing to allocate to: the weights add up to zero")

// Allocate spreads total over the weights in proportion, in whole cents that add up to total exactly. Each share is cut
// toward zero. The missing cents go one by one to the largest remainders, the earlier of equal ones first. Weights may
// have any sign.
//
// Errors: ErrPrecision if total has fractions of a cent, ErrNoWeight if the weights add up to zero and total does not,
// ErrOverflow.
func Allocate(total decimal.Decimal, weights []decimal.Decimal) ([]decimal.Decimal, error) {
	cents, err := Scaled(total, Scale)
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
		shares[i] = FromCents(p)
	}
	return shares, nil
}

// AllocateUnits is Allocate in whole units of so many cents. Amounts with parts of a unit are spread in cents.
func AllocateUnits(total decimal.Decimal, weights []decimal.Decimal, unit int64) ([]decimal.Decimal, error) {
	cents, err := Scaled(total, Scale)
	whole := err == nil && cents%unit == 0
	for _, w := range weights {
		weight, err := Scaled(w, Scale)
		whole = whole && err == nil && weight%unit == 0
	}
	if unit == 1 || !whole {
		return Allocate(total, weights)
	}
	shares, err := Allocate(FromCents(cents/unit), weights)
	for i := range shares {
		part, err := Cents(shares[i])
		if err != nil {
			return nil, err
		}
		shares[i] = FromCents(part * unit)
	}
	return shares, err
}

func allocate(cents int64, weights []decimal.Decimal, parts []int64) error {
	scale := 0
	for _, w := range weights {
		scale = max(scale, w.Scale())
	}
	ws := make([]int64, len(weights))
	sum := int64(0)
	for i, w := range weights {
		v, err := Scaled(w, scale)
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
		hi, lo := bits.Mul64(Magnitude(cents), Magnitude(w))
		if hi >= Magnitude(sum) {
			return ErrOverflow
		}
		q, r := bits.Div64(hi, lo, Magnitude(sum))
		if q > maxInt64 {
			return ErrOverflow
		}
		parts[i], ws[i] = int64(q), int64(r)
		if (cents < 0) != (w < 0) != (sum < 0) {
			parts[i], ws[i] = -parts[i], -ws[i]
		}
		missing -= parts[i]
	}
	SpreadLeftovers(parts, ws, int64(Magnitude(sum)), missing, nil)
	return nil
}

// SpreadLeftovers adds the missing cents, which may be negative, to parts. Each cent goes to the part with the largest
// remainder in that direction, the first of equal ones. unit is the remainder that makes a whole cent. got, if not nil,
// is called with the index of each changed part.
func SpreadLeftovers(parts, remainders []int64, unit, missing int64, got func(int)) {
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
