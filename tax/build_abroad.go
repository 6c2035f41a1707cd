package tax

import (
	"levy/tax/calendar"
	"levy/tax/content"
)

// businessLaw is about supplies from a seller abroad to a business in a country: those that relief covers. The business
// accounts for their tax itself, or pays it to the seller. doubt is what the law asks besides; empty for nothing.
type businessLaw struct {
	calendar.Span
	supplies string
	accounts bool
	doubt    string
	relief   relief
}

func (b *builder) addBorderTaxes(rows []content.BorderTaxRow) {
	for _, row := range rows {
		l := importLimit{Span: calendar.Span{From: row.From, To: row.To}, territory: row.Country, notes: row.Notes}
		if _, ok := b.c.countries[row.Country]; !ok {
			b.fault(row.At, "unknown country %q", row.Country)
		}
		l.source = cite(row.Source, "", l.Span)
		b.checkSpan(row.At, l.Span)
		for _, other := range b.c.limits {
			if other.territory == l.territory {
				b.checkApart(row.At, l.Span, other.Span)
			}
		}
		b.c.limits = append(b.c.limits, l)
	}
}

func (b *builder) addReverseCharges(rows []content.ReverseChargeRow) {
	for _, row := range rows {
		l := businessLaw{Span: calendar.Span{From: row.From, To: row.To}, supplies: row.Supplies, doubt: row.Notes,
			accounts: row.Business == "ACCOUNTS"}
		if _, ok := b.c.countries[row.Country]; !ok {
			b.fault(row.At, "unknown country %q", row.Country)
		}
		if !l.accounts && row.Business != "PAYS" {
			b.fault(row.At, "business %q", row.Business)
		}
		covers := *supplies
		switch row.Supplies {
		case "SERVICES":
		case "ELECTRONIC":
			for class := range covers {
				covers[class] = covers[class] && electronic(classKey(class))
			}
		default:
			b.fault(row.At, "supplies %q", row.Supplies)
		}
		b.checkSpan(row.At, l.Span)
		for i := range b.c.businessLaws[row.Country] {
			other := &b.c.businessLaws[row.Country][i]
			switch {
			case other.supplies == l.supplies:
				b.checkApart(row.At, l.Span, other.Span)
			case l.supplies == "ELECTRONIC":
				b.fault(row.At, "the law about ELECTRONIC stands behind that about SERVICES, which would leave nothing to it")
			default: // the law about some supplies stands before that about all
				for class := range covers {
					covers[class] = covers[class] && !other.relief.covers[class]
				}
			}
		}
		source := cite(row.Source, "", l.Span)
		l.relief = relief{reason: ReasonReverseCharge, exemption: ExemptionReverseCharge, covers: &covers, source: &source,
			why: reverseChargeAbroad.why}
		b.c.businessLaws[row.Country] = append(b.c.businessLaws[row.Country], l)
	}
}

// businessLawOf finds the law of a country about the supplies of a class from a seller abroad to a business; nil for none.
func (c *Content) businessLawOf(country string, class classKey, day calendar.Date) *businessLaw {
	laws := c.businessLaws[country]
	for i := range laws {
		if l := &laws[i]; l.Holds(day) && l.relief.covers[class] {
			return l
		}
	}
	return nil
}
