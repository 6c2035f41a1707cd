package tax

import (
	"math/big"
	"slices"

	"levy/tax/money"
)

// The tax of a line before rounding is a piecewise linear function of its net price. Rates, caps, bands and limits per
// item change it only at certain prices, its turns. Two calculations give the function between two turns, and one
// division the net price whose sum with its tax is the price.

// probed is the law of a line at a net price.
type probed struct {
	cents int64
	tax   *big.Rat // before rounding, in cents
	bases []int64  // of the shares, without sign
	work  work     // the line after the law was applied
}

// probe applies the law of a line at a net price of whole cents, and leaves no other trace of it.
func (k *calculation) probe(w *work, cents int64) probed {
	line, sums, shares := *w, k.totals, len(k.shares)
	sure, early, doubted, unrated := k.sure, k.early, k.doubted, k.unrated
	k.reprice(w, cents)
	k.assess(w)
	p := probed{cents: cents, tax: w.unrounded.InCents(), work: *w}
	for _, s := range k.sharesOf(w) {
		p.bases = append(p.bases, int64(money.Magnitude(s.base)))
	}
	*w, k.totals, k.shares = line, sums, k.shares[:shares]
	k.sure, k.early, k.doubted, k.unrated = sure, early, doubted, unrated
	return p
}

// reprice gives a line a net price, without sign, also in the sums over the lines.
func (k *calculation) reprice(w *work, cents int64) {
	side, more := sideOf(w.net), cents-w.item.cents
	k.totals.all[side] += more
	switch {
	case w.class.charge():
		k.totals.charges += more * sign(w.net)
	case goods[w.class]:
		k.totals.goods[side].cents += more
	}
	k.totals.holiday = nil
	w.net, w.item.cents = sign(w.net)*cents, cents
}

// solve returns the smallest net price of a line whose sum with its tax is the price; nil for none.
func (k *calculation) solve(w *work, price int64) *included {
	turns := k.turns(w, price)
	from, most := new(big.Rat), new(big.Rat).SetInt64(price)
	for i := 0; i <= len(turns); i++ {
		var to *big.Rat
		if i < len(turns) {
			to = turns[i]
		}
		if found := k.solveBetween(w, price, from, to); found != nil || to == nil || to.Cmp(most) > 0 {
			return found
		}
		if to.IsInt() {
			if found := k.solveAt(w, price, to.Num().Int64()); found != nil {
				return found
			}
		}
		from = to
	}
	return nil
}

// solveBetween looks for a net price between two turns. to is nil after the last one.
func (k *calculation) solveBetween(w *work, price int64, from, to *big.Rat) *included {
	first := money.Whole(from) + 1
	last := first + price
	if to != nil {
		last = -money.Floor(new(big.Rat).Neg(to)) - 1
	}
	if first > last {
		return nil
	}
	if first == last { // a single price: no slope is known
		return k.solveAt(w, price, first)
	}
	a, b := k.probe(w, first), k.probe(w, last)
	if len(a.bases) != len(b.bases) {
		return nil
	}
	run := new(big.Rat).SetInt64(last - first)
	found := &included{first: first, last: last, parts: make([]includedPart, len(a.bases))}
	at := new(big.Rat).SetInt64(first)
	for i := range found.parts {
		rise := new(big.Rat).SetInt64(b.bases[i] - a.bases[i])
		found.parts[i] = includedPart{base: a.bases[i], slope: rise.Quo(rise, run), at: at}
	}
	slope := new(big.Rat).Sub(b.tax, a.tax)
	slope.Quo(slope, run).Add(slope, big.NewRat(1, 1))
	net := new(big.Rat).SetInt64(price - first)
	net.Sub(net, a.tax).Quo(net, slope).Add(net, at)
	if net.Cmp(from) <= 0 || to != nil && net.Cmp(to) >= 0 {
		return nil
	}
	found.net = net
	return found
}

// solveAt tries one net price in whole cents.
func (k *calculation) solveAt(w *work, price, net int64) *included {
	if net < 1 || net > price {
		return nil
	}
	p := k.probe(w, net)
	at := new(big.Rat).SetInt64(net)
	if new(big.Rat).Add(at, p.tax).Cmp(new(big.Rat).SetInt64(price)) != 0 {
		return nil
	}
	found := &included{net: at, first: net, last: net, parts: make([]includedPart, len(p.bases))}
	for i, base := range p.bases {
		slope := new(big.Rat).Quo(new(big.Rat).SetInt64(base), at)
		found.parts[i] = includedPart{base: base, slope: slope, at: at}
	}
	return found
}

// turns lists the net prices at which the law of a line changes, in their order.
func (k *calculation) turns(w *work, price int64) (turns []*big.Rat) {
	currency := dollars
	add := func(cents int64, of perItem, before int64) {
		if cents <= 0 {
			return
		}
		turn := of.upToLimit(k.boundOf(cents, currency))
		turn.Sub(turn, new(big.Rat).SetInt64(before))
		if turn.Sign() > 0 {
			turns = append(turns, turn)
		}
	}
	day := k.req.TaxDate
	if k.state == nil {
		for i := range k.levies {
			if r := k.classRuleOf(&k.levies[i], w); r != nil && r.upTo != 0 {
				currency = r.currency
				add(r.upTo, w.item, 0)
			}
		}
		return turns
	}
	for class := w.class; class != keyAny; class = classParents[class] {
		for i := range k.state.taxability[class] {
			if t := &k.state.taxability[class][i]; t.Holds(day) && t.mode != thresholdNone {
				add(t.threshold, w.item, 0)
			}
		}
	}
	for i := range k.state.holidays {
		if h := &k.state.holidays[i]; h.Holds(day) && h.classes[w.class] {
			add(h.max, w.item, 0)
			add(h.max, w.item, int64(money.Magnitude(k.totals.charges)))
		}
	}
	article, before := w, int64(0)
	if w.class.charge() {
		article, before = k.articleOf(w, price)
	}
	for i := range k.state.rules {
		if r := &k.state.rules[i]; r.Holds(day) {
			add(r.amount, article.item, before)
			add(r.amountTo, article.item, before)
		}
	}
	for _, j := range k.set {
		if t := k.c.jurisdictions[j].tierOn(w.class, day); t != nil {
			add(t.above, article.item, before)
		}
	}
	slices.SortFunc(turns, (*big.Rat).Cmp)
	return slices.CompactFunc(turns, func(a, b *big.Rat) bool { return a.Cmp(b) == 0 })
}

// articleOf returns the article to whose price a charge is added for limits per item, and that price before the charge.
// It is the charge itself for none.
func (k *calculation) articleOf(w *work, price int64) (article *work, before int64) {
	applied := k.probe(w, price).work
	article = k.ruled(&applied)
	if article == nil || article == &applied {
		return w, 0
	}
	return article, max(0, sign(article.net)*k.priceBefore(article, w))
}

// boundOf is a limit of the law for the currency of the sale, without a note that there is no rate.
func (k *calculation) boundOf(cents int64, currency string) bound {
	b, _ := k.converted(cents, currency)
	return b
}

// upToLimit is what so many items cost at a limit per item, in cents.
func (p perItem) upToLimit(limit bound) *big.Rat {
	cost := new(big.Rat).SetFrac(
		product(uint64(limit.cents), p.quantity, one), product(limit.rate, money.Pow10(p.scale)),
	)
	return cost
}
