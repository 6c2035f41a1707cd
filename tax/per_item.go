package tax

import (
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

// compare orders the price of one item and a limit in cents.
func (p perItem) compare(limit int64) int {
	hi, lo := bits.Mul64(uint64(p.cents), money.Pow10(p.scale))
	limitHi, limitLo := bits.Mul64(uint64(limit), p.quantity)
	switch {
	case hi == limitHi && lo == limitLo:
		return 0
	case hi < limitHi || hi == limitHi && lo < limitLo:
		return -1
	}
	return 1
}

// capped is what of the line lies at or below a limit per item, in cents.
// Broken quantities of an item are rounded to the cent.
func (p perItem) capped(limit int64) int64 {
	if p.compare(limit) <= 0 {
		return p.cents
	}
	hi, lo := bits.Mul64(uint64(limit), p.quantity)
	q, _ := money.DivHalfAway(hi, lo, money.Pow10(p.scale)) // fits: it is at most the line
	return int64(q)
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
