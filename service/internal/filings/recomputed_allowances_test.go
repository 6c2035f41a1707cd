package filings

import (
	"math/big"
	"slices"
)

// discount is what a state leaves to sellers that file in time.
type discount struct {
	tiers      [][5]*big.Rat // from, to, rate, minimum, cap; to, minimum and cap may be 0 for none
	marginal   bool
	monthlyCap bool
	stateAlone bool
	months     int64
}

// of is the discount of a tax on a line.
func (d *discount) of(c *cell, tax *big.Rat) *big.Rat {
	sum := new(big.Rat)
	if d == nil || tax.Sign() <= 0 {
		return sum
	}
	var last [5]*big.Rat
	for _, tier := range d.tiers {
		if tax.Cmp(tier[0]) <= 0 {
			continue
		}
		last = tier
		upTo := tax
		if tier[1].Sign() > 0 {
			upTo = smaller(tax, tier[1])
		}
		sum.Add(sum, product(differenceOf(upTo, tier[0]), tier[2]))
	}
	if !d.marginal {
		sum = product(tax, last[2])
	}
	sum = c.rounded(sum)
	sum = larger(sum, smaller(last[3], tax))
	if last[4].Sign() == 0 {
		return sum
	}
	most := last[4]
	if d.monthlyCap {
		most = product(most, new(big.Rat).SetInt64(d.months))
	}
	return smaller(sum, most)
}

func (d *discount) flat() bool {
	return d != nil && len(d.tiers) == 1 && d.tiers[0][3].Sign() == 0 && d.tiers[0][4].Sign() == 0
}

// allowance is the discount of some lines. Lines after "of" share it. An amount that a person has entered in the filing wins.
func (r *recomputation) allowance(c *cell) *big.Rat {
	lines, together := c.args, c.args
	at := slices.Index(c.args, "of")
	if at >= 0 {
		lines, together = c.args[:at], c.args[at+1:]
	}
	whole := r.total(c, together...)
	offered := r.discount.of(c, whole)
	if r.discount.flat() && len(together) > 1 && whole.Sign() >= 0 {
		offered = new(big.Rat)
		for _, line := range together {
			offered.Add(offered, r.discount.of(c, r.total(c, line)))
		}
	}
	taken := number(r.filing["discounts"])
	own := taken.Sign() == 0 || taken.Cmp(offered) == 0
	if own {
		taken = offered
	}
	switch {
	case at < 0:
		return taken
	case own && r.discount.flat() && offered.Sign() != 0:
		return r.discount.of(c, r.total(c, lines[0]))
	case whole.Sign() == 0:
		return new(big.Rat)
	}
	n := slices.Index(together, lines[0])
	until := func(n int) *big.Rat {
		return inCents(new(big.Rat).Quo(product(taken, r.total(c, together[:n]...)), whole))
	}
	return differenceOf(until(n+1), until(n))
}
