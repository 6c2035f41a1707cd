package money

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"strings"

	"github.com/govalues/decimal"
)

// Total is the sum of many amounts of money. It has up to 18 digits before the point and exactly 2 after it, more than
// a decimal.Decimal can hold. The zero value is 0.00. Two totals are equal if == says so.
type Total struct {
	hi, lo uint64 // magnitude in cents
	neg    bool
}

// The largest total, 999,999,999,999,999,999.99, in cents.
const (
	maxTotalHi = 5
	maxTotalLo = 7_766_279_631_452_241_919
)

// ParseTotal reads a plain decimal ("12.5", "-3") exactly. Zeros after the second
// decimal do not count. Errors: ErrFormat, ErrPrecision, ErrOverflow.
func ParseTotal(s string) (Total, error) { return parseTotal(s, totalDigits) }

const (
	totalDigits   = 18 // before the point, of a total that is told or kept
	scannedDigits = 36 // of one that a database has added up; its cents fit into 128 bits
)

func parseTotal(s string, digits int) (Total, error) {
	whole, frac, dot := strings.Cut(strings.TrimPrefix(s, "-"), ".")
	if whole == "" || dot && frac == "" || !allDigits(whole) || !allDigits(frac) {
		return Total{}, fmt.Errorf("%w: %q", ErrFormat, s)
	}
	if frac = strings.TrimRight(frac, "0"); len(frac) > Scale {
		return Total{}, fmt.Errorf("%w: %q", ErrPrecision, s)
	}
	if whole = strings.TrimLeft(whole, "0"); len(whole) > digits {
		return Total{}, fmt.Errorf("%w: %q", ErrOverflow, s)
	}
	t := Total{neg: s[0] == '-'}
	for _, digit := range whole + (frac + "00")[:Scale] {
		hi, lo := bits.Mul64(t.lo, 10)
		lo, carry := bits.Add64(lo, uint64(digit-'0'), 0)
		t.hi, t.lo = t.hi*10+hi+carry, lo
	}
	return t.normal(), nil
}

func (t Total) normal() Total {
	if t.hi == 0 && t.lo == 0 {
		t.neg = false
	}
	return t
}

// Plus returns t + u exactly, or ErrOverflow.
func (t Total) Plus(u Total) (Total, error) {
	sum := t.plus(u)
	if sum.hi > maxTotalHi || sum.hi == maxTotalHi && sum.lo > maxTotalLo {
		return Total{}, fmt.Errorf("%w: %v + %v", ErrOverflow, t, u)
	}
	return sum, nil
}

// ExactSum writes the sum of a few totals, also one that is larger than a Total may be.
func ExactSum(parts ...Total) string {
	var sum Total
	for _, part := range parts {
		sum = sum.plus(part)
	}
	return sum.String()
}

// plus returns t + u.
func (t Total) plus(u Total) Total {
	if t.neg != u.neg {
		if t.hi < u.hi || t.hi == u.hi && t.lo < u.lo {
			t, u = u, t
		}
		lo, borrow := bits.Sub64(t.lo, u.lo, 0)
		hi, _ := bits.Sub64(t.hi, u.hi, borrow)
		return Total{hi, lo, t.neg}.normal()
	}
	lo, carry := bits.Add64(t.lo, u.lo, 0)
	return Total{t.hi + u.hi + carry, lo, t.neg} // both are small: there is no further carry
}

// Minus returns t - u exactly, or ErrOverflow.
func (t Total) Minus(u Total) (Total, error) { return t.Plus(u.Neg()) }

// Neg returns -t.
func (t Total) Neg() Total {
	t.neg = !t.neg
	return t.normal()
}

// IsNeg reports whether the total is below 0.00.
func (t Total) IsNeg() bool { return t.neg }

// MinTotal returns the smaller of two totals.
func MinTotal(t, u Total) Total {
	if t.plus(u.Neg()).neg {
		return t
	}
	return u
}

// MaxTotal returns the larger of two totals.
func MaxTotal(t, u Total) Total {
	if MinTotal(t, u) == t {
		return u
	}
	return t
}

// Share returns a part of the total, rounded half away from zero. share is between 0 and 1.
func (t Total) Share(share decimal.Decimal) Total { return t.shareIn(1, share) }

// ShareInUnits returns the total multiplied by a share, rounded once, half away from zero to whole units of its currency.
// Of 198.00 the share 0.0025 is 0.495: in units 0, and not 1 by way of 0.50.
func (t Total) ShareInUnits(share decimal.Decimal) Total { return t.shareIn(100, share) }

func (t Total) shareIn(cents int64, share decimal.Decimal) Total {
	return SumOfParts(cents, Part{t, share})
}

