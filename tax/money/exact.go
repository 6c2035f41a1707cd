package money

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/govalues/decimal"
)

// exactScale is 4 decimals of a taxable base (cents times a whole percentage)
// plus 9 decimals of a rate.
const (
	exactScale   = 13
	ExactPerCent = 100_000_000_000 // 10^(13-2)
)

// Exact is an unrounded amount of money: a signed 128-bit number of units of 10^-13. It holds every product of an
// amount and a rate, and the sum of such products over a document, without rounding. The zero value is 0.
type Exact struct {
	hi, lo uint64
	neg    bool
}

// Product is base (units of 10^-4) times rate (units of 10^-9).
func Product(base, rate int64) Exact {
	e := Exact{neg: (base < 0) != (rate < 0)}
	e.hi, e.lo = bits.Mul64(Magnitude(base), Magnitude(rate))
	return e.normal()
}

func (e Exact) normal() Exact {
	if e.hi == 0 && e.lo == 0 {
		e.neg = false
	}
	return e
}

// Plus returns e + f exactly; sums of products of amounts and rates stay far below 128 bits.
func (e Exact) Plus(f Exact) Exact {
	if e.neg == f.neg {
		lo, carry := bits.Add64(e.lo, f.lo, 0)
		hi, _ := bits.Add64(e.hi, f.hi, carry)
		return Exact{hi, lo, e.neg}
	}
	if e.hi < f.hi || e.hi == f.hi && e.lo < f.lo {
		e, f = f, e
	}
	lo, borrow := bits.Sub64(e.lo, f.lo, 0)
	hi, _ := bits.Sub64(e.hi, f.hi, borrow)
	return Exact{hi, lo, e.neg}.normal()
}

// Neg returns -e.
func (e Exact) Neg() Exact {
	e.neg = !e.neg
	return e.normal()
}

// Units rounds half away from zero to whole units of that many cents. Errors: ErrOverflow.
func (e Exact) Units(cents int64) (int64, error) {
	q, ok := DivHalfAway(e.hi, e.lo, ExactPerCent*uint64(cents))
	if !ok || q > MaxCents/uint64(cents) {
		return 0, ErrOverflow
	}
	if e.neg {
		return -int64(q), nil
	}
	return int64(q), nil
}

// MicroScale are the decimals of Micro.
const MicroScale = 6

// Micro rounds half away from zero to 6 decimals. Errors: ErrOverflow.
func (e Exact) Micro() (decimal.Decimal, error) {
	q, ok := DivHalfAway(e.hi, e.lo, pow10[exactScale-MicroScale])
	if !ok {
		return decimal.Decimal{}, ErrOverflow
	}
	if e.neg {
		return decimal.MustNew(-int64(q), MicroScale), nil
	}
	return decimal.MustNew(int64(q), MicroScale), nil
}

// Cut drops the fractions of a unit of that many cents. It returns them as the remainder, in units of 10^-13 and with
// the sign of the amount. Errors: ErrOverflow.
func (e Exact) Cut(cents int64) (units, remainder int64, err error) {
	unit := ExactPerCent * uint64(cents)
	if e.hi >= unit {
		return 0, 0, ErrOverflow
	}
	q, r := bits.Div64(e.hi, e.lo, unit)
	if q > MaxCents/uint64(cents) {
		return 0, 0, ErrOverflow
	}
	if e.neg {
		return -int64(q), -int64(r), nil
	}
	return int64(q), int64(r), nil
}

// IsZero reports whether the amount is 0.
func (e Exact) IsZero() bool { return e.hi == 0 && e.lo == 0 }

// IsNeg reports whether the amount is below 0.
func (e Exact) IsNeg() bool { return e.neg }

// PerBase returns the amount divided by a base in units of 10^-4, as a rate in units of 10^-9. It is zero without a
// base, or if the rate is not below 1000.
func (e Exact) PerBase(base int64) int64 {
	q, ok := DivHalfAway(e.hi, e.lo, Magnitude(base))
	if !ok || q >= 1000_000_000_000 {
		return 0
	}
	if e.neg != (base < 0) {
		return -int64(q)
	}
	return int64(q)
}

// String is the plain decimal number with as many digits as it needs, at least
// two decimals.
func (e Exact) String() string { return string(e.AppendTo(make([]byte, 0, 32))) }

// AppendTo appends the text of String.
func (e Exact) AppendTo(b []byte) []byte {
	var digits [42]byte
	n := len(digits)
	hi, lo := e.hi, e.lo
	for hi != 0 || lo != 0 || n > len(digits)-exactScale-1 {
		var r uint64
		hi, r = hi/10, hi%10
		lo, r = bits.Div64(r, lo, 10)
		n--
		digits[n] = byte('0' + r)
	}
	end := len(digits)
	for end > len(digits)-exactScale+Scale && digits[end-1] == '0' {
		end--
	}
	if e.neg {
		b = append(b, '-')
	}
	point := len(digits) - exactScale
	b = append(b, digits[n:point]...)
	b = append(b, '.')
	return append(b, digits[point:end]...)
}

// MarshalText writes the number of String.
func (e Exact) MarshalText() ([]byte, error) { return e.AppendTo(make([]byte, 0, 24)), nil }

// UnmarshalText reads a plain decimal number with at most 13 decimals. Errors:
// ErrFormat, ErrPrecision, ErrOverflow.
func (e *Exact) UnmarshalText(b []byte) error {
	s := string(b)
	whole, frac, dot := strings.Cut(strings.TrimPrefix(s, "-"), ".")
	if whole == "" || dot && frac == "" || !allDigits(whole) || !allDigits(frac) {
		return fmt.Errorf("%w: %q", ErrFormat, s)
	}
	if len(frac) > exactScale {
		return fmt.Errorf("%w: %q", ErrPrecision, s)
	}
	if len(whole) > 24 {
		return fmt.Errorf("%w: %q", ErrOverflow, s)
	}
	*e = Exact{}
	for _, c := range []byte(whole + frac + strings.Repeat("0", exactScale-len(frac))) {
		over, lo := bits.Mul64(e.lo, 10)
		lo, carry := bits.Add64(lo, uint64(c-'0'), 0)
		e.hi, e.lo = e.hi*10+over+carry, lo
	}
	e.neg = s[0] == '-'
	*e = e.normal()
	return nil
}
