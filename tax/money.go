package tax

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
	moneyScale = 2
	rateScale  = 9

	// maxCents bounds every amount of a document: 10 integer digits.
	maxCents = 1_000_000_000_000 - 1
)

// ParseMoney reads a plain decimal ("12.5", "-3") with at most 10 integer
// digits and 2 decimals and returns it with exactly 2 decimals. Trailing zeros
// do not count as decimals. Errors: ErrFormat, ErrPrecision, ErrOverflow.
func ParseMoney(s string) (decimal.Decimal, error) {
	d, err := ParseDecimal(s)
	if err != nil {
		return decimal.Decimal{}, err
	}
	c, err := toCents(d)
	if err != nil {
		return decimal.Decimal{}, fmt.Errorf("%w: %q", err, s)
	}
	return fromCents(c), nil
}

// FormatMoney writes exactly 2 decimals. A value with more is written as it
// is: formatting never rounds.
func FormatMoney(d decimal.Decimal) string { return d.Trim(moneyScale).Pad(moneyScale).String() }

// FormatRate writes a fraction with exactly 9 decimals in fixed notation.
func FormatRate(d decimal.Decimal) string { return d.Trim(rateScale).Pad(rateScale).String() }

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
	if frac = strings.TrimRight(frac, "0"); len(frac) > 19 {
		return decimal.Decimal{}, fmt.Errorf("%w: %q", ErrPrecision, s)
	}
	text := whole
	if frac != "" {
		text += "." + frac
	}
	if s[0] == '-' {
		text = "-" + text
	}
	d, err := decimal.ParseExact(text, len(frac))
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

// toCents reads an amount of a document as a number of cents.
func toCents(d decimal.Decimal) (int64, error) {
	v, err := toScaled(d, moneyScale)
	if err != nil {
		return 0, err
	}
	if v > maxCents || v < -maxCents {
		return 0, ErrOverflow
	}
	return v, nil
}

// toScaled returns d as a whole number of units of 10^-scale.
func toScaled(d decimal.Decimal, scale int) (int64, error) {
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

// fromCents and fromNano cannot fail: the scales are valid for every int64.
func fromCents(c int64) decimal.Decimal { return decimal.MustNew(c, moneyScale) }
func fromNano(n int64) decimal.Decimal  { return decimal.MustNew(n, rateScale) }
