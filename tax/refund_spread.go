package tax

import (
	"math"
	"math/big"
	"slices"

	"github.com/govalues/decimal"
)

// round rounds one tax of the line, which some of its jurisdictions form, and hands
// it down to them. It is never more than is left of it.
func (t *taken) round(unit RoundingUnit, from, to int, carried map[string]*big.Rat) {
	exact, limit := new(big.Rat), int64(0)
	for i := from; i < to; i++ {
		exact.Add(exact, t.parts[i].exact)
		limit += t.from.parts[i].tax
	}
	tax := nearest(exact)
	if unit == TaxPerDocument && t.amount > 0 && !t.rest && from < to {
		over, sign := carried[t.taxName(from, to)], new(big.Rat).SetInt64(t.from.sign)
		if over == nil {
			over = new(big.Rat)
			carried[t.taxName(from, to)] = over
		}
		over.Add(over, exact.Mul(exact, sign))
		tax = nearest(new(big.Rat).Mul(over, sign))
		over.Sub(over, new(big.Rat).SetInt64(tax*t.from.sign))
	}
	if t.rest {
		tax = limit
	}
	t.limited = t.limited || tax > limit
	tax = min(tax, limit)
	t.tax += tax
	t.spread(from, to, tax)
}

// taxName tells a tax of the document from the others: alone it has its rule.
func (t *taken) taxName(from, to int) string {
	if to-from == 1 {
		return t.from.item.Lines[from].RuleID
	}
	return ""
}

// spread hands a rounded tax down to its jurisdictions: each exact part is cut to
// cents and the missing cents go to the largest remainders, as for a sale, but to
// no jurisdiction more than it has left.
func (t *taken) spread(from, to int, missing int64) {
	remainders := make([]*big.Rat, len(t.parts))
	order := make([]int, 0, to-from)
	for i := from; i < to; i++ {
		p := &t.parts[i]
		p.tax = min(whole(p.exact), t.from.parts[i].tax)
		if t.rest {
			p.tax = t.from.parts[i].tax
		}
		missing -= p.tax
		remainders[i] = new(big.Rat).Sub(p.exact, new(big.Rat).SetInt64(p.tax))
		order = append(order, i)
	}
	slices.SortStableFunc(order, func(a, b int) int { return remainders[b].Cmp(remainders[a]) })
	for _, i := range order {
		if missing > 0 && t.parts[i].tax < t.from.parts[i].tax {
			t.parts[i].tax++
			t.parts[i].leftover = to-from > 1
			missing--
		}
	}
	for _, i := range order { // what a jurisdiction without anything left could not take
		more := min(missing, t.from.parts[i].tax-t.parts[i].tax)
		t.parts[i].tax += more
		missing -= more
	}
}

// nearest rounds an amount that is not negative to a whole number, halves up.
func nearest(r *big.Rat) int64 {
	return whole(new(big.Rat).Add(r, big.NewRat(1, 2)))
}

// whole is the whole part of an amount that is not negative.
func whole(r *big.Rat) int64 {
	return max(0, new(big.Int).Quo(r.Num(), r.Denom()).Int64())
}

// inCents is the magnitude of the amount as an exact number of cents.
func (e Exact) inCents() *big.Rat {
	units := new(big.Int).Lsh(new(big.Int).SetUint64(e.hi), 64)
	units.Or(units, new(big.Int).SetUint64(e.lo))
	return new(big.Rat).SetFrac(units, big.NewInt(exactPerCent))
}

// exactOf is an amount in cents, cut to the decimals that an Exact has.
func exactOf(cents *big.Rat, sign int64) Exact {
	units := new(big.Rat).Mul(cents, new(big.Rat).SetInt64(exactPerCent))
	n := new(big.Int).Quo(units.Num(), units.Denom())
	e := Exact{neg: sign < 0, lo: new(big.Int).And(n, new(big.Int).SetUint64(math.MaxUint64)).Uint64()}
	e.hi = n.Rsh(n, 64).Uint64()
	return e.normal()
}

// rateOf is tax per base as a rate in units of 10^-9; zero without a base, or when
// there is no such rate below 1000.
func rateOf(tax *big.Rat, base int64) int64 {
	if base == 0 {
		return 0
	}
	rate := new(big.Rat).Quo(tax, new(big.Rat).SetInt64(base))
	if rate.Cmp(new(big.Rat).SetInt64(1000)) >= 0 {
		return 0
	}
	return nearest(rate.Mul(rate, new(big.Rat).SetInt64(1_000_000_000)))
}

// ShareBetween is the part of an amount that belongs to the stretch of a whole from
// one point to another, in cents: stretches that follow on each other add up to the
// part of all of them. Errors: ErrOverflow, ErrPrecision.
func ShareBetween(amount, from, to, whole decimal.Decimal) (decimal.Decimal, error) {
	var cents [4]int64
	for i, d := range []decimal.Decimal{amount, from, to, whole} {
		var err error
		if cents[i], err = toScaled(d, moneyScale); err != nil {
			return decimal.Decimal{}, err
		}
	}
	if cents[3] == 0 {
		return fromCents(0), nil
	}
	upTo := func(point int64) int64 {
		exact := new(big.Rat).SetFrac(new(big.Int).Mul(big.NewInt(cents[0]), big.NewInt(point)), big.NewInt(cents[3]))
		if exact.Sign() < 0 {
			return -nearest(exact.Neg(exact))
		}
		return nearest(exact)
	}
	return fromCents(upTo(cents[2]) - upTo(cents[1])), nil
}
