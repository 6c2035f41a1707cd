package web

import (
	"fmt"
	"math/big"
	"strings"
)

// amountDifference is how much more an amount is than one before, exactly, with a sign; empty where one is none.
func amountDifference(now, before string) string {
	a, aOK := new(big.Rat).SetString(now)
	b, bOK := new(big.Rat).SetString(before)
	if !aOK || !bOK {
		return ""
	}
	difference := a.Sub(a, b)
	places, _ := difference.FloatPrec() // all of them: amounts are decimals
	text := difference.FloatString(max(places, 2))
	if difference.Sign() > 0 {
		return "+" + text
	}
	return text
}

// percentOf is a rate in percent, exactly; the text itself where it is no number.
func percentOf(rate string) string {
	r, ok := new(big.Rat).SetString(rate)
	if !ok {
		return rate
	}
	r.Mul(r, big.NewRat(100, 1))
	places, _ := r.FloatPrec() // all of them: rates are decimals
	return r.FloatString(places) + " %"
}

// grouped is an amount or a number with its thousands set apart; another text as it is.
func grouped(amount any) string {
	text := fmt.Sprint(amount)
	sign := text[:len(text)-len(strings.TrimLeft(text, "+-"))]
	whole, fraction, _ := strings.Cut(text[len(sign):], ".")
	if whole == "" || strings.Trim(whole+fraction, "0123456789") != "" {
		return text
	}
	end := len(sign) + len(whole)
	for at := end - 3; at > len(sign); at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}
