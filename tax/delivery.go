package tax

import (
	"math/bits"
	"slices"

	"levy/tax/money"
)

// deliveryOf returns the part of the delivery charges that belongs to the price of a line, in cents, rounded up. It is
// 0 where delivery is certainly no part of the price. Charges for several lines are divided by price. alone reports
// that a single item is delivered.
func (k *calculation) deliveryOf(w *work) (cents int64, alone bool) {
	if k.state == nil || !goods[w.class] || w.item.cents == 0 {
		return 0, false
	}
	if t := k.state.taxabilityOn(keyShipping, k.req.TaxDate); t == nil || t.treatment == treatExempt && !t.conditional {
		return 0, false
	}
	charges, with := k.totals.charges, k.totals.goods[sideOf(w.net)]
	if charges == 0 || (charges < 0) != (w.net < 0) {
		return 0, false
	}
	sum := with.cents
	hi, lo := bits.Mul64(uint64(max(charges, -charges)), uint64(w.item.cents))
	lo, carry := bits.Add64(lo, uint64(sum-1), 0)
	part, _ := bits.Div64(hi+carry, lo, uint64(sum)) // at most the charges
	return int64(part), with.lines == 1 && w.item.quantity == 1 && w.item.scale == 0
}

// totals are sums over the lines of a sale that rules about one line ask for, apart for what is sold and what comes back.
type totals struct {
	charges int64 // for delivery, of both sides together, in cents
	goods   [2]struct {
		lines int // that cost something
		cents int64
	}
	all [2]int64 // cents
	// within is what allWithin found for a holiday: every item asks for it.
	holiday *holiday
	within  bool
}

// sideOf is the place in totals of an amount: 1 of what comes back.
func sideOf(cents int64) int {
	if cents < 0 {
		return 1
	}
	return 0
}

// addUp makes the totals of the lines.
func (k *calculation) addUp() {
	k.totals = totals{}
	for i := range k.lines {
		w := &k.lines[i]
		side := sideOf(w.net)
		k.totals.all[side] += w.item.cents
		switch {
		case w.class.charge():
			k.totals.charges += w.net
		case goods[w.class] && w.net != 0:
			k.totals.goods[side].lines++
			k.totals.goods[side].cents += w.item.cents
		}
	}
}

// doubtDelivery notes an item that passes a price threshold only with its delivery, because the content does not say
// whether delivery counts. over is 0 if a price equal to the threshold is already outside, else 1.
func (k *calculation) doubtDelivery(w *work, t *taxability, over int) {
	limit := k.limit(t.threshold, dollars)
	if w.item.compare(limit) >= over {
		return
	}
	if delivery, _ := k.deliveryOf(w); delivery > 0 && w.item.costing(w.item.cents+delivery).compare(limit) >= over {
		w.doubt = "whether delivery counts for the limit of " + string(money.AppendCents(nil, t.threshold)) + " USD an item is " +
			"not in the content; it was taken not to count, and with its delivery the item is above the limit"
	}
}

// freeAnyway reports whether a charge is free of tax, whatever a conditional rule depends on. That is so if it costs
// nothing, or if the rule and all delivered lines are free.
func (k *calculation) freeAnyway(w *work, t *taxability) bool {
	if !w.class.charge() || !t.conditional || w.net != 0 && t.treatment != treatExempt {
		return false
	}
	if w.net == 0 {
		return true
	}
	delivered := k.delivered(w)
	return len(delivered) > 0 && !slices.ContainsFunc(delivered, func(d *work) bool {
		return !d.exempt || d.conditional || d.localsVary
	})
}

// ruled returns the line whose class decides whether a rule with an amount per item covers a line. An article is the
// line itself. For a charge that is a part of the price of one article, it is that article. It is nil for a charge that
// delivers several lines.
func (k *calculation) ruled(w *work) *work {
	switch {
	case !w.class.charge() || w.law == nil || w.law.treatment != treatFollowsItems:
		return w
	case len(w.delivered) == 1:
		return w.delivered[0]
	}
	return nil
}

// covers reports whether a rule of the state covers a line.
func (k *calculation) covers(r *localRule, w *work) bool {
	ruled := k.ruled(w)
	return ruled != nil && r.covers(ruled.class, k.req.TaxDate) || r.covers(w.class, k.req.TaxDate)
}

// upTo is what of a line lies at or below a limit per item, in cents. A charge is what it adds to its article and the
// charges before it.
func (k *calculation) upTo(w *work, limit bound) int64 {
	article := k.ruled(w)
	if article == w || article == nil {
		return w.item.capped(limit)
	}
	price, sign := k.priceBefore(article, w), sign(article.net)
	before := article.item.costing(max(sign*price, 0)).capped(limit)
	after := article.item.costing(max(sign*(price+w.net), 0)).capped(limit)
	return max(after-before, before-after)
}

// priceBefore is the price of an article with the charges before a charge.
func (k *calculation) priceBefore(article, charge *work) int64 {
	price := article.net
	for i := range k.lines {
		other := &k.lines[i]
		if other == charge {
			break
		}
		if other.class.charge() && other.law != nil {
			price += other.net
		}
	}
	return price
}

// noteArticles marks a charge for several lines if the price of an item of one of them passes a limit with the charge.
// The law does not say how the charge is divided among them.
func (k *calculation) noteArticles(w *work, r *localRule) {
	if k.ruled(w) != nil {
		return
	}
	for _, d := range w.delivered {
		if r.covers(d.class, k.req.TaxDate) &&
			d.item.costing(d.item.cents+w.item.cents).compare(k.limit(r.amount, dollars)) > 0 {
			w.mixed, k.sure = true, max(k.sure, levelMedium)
		}
	}
}

// limitsArticle reports whether a tax takes only a part of an article because of a rule that looks at the charge for its
// delivery, too.
func (k *calculation) limitsArticle(s *share) bool {
	if k.state == nil {
		return false
	}
	for i := range k.state.rules {
		if r := &k.state.rules[i]; (r.kind == ruleLocalBaseCap || r.kind == ruleStateBand) && s.source == &r.source {
			return true
		}
	}
	return false
}
