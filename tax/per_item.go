package tax

import (
	"math/big"
	"math/bits"
	"strconv"

	"levy/tax/money"
)

// perItem is the net amount of a line, without its sign, and the number of
// items in it. Limits "per item" are compared without any division.
type perItem struct {
	cents    int64
	quantity uint64 // units of 10^-scale; no quantity counts as one item
	scale    int
}

func newPerItem(cents int64, l *Line) perItem {
	quantity := l.Quantity.Trim(0) // 1 and 1.0 are one input
	p := perItem{cents: int64(money.Magnitude(cents)), quantity: quantity.Coef(), scale: quantity.Scale()}
	if p.quantity == 0 {
		p.quantity = 1
	}
	return p
}

// compare orders the price of one item and a limit.
func (p perItem) compare(limit bound) int {
	if limit.rate != one {
		return p.compareConverted(limit)
	}
	hi, lo := bits.Mul64(uint64(p.cents), money.Pow10(p.scale))
	limitHi, limitLo := bits.Mul64(uint64(limit.cents), p.quantity)
	switch {
	case hi == limitHi && lo == limitLo:
		return 0
	case hi < limitHi || hi == limitHi && lo < limitLo:
		return -1
	}
	return 1
}

// compareConverted compares in the currency of the law, for which 128 bits are too few.
func (p perItem) compareConverted(limit bound) int {
	price := product(uint64(p.cents), money.Pow10(p.scale), limit.rate)
	return price.Cmp(product(uint64(limit.cents), p.quantity, one))
}

func product(factors ...uint64) *big.Int {
	n := big.NewInt(1)
	for _, f := range factors {
		n.Mul(n, new(big.Int).SetUint64(f))
	}
	return n
}

// capped returns the part of the line at or below a limit per item, in cents. Fractions of an item are rounded to the
// cent. Fractions of a cent of a converted limit are cut off, so that the part does not pass the limit.
func (p perItem) capped(limit bound) int64 {
	if p.compare(limit) <= 0 {
		return p.cents
	}
	if limit.rate != one {
		part := product(uint64(limit.cents), p.quantity, one)
		return part.Quo(part, product(limit.rate, money.Pow10(p.scale))).Int64()
	}
	hi, lo := bits.Mul64(uint64(limit.cents), p.quantity)
	q, _ := money.DivHalfAway(hi, lo, money.Pow10(p.scale)) // fits: it is at most the line
	return int64(q)
}

// costing is the line at another price.
func (p perItem) costing(cents int64) perItem {
	p.cents = cents
	return p
}

// perCent is the number of base units (10^-4) in a cent.
const perCent = 100

// centsOf rounds a base to cents for display.
func centsOf(base int64) int64 {
	if base < 0 {
		return -centsOf(-base)
	}
	return (base + perCent/2) / perCent
}

func appendInt(b []byte, n int64) []byte { return strconv.AppendInt(b, n, 10) }