// Part is a total that a rate applies to.
type Part struct {
	Of   Total
	Rate decimal.Decimal
}

// SumOfParts adds up totals, each multiplied by its rate. The sum is rounded once, half away from zero to multiples of some
// cents. Of 6250.00 at 0.0195 and 871.60 at 0.01 it is 130.59, in cents.
func SumOfParts(cents int64, parts ...Part) Total {
	sum := new(big.Rat)
	for _, p := range parts {
		unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(p.Rate.Scale())), nil)
		coefficient := new(big.Int).SetUint64(p.Rate.Coef())
		if p.Rate.IsNeg() {
			coefficient.Neg(coefficient)
		}
		sum.Add(sum, new(big.Rat).SetFrac(coefficient.Mul(coefficient, p.Of.cents()), unit.Mul(unit, big.NewInt(cents))))
	}
	twice := new(big.Int).Abs(sum.Num())
	twice.Lsh(twice, 1).Add(twice, sum.Denom())
	twice.Quo(twice, new(big.Int).Lsh(sum.Denom(), 1))
	whole := totalOf(twice.Mul(twice, big.NewInt(cents)))
	whole.neg = sum.Sign() < 0
	return whole.normal()
}

// Portion returns what of the total falls to a part of a whole, rounded half away from zero to the cent; 0.00 of nothing.
func (t Total) Portion(part, whole Total) Total {
	if whole.IsZero() {
		return Total{}
	}
	twice := new(big.Int).Mul(t.cents(), part.cents())
	of := new(big.Int).Abs(whole.cents())
	twice.Lsh(twice, 1).Abs(twice).Add(twice, of)
	p := totalOf(twice.Quo(twice, of.Lsh(of, 1)))
	p.neg = t.neg != (part.neg != whole.neg)
	return p.normal()
}

// cents returns the total in cents.
func (t Total) cents() *big.Int {
	cents := new(big.Int).SetUint64(t.hi)
	cents.Lsh(cents, 64).Or(cents, new(big.Int).SetUint64(t.lo))
	if t.neg {
		cents.Neg(cents)
	}
	return cents
}

// totalOf returns the total of a positive number of cents.
func totalOf(cents *big.Int) Total {
	lo := new(big.Int).And(cents, new(big.Int).SetUint64(math.MaxUint64))
	return Total{hi: new(big.Int).Rsh(cents, 64).Uint64(), lo: lo.Uint64()}
}

// WholeUnits returns the total rounded half away from zero to whole units of its currency, such as dollars.
func (t Total) WholeUnits() Total { return t.units(50) }

// UnitsAlone returns the total without its hundredths: 401 of 401.99, -401 of -401.99.
func (t Total) UnitsAlone() Total { return t.units(0) }

// units leaves out the hundredths of the total, which is first moved away from zero by some cents.
func (t Total) units(more int64) Total {
	cents := new(big.Int).Abs(t.cents())
	cents.Add(cents, big.NewInt(more)).Quo(cents, big.NewInt(100)).Mul(cents, big.NewInt(100))
	whole := totalOf(cents)
	whole.neg = t.neg
	return whole.normal()
}

// IsPositive reports whether t is above zero.
func (t Total) IsPositive() bool { return !t.IsNeg() && !t.IsZero() }

// IsZero reports whether the total is 0.00.
func (t Total) IsZero() bool { return t == Total{} }

// String writes the total with exactly 2 decimals.
func (t Total) String() string {
	var digits [scannedDigits + Scale + 2]byte
	n := len(digits)
	for hi, lo := t.hi, t.lo; hi != 0 || lo != 0 || n > len(digits)-Scale-2; {
		var r uint64
		hi, r = hi/10, hi%10
		lo, r = bits.Div64(r, lo, 10)
		n--
		digits[n] = byte('0' + r)
		if n == len(digits)-Scale {
			n--
			digits[n] = '.'
		}
	}
	if t.neg {
		n--
		digits[n] = '-'
	}
	return string(digits[n:])
}

// MarshalText writes the text of String.
func (t Total) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads what ParseTotal reads.
func (t *Total) UnmarshalText(text []byte) (err error) {
	*t, err = ParseTotal(string(text))
	return err
}

// Scan reads a NUMERIC of a database that is written as text. A sum larger than a Total may be can be displayed, but
// adding to it is an error.
func (t *Total) Scan(value any) (err error) {
	switch v := value.(type) {
	case string:
		*t, err = parseTotal(v, scannedDigits)
	case []byte:
		*t, err = parseTotal(string(v), scannedDigits)
	default:
		err = fmt.Errorf("%w: %T", ErrFormat, value)
	}
	return err
}
