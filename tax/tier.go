package tax

import (
	"levy/tax/calendar"
	"levy/tax/content"
	"levy/tax/money"
)

// tier is a rate of a local government for the part of the price of an item above an amount.
type tier struct {
	calendar.Span
	classes    [numClasses]bool
	above      int64 // cents
	nano       int64
	confidence level
	source     ExplainedSource
}

// tiersOfArizona is the least price of an item, in cents, that a city of Arizona is known to tax at two rates. The tiers of
// most cities are not in the content. Source: tax rate tables of the Arizona Department of Revenue, "Retail Sales (Single
// Item Portion over ...)".
const tiersOfArizona = 5_000_00

func (b *builder) addTiers(rows []content.TierRow) {
	for _, row := range rows {
		j, known := b.c.byID[row.JurisdictionID]
		if !known || b.c.jurisdictions[j].order <= orderState {
			b.fault(row.At, "no local government %q", row.JurisdictionID)
			continue
		}
		t := tier{
			Span: calendar.Span{From: row.From, To: row.To}, classes: b.classSet(row.At, row.Classes),
			above: b.dollars(row.At, row.Above), nano: b.fraction(row.At, row.Rate),
			confidence: levelOf(Confidence(row.Confidence)),
		}
		b.checkSpan(row.At, t.Span)
		if t.above == 0 {
			b.fault(row.At, "no amount")
		}
		t.source = cite(row.Source, "", t.Span)
		jur := &b.c.jurisdictions[j]
		for _, other := range jur.tiers {
			b.checkApart(row.At, t.Span, other.Span)
		}
		jur.tiers = append(jur.tiers, t)
	}
}

// tierOn finds the tier of a jurisdiction for a class on a day; nil for none.
func (j *jurisdiction) tierOn(class classKey, day calendar.Date) *tier {
	for i := range j.tiers {
		if t := &j.tiers[i]; t.Holds(day) && t.classes[class] {
			return t
		}
	}
	return nil
}

// addTier divides the last share of a line where the part above an amount has a rate of its own. A rate that the seller
// set, or one of the class, is for the whole price.
func (k *calculation) addTier(w *work, jur *jurisdiction, of *rate) {
	s := &k.shares[len(k.shares)-1]
	t := jur.tierOn(w.class, k.req.TaxDate)
	if t == nil || s.exempt || of.ofClass() || of.override {
		return
	}
	limit := k.upTo(w, k.limit(t.above, dollars)) * perCent
	if s.base <= limit {
		return
	}
	over := *s
	// guard: tiers: the part above the amount has the rate of its own
	over.base, over.rate, over.ruleID, over.source = s.base-limit, t.nano, jur.rulePart+"above", &t.source
	over.baseRule = "EXCESS_OVER_" + string(money.AppendCents(nil, t.above)) + "_PER_ITEM"
	s.base, s.baseRule = limit, "FIRST_"+string(money.AppendCents(nil, t.above))+"_PER_ITEM"
	k.sure = max(k.sure, t.confidence)
	k.add(over)
}

// mayHaveTiers reports whether a city of Arizona takes all of the price of a costly item. A lower rate for a part of it is
// not in the content.
func (k *calculation) mayHaveTiers(w *work) bool {
	if !goods[w.class] || w.item.compare(k.limit(tiersOfArizona, dollars)) <= 0 {
		return false
	}
	shares := k.sharesOf(w)
	for i := range shares {
		s := &shares[i]
		jur := &k.c.jurisdictions[s.jurisdiction]
		if jur.Type == TypeCity && !s.exempt && s.rate != 0 && jur.tierOn(w.class, k.req.TaxDate) == nil {
			return true
		}
	}
	return false
}
