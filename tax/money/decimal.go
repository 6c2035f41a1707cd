// Package money is exact arithmetic on amounts and rates. Amounts are decimals with two decimals, or whole cents where
// the engine calculates. Rates are fractions (8.25 % is 0.0825) with at most nine decimals. Exact holds unrounded
// amounts, and Total sums that are too large for a decimal.
//
// All rounding is that of DivHalfAway and, for quotients of any size, Nearest: half away from zero, once. A value out
// of range is an error; nothing is ever cut or saturated without one.
package money

import (
	"errors"
	"fmt"
	"strings"

	"github.com/govalues/decimal"
)

// Errors of money arithmetic. ErrOverflow means that the exact result does not
// fit; nothing is ever cut or saturated. ErrPrecision means more decimals than
// the kind of number allows. ErrFormat means text that is not a plain number.
var (
	ErrOverflow  = errors.New("amount out of range")
	ErrPrecision = errors.New("too many decimals")
	ErrFormat    = errors.New("not a decimal number")
)

const (
	Scale     = 2 // decimals of an amount
	RateScale = 9 // decimals of a rate

	// MaxCents bounds every amount of a document: 10 integer digits.
	MaxCents = 1_000_000_000_000 - 1
)

// Parse reads a plain decimal ("12.5", "-3") with at most 10 integer
// digits and 2 decimals and returns it with exactly 2 decimals. Trailing zeros
// do not count as decimals. Errors: ErrFormat, ErrPrecision, ErrOverflow.
func Parse(s string) (decimal.Decimal, error) {
	d, err := ParseDecimal(s)
	if err != nil {
		return decimal.Decimal{}, err
	}
	c, err := Cents(d)
	if err != nil {
		return decimal.Decimal{}, fmt.Errorf("%w: %q", err, s)
	}
	return FromCents(c), nil
}

// Format writes exactly 2 decimals. A value with more is written as it
// is: formatting never rounds.
func Format(d decimal.Decimal) string { return d.Trim(Scale).Pad(Scale).String() }

// AppendFormat appends what Format writes.
func AppendFormat(text []byte, d decimal.Decimal) []byte {
	text, _ = d.Trim(Scale).Pad(Scale).AppendText(text) // it has no errors
	return text
}

// FormatRate writes a fraction with exactly 9 decimals in fixed notation.
func FormatRate(d decimal.Decimal) string { return d.Trim(RateScale).Pad(RateScale).String() }

// FormatQuantity writes at least 1 decimal and no further trailing zeros.
func FormatQuantity(d decimal.Decimal) string { return d.Trim(1).Pad(1).String() }

// Add returns a + b exactly, or ErrOverflow.
func Add(a, b decimal.Decimal) (decimal.Decimal, error) {
	r, err := a.AddExact(b, max(a.Scale(), b.Scale()))
	if err != nil {
		return decimal.Decimal{}, fmt.Errorf("%w: %v + %v", ErrOverflow, a, b)
	}
	return r, nil
}

// Sub returns a - b exactly, or ErrOverflow.
func Sub(a, b decimal.Decimal) (decimal.Decimal, error) { return Add(a, b.Neg()) }

// ParseDecimal reads a plain decimal exactly. Errors: ErrFormat, ErrPrecision
// beyond 19 decimals, ErrOverflow beyond 19 digits.
func ParseDecimal(s string) (decimal.Decimal, error) {
	whole, frac, dot := strings.Cut(strings.TrimPrefix(s, "-"), ".")
	if whole == "" || dot && frac == "" || len(s) > 32 || !allDigits(whole) || !allDigits(frac) {
		return decimal.Decimal{}, fmt.Errorf("%w: %q", ErrFormat, s)
	}
	zeros := len(frac)
	if frac = strings.TrimRight(frac, "0"); len(frac) > 19 {
		return decimal.Decimal{}, fmt.Errorf("%w: %q", ErrPrecision, s)
	}
	zeros -= len(frac)
	d, err := decimal.ParseExact(strings.TrimSuffix(s[:len(s)-zeros], "."), len(frac))
	if err != nil {
		return decimal.Decimal{}, fmt.Errorf("%w: %q", ErrOverflow, s)
	}
	return d, nil
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// Cents reads an amount of a document as a number of cents.
func Cents(d decimal.Decimal) (int64, error) {
	v, err := Scaled(d, Scale)
	if err != nil {
		return 0, err
	}
	if v > MaxCents || v < -MaxCents {
		return 0, ErrOverflow
	}
	return v, nil
}

// Scaled returns d as a whole number of units of 10^-scale.
func Scaled(d decimal.Decimal, scale int) (int64, error) {
	coef := d.Coef()
	switch have := d.Scale(); {
	case have > scale:
		div := pow10[have-scale]
		if coef%div != 0 {
			return 0, ErrPrecision
		}
		coef /= div
	case have < scale:
		mul := pow10[scale-have]
		if coef > maxInt64/mul {
			return 0, ErrOverflow
		}
		coef *= mul
	}
	if coef > maxInt64 {
		return 0, ErrOverflow
	}
	if d.IsNeg() {
		return -int64(coef), nil
	}
	return int64(coef), nil
}

// FromCents and FromNano cannot fail: the scales are valid for every int64.
func FromCents(c int64) decimal.Decimal { return decimal.MustNew(c, Scale) }
func FromNano(n int64) decimal.Decimal  { return decimal.MustNew(n, RateScale) }

const maxInt64 = 1<<63 - 1

var pow10 = [20]uint64{
	1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
}
