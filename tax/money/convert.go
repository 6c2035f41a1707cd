package money

import (
	"fmt"
	"math/bits"

	"github.com/govalues/decimal"
)

// CrossRate returns how much of a currency one unit of another is worth. from and to are the worth of one unit of a
// third currency, the base. The result is to / from, rounded once, half away from zero, to 9 decimals. Errors:
// ErrOverflow, also for a rate that is zero or negative.
func CrossRate(from, to decimal.Decimal) (decimal.Decimal, error) {
	from, to = from.Trim(0), to.Trim(0)
	if !from.IsPos() || !to.IsPos() {
		return decimal.Decimal{}, ErrOverflow
	}
	shift := RateScale + from.Scale() - to.Scale()
	if shift < 0 || shift >= len(pow10) {
		return decimal.Decimal{}, ErrOverflow
	}
	hi, lo := bits.Mul64(to.Coef(), pow10[shift])
	q, ok := DivHalfAway(hi, lo, from.Coef())
	if !ok || q == 0 {
		return decimal.Decimal{}, ErrOverflow
	}
	return FromNano(int64(q)), nil
}

// Convert returns an amount of money in another currency, rounded once, half away
// from zero, to 2 decimals. Errors: ErrOverflow beyond 10 integer digits.
func Convert(amount, rate decimal.Decimal) (decimal.Decimal, error) {
	converted, err := MulRateHalfUp(amount, rate, Scale)
	if err != nil {
		return decimal.Decimal{}, err
	}
	_, err = Cents(converted)
	return converted, err
}

// ConvertParts converts the parts of a whole so that they add up to the converted whole. Each part is cut toward zero.
// The missing cents go one by one to the largest remainders, the earlier of equal ones first.
//
// Errors: ErrOverflow, ErrPrecision; ErrFormat if the parts and the whole differ by more than roundings explain.
func ConvertParts(whole decimal.Decimal, parts []decimal.Decimal, rate decimal.Decimal) ([]decimal.Decimal, error) {
	missing, err := Cents(whole)
	if err != nil {
		return nil, err
	}
	nano, err := Scaled(rate, RateScale)
	if err != nil {
		return nil, err
	}
	const unit = 1_000_000_000 // a cent, in cents times units of the rate
	cents, remainders := make([]int64, len(parts)), make([]int64, len(parts))
	for i, part := range parts {
		amount, err := Cents(part)
		if err != nil {
			return nil, err
		}
		hi, lo := bits.Mul64(Magnitude(amount), Magnitude(nano))
		if hi >= unit {
			return nil, ErrOverflow
		}
		q, r := bits.Div64(hi, lo, unit)
		if q > MaxCents {
			return nil, ErrOverflow
		}
		cents[i], remainders[i] = int64(q), int64(r)
		if (amount < 0) != (nano < 0) {
			cents[i], remainders[i] = -cents[i], -remainders[i]
		}
		missing -= cents[i]
	}
	if Magnitude(missing) > uint64(len(parts))+1 {
		return nil, fmt.Errorf("%w: the parts are not those of the whole", ErrFormat)
	}
	if len(parts) > 0 {
		SpreadLeftovers(cents, remainders, unit, missing, nil)
	}
	converted := make([]decimal.Decimal, len(parts))
	for i, c := range cents {
		converted[i] = FromCents(c)
	}
	return converted, nil
}
