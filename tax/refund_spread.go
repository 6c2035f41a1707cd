package tax

import (
	"math"
	"math/big"
	"slices"
)

// spread hands the tax of a line down to its jurisdictions: each exact part is cut
// to cents and the missing cents go to the largest remainders, as for a sale, but
// to no jurisdiction more than it has left.
func (t *taken) spread(unit RoundingUnit) {
	missing := t.tax
	remainders := make([]*big.Rat, len(t.parts))
	for i := range t.parts {
		p, left := &t.parts[i], t.from.parts[i].tax
		switch {
		case t.rest:
			p.tax = left
		case unit == JurisdictionPerLine && t.counts > 0:
			p.tax = min(nearest(p.exact), left)
		default:
			p.tax = min(whole(p.exact), left)
		}
		missing -= p.tax
		remainders[i] = new(big.Rat).Sub(p.exact, new(big.Rat).SetInt64(p.tax))
	}
	if missing == 0 {
		return
	}
	order := make([]int, len(t.parts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return remainders[b].Cmp(remainders[a]) })
	for _, i := range order {
		if missing > 0 && t.parts[i].tax < t.from.parts[i].tax {
			t.parts[i].tax++
			t.parts[i].leftover = true
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
