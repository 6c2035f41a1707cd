package web

import (
	"math/big"
	"strings"
)

// amountDifference returns now minus before with its sign, exactly. It returns "" if one of them is not a number.
func amountDifference(now, before string) string {
	a, aOK := new(big.Rat).SetString(now)
	b, bOK := new(big.Rat).SetString(before)
	if !aOK || !bOK {
		return ""
	}
	difference := a.Sub(a, b)
	places, _ := difference.FloatPrec() // all digits: amounts are decimals
	text := difference.FloatString(max(places, 2))
	if difference.Sign() > 0 {
		return "+" + text
	}
	return text
}

// sumOf adds up amounts, exactly. It returns "" if one of them is not a number.
func sumOf(amounts ...string) string {
	total := new(big.Rat)
	for _, amount := range amounts {
		each, isNumber := new(big.Rat).SetString(amount)
		if !isNumber {
			return ""
		}
		total.Add(total, each)
	}
	places, _ := total.FloatPrec() // all digits: amounts are decimals
	return total.FloatString(max(places, 2))
}

// isZero reports whether a text is an amount of 0.
func isZero(amount string) bool { return amount != "" && strings.Trim(amount, "0.") == "" }

// negated returns an amount with the other sign. An amount of 0 has none.
func negated(amount string) string {
	switch positive, negative := strings.CutPrefix(amount, "-"); {
	case isZero(positive):
		return positive
	case negative:
		return positive
	default:
		return "-" + amount
	}
}

// percentOf returns a rate in percent, exactly: 0.0825 is "8.25 %", with its number marked. It returns a text that
// is not a number unchanged.
func percentOf(rate string) string {
	r, ok := new(big.Rat).SetString(rate)
	if !ok {
		return rate
	}
	r.Mul(r, big.NewRat(100, 1))
	places, _ := r.FloatPrec() // all digits: rates are decimals
	return grouped(r.FloatString(places)) + " %"
}

// grouped marks a number, so that the page has thousands separators: 1234567.00 is "1,234,567.00". It returns other texts
// unchanged.
func grouped(amount any) string {
	text := plain(amount)
	sign := text[:len(text)-len(strings.TrimLeft(text, "+-"))]
	whole, fraction, _ := strings.Cut(text[len(sign):], ".")
	if whole == "" || strings.Trim(whole+fraction, "0123456789") != "" {
		return text
	}
	return sign + numberMark + text[len(sign):] + endMark
}
