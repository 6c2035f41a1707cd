package tax

import (
	"math/big"
	"slices"

	"levy/tax/money"
)

// round rounds one tax of the line, which some of its jurisdictions form, and hands
// it down to them. It is never more than is left of it.
func (t *taken) round(from, to int) {
	exact, limit := new(big.Rat), int64(0)
	for i := from; i < to; i++ {
		exact.Add(exact, t.parts[i].exact)
		limit += t.from.parts[i].tax
	}
	tax := money.Nearest(t.from.inUnits(exact)) * t.from.unit
	if t.rest {
		tax = limit
	}
	t.limited = t.limited || tax > limit
	tax = min(tax, limit)
	t.tax += tax
	t.spread(from, to, tax)
}

// inUnits is an amount of cents in the smallest unit of the currency.
func (f *refundable) inUnits(cents *big.Rat) *big.Rat {
	return new(big.Rat).Quo(cents, new(big.Rat).SetInt64(f.unit))
}

// spread divides a rounded tax among its jurisdictions, as for a sale. Each exact part is cut to the smallest unit. The
// missing units go to the largest remainders, but no jurisdiction gets more than its remaining tax.
func (t *taken) spread(from, to int, missing int64) {
	unit := t.from.unit
	remainders := make([]*big.Rat, len(t.parts))
	order := make([]int, 0, to-from)
	for i := from; i < to; i++ {
		p := &t.parts[i]
		p.tax = min(money.Whole(t.from.inUnits(p.exact))*unit, t.from.parts[i].tax)
		if t.rest {
			p.tax = t.from.parts[i].tax
		}
		missing -= p.tax
		remainders[i] = new(big.Rat).Sub(p.exact, new(big.Rat).SetInt64(p.tax))
		order = append(order, i)
	}
	slices.SortStableFunc(order, func(a, b int) int { return remainders[b].Cmp(remainders[a]) })
	for _, i := range order {
		if more := min(unit, missing, t.from.parts[i].tax-t.parts[i].tax); more > 0 {
			t.parts[i].tax += more
			t.parts[i].leftover = to-from > 1
			missing -= more
		}
	}
	for _, i := range order { // the amount that jurisdictions without remaining tax could not take
		more := min(missing, t.from.parts[i].tax-t.parts[i].tax)
		t.parts[i].tax += more
		missing -= more
	}
}
