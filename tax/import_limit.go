package tax

import (
	"slices"

	"levy/tax/money"
	"levy/tax/nexus"
)

// overImportLimit frees goods from abroad that are so valuable that tax is due
// at the border instead.
func (k *calculation) overImportLimit(o *Place) *relief {
	if !slices.ContainsFunc(k.lines, func(w work) bool { return goods[w.class] }) {
		return nil
	}
	for i := range k.c.limits {
		if l := &k.c.limits[i]; k.limits(l, o) && !k.suppliesThere(l) && k.exceeds(l) {
			return &relief{reason: ReasonNotTaxable, exemption: ExemptionHighValue, covers: goods, source: &l.source, why: l.why()}
		}
	}
	return nil
}

// why is why the seller owes no tax on goods above the limit.
func (l *importLimit) why() string {
	switch {
	case l.cents != 0:
		return "above the import limit the tax is due at the border"
	case l.notes != "":
		return "the tax on goods from abroad is due at the border, and " + l.notes
	}
	return "the tax on goods from abroad is due at the border"
}

// suppliesThere reports whether the goods count as supplied where they arrive, of whatever value they are. It is so of a
// seller who is registered in Switzerland under the rule for mail order. Source: MWSTG, article 7(3)(b).
func (k *calculation) suppliesThere(l *importLimit) bool {
	// guard: import limits: a registered seller by mail order supplies in Switzerland
	return l.ofTax && slices.Contains(k.req.Registered, l.territory)
}

// exceeds reports whether the goods of a sale are above an import limit: an item, their tax, or all of them together.
func (k *calculation) exceeds(l *importLimit) bool {
	if l.cents == 0 {
		return slices.ContainsFunc(k.lines, func(w work) bool { return goods[w.class] && w.net != 0 })
	}
	limit := k.limit(l.cents, l.currency)
	switch {
	case l.perItem:
		return slices.ContainsFunc(k.lines, func(w work) bool { return goods[w.class] && w.item.compare(limit) > 0 })
	case l.ofTax:
		return int64(money.Magnitude(k.taxOnImport())) > limit.times(tenThousand)
	}
	sum := int64(0)
	for i := range k.lines {
		if w := &k.lines[i]; goods[w.class] {
			sum += w.net
		}
	}
	return int64(money.Magnitude(sum)) > limit.times(1)
}

// taxOnImport is the tax of the goods, in units of 10^-4 cents. Their value on import holds the delivery, which bears the
// highest of their rates. Source: MWSTG, article 54(3)(b).
func (k *calculation) taxOnImport() (tax int64) {
	delivery, highest := int64(0), int64(0)
	for i := range k.lines {
		switch w := &k.lines[i]; {
		case w.class.charge():
			delivery += w.net
		case goods[w.class]:
			rate := k.rateAtHome(w.class)
			tax += w.net * (rate / perTenThousand)
			highest = max(highest, rate)
		}
	}
	return tax + delivery*(highest/perTenThousand)
}

// limits reports whether an import limit is about goods from a place.
func (k *calculation) limits(l *importLimit, from *Place) bool {
	return !k.req.acrossIrishSea() && l.Holds(k.req.TaxDate) && k.within(l, k.taxed.Country) && len(k.levies) > 0 &&
		(!k.within(l, from.Country) || k.c.outside(from) != nil)
}

const (
	tenThousand    = 10_000
	perTenThousand = 1_000_000_000 / tenThousand // of a rate in units of 10^-9
)

// rateAtHome is the rate of a class by the tax of the country where the sale is taxed.
func (k *calculation) rateAtHome(class classKey) int64 {
	r, _ := k.rateOn(k.levies[0].home, class, keyAny)
	return r.nano
}

func (k *calculation) within(l *importLimit, country string) bool {
	return l.territory == country || l.territory == union && nexus.UnionMember(country, k.req.TaxDate)
}
