package tax

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"github.com/govalues/decimal"

	"levy/tax/money"
)

// CouponPart is what a coupon line takes off another line. From and To are positions of lines, Amount is positive.
type CouponPart struct {
	From, To int
	Amount   decimal.Decimal
}

// SpreadCoupons returns what the coupon lines of a sale take off its other lines. A coupon line is a negative line
// beside a positive one. It lowers the lines of its product, then those of its class, then all lines, until nothing is
// left of it. Within each group it is shared by what line discounts leave, cents by largest remainder. No line falls
// below zero. The result is nil without lines of both signs. unit is the smallest of the currency in cents: a yen is not
// divided.
//
// Errors: ErrPrecision, ErrOverflow.
func SpreadCoupons(lines []Line, unit int64) ([]CouponPart, error) {
	if !hasCoupons(lines) {
		return nil, nil
	}
	s := make([]spreadLine, len(lines))
	for i := range lines {
		if err := s[i].read(&lines[i]); err != nil {
			return nil, err
		}
	}
	parts := []CouponPart{}
	spreadCoupons(s, unit, func(from, to int, cents int64) {
		parts = append(parts, CouponPart{from, to, money.FromCents(cents)})
	})
	return parts, nil
}

// hasCoupons reports whether some lines are negative and some positive.
func hasCoupons(lines []Line) bool {
	return slices.ContainsFunc(lines, func(l Line) bool { return l.Amount.IsNeg() }) &&
		slices.ContainsFunc(lines, func(l Line) bool { return l.Amount.IsPos() })
}

// spreadLine is a line as coupons see it, in cents.
type spreadLine struct {
	product string
	class   classKey
	coupon  int64 // rest of a coupon line to be spread; 0 of another line
	weight  int64 // amount after line discounts
	room    int64 // amount that coupons can still take off
}

func (s *spreadLine) read(l *Line) error {
	amount, err := money.Cents(l.Amount)
	if err != nil {
		return err
	}
	discount, err := money.Cents(l.Discount)
	if err != nil {
		return err
	}
	shared, err := money.Cents(l.terms().Shared)
	if err != nil {
		return err
	}
	class, _ := l.Class.key()
	*s = spreadLine{product: strings.TrimSpace(l.ExternalProductID), class: class}
	if amount < 0 {
		s.coupon = -amount
		return nil
	}
	s.weight = max(0, amount-discount+shared)
	s.room = max(0, min(s.weight, amount-discount))
	return nil
}

// spreadCoupons takes the coupons off the other lines, and tells took each part. Coupons of a product come first, so
// that others do not take its room.
func spreadCoupons(lines []spreadLine, unit int64, took func(from, to int, cents int64)) {
	if unit > 1 && !inUnits(lines, unit) {
		unit = 1
	}
	for _, suits := range []func(coupon, other *spreadLine) bool{
		func(coupon, other *spreadLine) bool { return coupon.product != "" && coupon.product == other.product },
		func(coupon, other *spreadLine) bool {
			return coupon.class.saysWhatIsMeant() && coupon.class == other.class
		},
		func(_, _ *spreadLine) bool { return true },
	} {
		for from := range lines {
			coupon := &lines[from]
			if coupon.coupon == 0 {
				continue
			}
			var group []int
			for i := range lines {
				if lines[i].room > 0 && suits(coupon, &lines[i]) {
					group = append(group, i)
				}
			}
			coupon.takeOff(lines, group, unit, func(to int, cents int64) { took(from, to, cents) })
		}
	}
}

// inUnits reports whether all amounts are whole units of so many cents. Amounts with parts of a unit are spread in cents.
func inUnits(lines []spreadLine, unit int64) bool {
	for i := range lines {
		if l := &lines[i]; l.coupon%unit != 0 || l.weight%unit != 0 || l.room%unit != 0 {
			return false
		}
	}
	return true
}

// saysWhatIsMeant reports whether a coupon of the class is meant for goods of this class. Coupons without a class of
// their own are mostly goods in general, or not taxable.
func (k classKey) saysWhatIsMeant() bool {
	return k != keyPhysical && k != keyNotTaxable && k != keyAny
}

// takeOff takes as much of the coupon off a group of lines as they have room for. A line that is used up leaves its
// share to the others.
func (s *spreadLine) takeOff(lines []spreadLine, group []int, unit int64, took func(to int, cents int64)) {
	taken, open := make([]int64, len(group)), make([]int, len(group))
	for n := range open {
		open[n] = n
	}
	for s.coupon > 0 && len(open) > 0 {
		parts := shareCents(s.coupon, unit, lines, group, open)
		left := open[:0]
		for m, n := range open {
			line := &lines[group[n]]
			part := min(parts[m], line.room)
			line.room -= part
			s.coupon -= part
			if taken[n] += part; line.room > 0 {
				left = append(left, n)
			}
		}
		open = left
	}
	for n, cents := range taken {
		if cents > 0 {
			took(group[n], cents)
		}
	}
}

// shareCents shares cents among the open lines of a group by their weights, in whole units. Missing units go to the
// largest remainders, earlier lines first.
func shareCents(cents, unit int64, lines []spreadLine, group, open []int) []int64 {
	cents /= unit
	sum := uint64(0)
	for _, n := range open {
		sum += uint64(lines[group[n]].weight)
	}
	parts, remainders, order := make([]int64, len(open)), make([]uint64, len(open)), make([]int, len(open))
	missing := cents
	for m, n := range open {
		hi, lo := bits.Mul64(uint64(cents), uint64(lines[group[n]].weight))
		part, remainder := bits.Div64(hi, lo, sum) // at most cents, because no weight is above the sum
		parts[m], remainders[m], order[m] = int64(part), remainder, m
		missing -= parts[m]
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(remainders[b], remainders[a]) })
	for _, m := range order[:missing] {
		parts[m]++
	}
	for m := range parts {
		parts[m] *= unit
	}
	return parts
}
