package tax

import (
	"levy/tax/calendar"
	"levy/tax/content"
	"levy/tax/nexus"
)

// marketplaceLaw makes a marketplace owe the tax of what is sold through it.
type marketplaceLaw struct {
	country, state string // union for all member states of the European Union
	goods, sellers string // see content.MarketplaceLawRow
	from           calendar.Date
	source         string
}

const ofAll, ofGoods, ofElectronic, sellerAny, sellerForeign, sellerUnregistered = "ALL", "GOODS", "ELECTRONIC", "ANY",
	"FOREIGN", "UNREGISTERED"

func (b *builder) addMarketplaceLaws(rows []content.MarketplaceLawRow) {
	for _, row := range rows {
		switch _, known := b.c.countries[row.Country]; {
		case !known && row.Country != union:
			b.fault(row.At, "unknown country %q", row.Country)
		case row.State != "" && b.c.usState(row.State) == 0:
			b.fault(row.At, "unknown state %q", row.State)
		case row.Goods != ofAll && row.Goods != ofGoods && row.Goods != ofElectronic:
			b.fault(row.At, "goods %q", row.Goods)
		case row.Sellers != sellerAny && row.Sellers != sellerForeign && row.Sellers != sellerUnregistered:
			b.fault(row.At, "sellers %q", row.Sellers)
		case row.From == 0 || row.Source == "":
			b.fault(row.At, "no first day or no source")
		}
		b.c.marketplaces = append(b.c.marketplaces, marketplaceLaw{
			row.Country, row.State, row.Goods, row.Sellers, row.From, row.Source,
		})
	}
}

// marketplaceDoubt is why it is not certain that a marketplace owes the tax of what is sold through it; empty where it
// is, and where there is no tax. Levy takes every sale that is marked as one of a marketplace as owed by that.
func (k *calculation) marketplaceDoubt() string {
	if !k.req.Marketplace {
		return ""
	}
	for i := range k.lines {
		w := &k.lines[i]
		if !w.taxed || w.net == 0 {
			continue
		}
		if why := k.owedBySeller(w); why != "" {
			return "The tax was taken as owed by the marketplace, and it may be owed by the seller: " + why + "."
		}
	}
	return ""
}

// owedBySeller is why the seller may owe the tax of a line; empty where a law makes the marketplace owe it.
func (k *calculation) owedBySeller(w *work) string {
	why := ""
	for i := range k.c.marketplaces {
		l := &k.c.marketplaces[i]
		if !k.governs(l) || !k.isAbout(l, w) {
			continue
		}
		switch {
		case k.req.TaxDate < l.from:
			why = "the law of " + k.where() + " by which a marketplace owes it begins on " + l.from.String()
		case l.sellers == sellerUnregistered:
			why = "a marketplace owes it only for sellers who are not registered in " + withArticle(k.c.countries[l.country])
		case l.sellers == sellerForeign && !k.sellsFromAbroad(l):
			why = "a marketplace owes it only for sellers who are established " + l.abroad() + ", and for goods that come from there"
		default:
			return ""
		}
		why += " (" + l.source + ")"
	}
	if why == "" {
		return "the content has no law of " + k.where() + " by which a marketplace owes the tax of class " + string(w.line.Class)
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

// governs reports whether a law is one of the place where the sale is taxed.
func (k *calculation) governs(l *marketplaceLaw) bool {
	if l.country == union {
		return nexus.UnionMember(k.taxed.Country, k.req.TaxDate)
	}
	return l.country == k.taxed.Country && (l.state == "" || l.state == k.taxed.State)
}

// isAbout reports whether a law is about what a line sells. A charge is for the goods that it delivers.
func (k *calculation) isAbout(l *marketplaceLaw, w *work) bool {
	switch l.goods {
	case ofGoods:
		return goods[w.class] || w.class.charge()
	case ofElectronic:
		return electronic(w.class)
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
