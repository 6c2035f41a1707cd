package tax

import (
	"errors"
	"fmt"
	"math/big"
	"slices"

	"levy/tax/money"
)

// ErrNoNetPrice is wrapped when the law allows no net price for a price that includes tax. An example is a coat for
// 115.00 in New York City. Below 110.00 it is free of tax, and for 110.00 it costs 119.76 with its tax.
var ErrNoNetPrice = errors.New("no net price has this price with its tax")

// NoNetPriceError names the line of ErrNoNetPrice, from 0.
type NoNetPriceError struct{ Line int }

func (e *NoNetPriceError) Error() string { return fmt.Sprintf("line %d: %v", e.Line+1, ErrNoNetPrice) }

// Unwrap makes errors.Is find ErrNoNetPrice.
func (e *NoNetPriceError) Unwrap() error { return ErrNoNetPrice }

// included is the net price of a line whose price includes tax. Before rounding, net and tax add up to the price.
type included struct {
	price int64    // of the line after its discounts, with its sign
	net   *big.Rat // magnitude in cents, not rounded
	parts []includedPart
	base  *big.Rat // the largest base, in units of 10^-4
	// first and last are the whole cents between which the law has these parts.
	first, last int64
}

// includedPart is the base of one share as a function of the net price: base + slope x (net - at).
type includedPart struct {
	base      int64 // units of 10^-4, at that net price
	slope, at *big.Rat
}

// of returns the base at a net price in cents.
func (p *includedPart) of(net *big.Rat) *big.Rat {
	base := new(big.Rat).Sub(net, p.at)
	return base.Add(base.Mul(base, p.slope), new(big.Rat).SetInt64(p.base))
}

// assessPrices assesses all lines. Goods from abroad whose prices include tax may be above an import limit with the tax
// and below it without. The net prices decide.
func (k *calculation) assessPrices() error {
	if !k.req.PricesIncludeTax {
		return k.assessAll(func(w *work) error {
			k.assess(w)
			return nil
		})
	}
	last := len(k.reliefs) - 1
	if last < 0 || k.reliefs[last].exemption != ExemptionHighValue {
		return k.assessAll(k.assessGross)
	}
	over, read := k.reliefs[last], slices.Clone(k.lines)
	sure, early, doubted, unrated := k.sure, k.early, k.doubted, k.unrated
	k.reliefs = k.reliefs[:last]
	if err := k.assessAll(k.assessGross); err != nil {
		return err
	}
	if k.overImportLimit(k.req.Origin) == nil {
		return nil
	}
	copy(k.lines, read)
	k.sure, k.early, k.doubted, k.unrated = sure, early, doubted, unrated
	k.reliefs, k.shares = append(k.reliefs, over), k.shares[:0]
	return k.assessAll(k.assessGross)
}

// assessGross assesses a line whose price includes tax: it finds the net price first.
func (k *calculation) assessGross(w *work) error {
	price := w.item.cents
	if price == 0 {
		k.assess(w)
		return nil
	}
	found := k.solve(w, price)
	// guard: gross prices: no net price is a refusal
	if found == nil {
		return &NoNetPriceError{Line: k.lineOf(w)}
	}
	found.price = w.net
	k.reprice(w, found.shown())
	k.assess(w)
	shares := k.sharesOf(w)
	w.unrounded, found.base = money.Exact{}, new(big.Rat)
	for i := range shares {
		s, base := &shares[i], found.parts[i].of(found.net)
		if base.Cmp(found.base) > 0 {
			found.base = base
		}
		tax := new(big.Rat).Mul(base, big.NewRat(s.rate, nanoPerUnit))
		s.unrounded = money.ExactOf(tax.Quo(tax, big.NewRat(perCent, 1)), sign(w.net))
		w.unrounded = w.unrounded.Plus(s.unrounded)
	}
	w.included = found
	return nil
}

const nanoPerUnit = 1_000_000_000

// sign is -1 for a negative number, else 1.
func sign(n int64) int64 {
	if n < 0 {
		return -1
	}
	return 1
}

// lineOf returns the index of a line.
func (k *calculation) lineOf(w *work) int {
	for i := range k.lines {
		if &k.lines[i] == w {
			return i
		}
	}
	return -1
}

// shown is the net price in whole cents at which the law of the line is read, on the same piece of the law.
func (i *included) shown() int64 { return min(max(money.Nearest(i.net), i.first), i.last) }

// settleGross makes the net prices of what the rounded tax leaves, so that net and tax come to the price to the cent.
// The bases follow.
func (k *calculation) settleGross() {
	for n := range k.lines {
		w := &k.lines[n]
		if w.included == nil {
			continue
		}
		w.net = w.included.price - w.tax
		w.paid -= w.tax
		net := new(big.Rat).SetInt64(int64(money.Magnitude(w.net)))
		w.base = 0
		shares := k.sharesOf(w)
		for i := range shares {
			s := &shares[i]
			s.base = money.Nearest(w.included.parts[i].of(net))
			w.base = max(w.base, s.base)
			s.base *= sign(w.net)
		}
		w.base *= sign(w.net)
	}
}

// rateOf returns the tax of a line before rounding by its base before rounding, in units of 10^-9.
func (w *work) rateOf() int64 {
	if w.included == nil {
		return w.unrounded.PerBase(w.base)
	}
	return perBase(w.unrounded, w.included.base)
}

// exactBase is the base of a line with its sign before its net price is rounded, in units of 10^-4.
func (w *work) exactBase() *big.Rat {
	if w.included == nil {
		return new(big.Rat).SetInt64(w.base)
	}
	return new(big.Rat).Mul(w.included.base, new(big.Rat).SetInt64(sign(w.net)))
}

// perBase is PerBase for a base that is no whole number of units.
func perBase(tax money.Exact, base *big.Rat) int64 {
	if base.Sign() == 0 {
		return 0
	}
	rate := new(big.Rat).Quo(tax.InCents(), new(big.Rat).Abs(base))
	rate.Mul(rate, big.NewRat(perCent*nanoPerUnit, 1))
	if rate.Cmp(big.NewRat(1000*nanoPerUnit, 1)) >= 0 {
		return 0
	}
	return money.Nearest(rate)
}

// rateOfGross returns the tax of the whole document by its bases, before rounding.
func (k *calculation) rateOfGross(unrounded money.Exact) int64 {
	base := new(big.Rat)
	for i := range k.lines {
		base.Add(base, k.lines[i].exactBase())
	}
	if (base.Sign() < 0) != unrounded.IsNeg() {
		return 0
	}
	return perBase(unrounded, base)
}
