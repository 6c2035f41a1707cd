package tax

import (
	"slices"

	"levy/tax/calendar"
	"levy/tax/content"
	"levy/tax/nexus"
)

// marketplaceLaw makes a marketplace owe the tax of the sales through it.
type marketplaceLaw struct {
	country, state string // union for all member states of the European Union
	goods, sellers string // see content.MarketplaceLawRow
	without        []classKey
	from           calendar.Date
	source         string
}

const ofAll, ofGoods, ofElectronic, sellerAny, sellerForeign, sellerUnregistered = "ALL", "GOODS", "ELECTRONIC", "ANY",
	"FOREIGN", "UNREGISTERED"

func (b *builder) addMarketplaceLaws(rows []content.MarketplaceLawRow) {
	for _, row := range rows {
		_, state := b.c.byID[row.Country+"-"+row.State]
		switch _, known := b.c.countries[row.Country]; {
		case !known && row.Country != union:
			b.fault(row.At, "unknown country %q", row.Country)
		case row.State != "" && !state:
			b.fault(row.At, "unknown state %q", row.State)
		case row.Goods != ofAll && row.Goods != ofGoods && row.Goods != ofElectronic:
			b.fault(row.At, "goods %q", row.Goods)
		case row.Sellers != sellerAny && row.Sellers != sellerForeign && row.Sellers != sellerUnregistered:
			b.fault(row.At, "sellers %q", row.Sellers)
		case row.From == 0 || row.Source == "":
			b.fault(row.At, "no first day or no source")
		}
		law := marketplaceLaw{row.Country, row.State, row.Goods, row.Sellers, nil, row.From, row.Source}
		for _, name := range row.Without {
			class, known := TaxClass(name).key()
			if !known {
				b.fault(row.At, "unknown class %q", name)
			}
			law.without = append(law.without, class)
		}
		b.c.marketplaces = append(b.c.marketplaces, law)
	}
}

// marketplaceDoubt returns the reason why a marketplace may not owe the tax of a sale through it. It is empty if the
// law is certain, or if no tax is due. Levy takes the tax of every sale that is marked as one of a marketplace as owed
// by the marketplace.
func (k *calculation) marketplaceDoubt() string {
	if !k.req.Marketplace {
		return ""
	}
	for i := range k.lines {
		w := &k.lines[i]
		if w.net == 0 {
			continue
		}
		for j := w.first; j < w.end; j++ {
			s := &k.shares[j]
			if s.exempt || s.rate == 0 {
				continue
			}
			if why := k.owedBySeller(w, k.item(s).Authority, s); why != "" {
				return "The tax was taken as owed by the marketplace, and it may be owed by the seller: " + why +
					". If it is, send the sale with marketplace false."
			}
		}
	}
	return ""
}

// owedBySeller is why the seller may owe an authority its share of a line; empty where a law makes the marketplace owe it.
func (k *calculation) owedBySeller(w *work, to Authority, s *share) string {
	of, why := k.where(), ""
	if k.state == nil {
		of = withArticle(k.c.jurisdictions[s.jurisdiction].Name)
	}
	for i := range k.c.marketplaces {
		l := &k.c.marketplaces[i]
		if !k.governs(l, to) || !l.isAbout(w.class) {
			continue
		}
		switch {
		case k.req.TaxDate < l.from:
			why = "the law of " + of + " by which a marketplace owes it begins on " + l.from.String()
		case l.sellers == sellerUnregistered && (k.req.Registered == nil || slices.Contains(k.req.Registered, l.place())):
			why = "a marketplace owes it only for sellers who are not registered in " + of
		case l.sellers == sellerForeign && !k.sellsFromAbroad(l):
			why = "a marketplace owes it only for sellers who are established " + l.abroad() + ", and for goods that come from there"
		default:
			return ""
		}
		why += " (" + l.source + ")"
	}
	if why == "" {
		return "the content has no law of " + of + " by which a marketplace owes the tax of class " + string(w.line.Class)
	}
	return why
}

// abroad is where the law does not hold, inside a sentence. In the Union that is not the same as another country.
func (l *marketplaceLaw) abroad() string {
	if l.country == union {
		return "outside the European Union"
	}
	return "abroad"
}

// place is the id of the jurisdiction whose law it is.
func (l *marketplaceLaw) place() string {
	if l.state == "" {
		return l.country
	}
	return l.country + "-" + l.state
}

// governs reports whether a law is that of an authority.
func (k *calculation) governs(l *marketplaceLaw, to Authority) bool {
	if l.country == union {
		return nexus.UnionMember(to.Country, k.req.TaxDate)
	}
	return l.country == to.Country && l.state == to.State
}

// isAbout reports whether a law is about a class. A charge is for the goods that it delivers.
func (l *marketplaceLaw) isAbout(class classKey) bool {
	switch {
	case slices.Contains(l.without, class):
		return false
	case l.goods == ofGoods:
		return goods[class] || class.charge()
	case l.goods == ofElectronic:
		return electronic(class)
	}
	return true
}

// electronic reports whether a class is supplied by electronic means.
func electronic(class classKey) bool {
	return soldKinds[class]&(nexus.KindDigital|nexus.KindSoftware|nexus.KindSaaS) != 0
}

// sellsFromAbroad reports whether the seller is established outside the territory of a law, or the goods come from there.
func (k *calculation) sellsFromAbroad(l *marketplaceLaw) bool {
	outside := func(country string) bool {
		if l.country == union {
			return country != "" && !nexus.UnionMember(country, k.req.TaxDate)
		}
		return country != "" && country != l.country
	}
	return outside(k.req.Seller) || k.req.Origin != nil && outside(k.req.Origin.Country)
}
