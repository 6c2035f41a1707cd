package tax

import (
	"levy/tax/calendar"
	"levy/tax/content"
	"levy/tax/nexus"
)

// reductionKind says what reduces the price of a line, where laws differ about it.
type reductionKind uint8

// The kinds of reductions that laws treat apart.
const (
	manufacturersDiscount reductionKind = iota // a discount that the manufacturer reimburses to the seller
	thirdPartyDiscount                         // one that another third party reimburses
	tradeIn                                    // goods that the buyer gives in part payment
	numReductions
)

var reductionKinds = map[string]reductionKind{
	"MANUFACTURER": manufacturersDiscount, "THIRD_PARTY": thirdPartyDiscount, "TRADE_IN": tradeIn,
}

// reductionNouns name the kinds inside a sentence.
var reductionNouns = [numReductions]string{
	"a discount that the manufacturer reimburses", "a discount that a third party reimburses", "a trade-in",
}

// reductions are amounts of a line by kind, in cents.
type reductions [numReductions]int64

// discountLaw says whether a reduction of the price lowers the base of a tax.
type discountLaw struct {
	calendar.Span
	authority Authority
	kind      reductionKind
	lowers    bool
	source    string
}

func (b *builder) addDiscountLaws(rows []content.DiscountLawRow) {
	for _, row := range rows {
		kind, known := reductionKinds[row.Kind]
		_, state := b.c.byID[row.Country+"-"+row.State]
		switch _, country := b.c.countries[row.Country]; {
		case !country && row.Country != union:
			b.fault(row.At, "unknown country %q", row.Country)
		case row.State != "" && !state:
			b.fault(row.At, "unknown state %q", row.State)
		case !known:
			b.fault(row.At, "kind %q", row.Kind)
		case row.Source == "":
			b.fault(row.At, "no source")
		}
		law := discountLaw{
			calendar.Span{From: row.From, To: row.To}, Authority{row.Country, row.State}, kind, row.Lowers, row.Source,
		}
		for i := range b.c.discountLaws {
			if l := &b.c.discountLaws[i]; l.authority == law.authority && l.kind == kind {
				b.checkApart(row.At, l.Span, law.Span)
			}
		}
		b.checkSpan(row.At, law.Span)
		b.c.discountLaws = append(b.c.discountLaws, law)
	}
}

// discountLawOf returns the law of an authority about a kind of reduction on the tax date; nil if the content has none.
func (k *calculation) discountLawOf(of Authority, kind reductionKind) *discountLaw {
	for i := range k.c.discountLaws {
		if l := &k.c.discountLaws[i]; l.kind == kind && l.Holds(k.req.TaxDate) && l.isOf(of, k.req.TaxDate) {
			return l
		}
	}
	return nil
}

// isOf reports whether a law is that of an authority. The law of the European Union is the law of each member.
func (l *discountLaw) isOf(of Authority, day calendar.Date) bool {
	if l.authority.Country == union {
		return nexus.UnionMember(of.Country, day)
	}
	return l.authority == of
}

// keeps reports whether a reduction stays in the base of the tax of an authority. Without a known law a reimbursed
// discount lowers the base, and a trade-in does not.
func (k *calculation) keeps(of Authority, kind reductionKind) bool {
	if l := k.discountLawOf(of, kind); l != nil {
		return !l.lowers
	}
	return kind == tradeIn
}

// keptOf returns the reductions of a line that stay in the base of the tax of an authority, in cents.
func (k *calculation) keptOf(w *work, of Authority) (kept int64) {
	for kind, cents := range w.reduced {
		if cents != 0 && k.keeps(of, reductionKind(kind)) {
			kept += cents
		}
	}
	return kept
}
