package tax

import (
	"slices"

	"levy/tax/money"
	"levy/tax/nexus"
)

var (
	allClasses = func() *[numClasses]bool {
		var set [numClasses]bool
		for i := range set {
			set[i] = true
		}
		return &set
	}()

	// goods can be stopped at a border.
	goods = &[numClasses]bool{keyPhysical: true, keyClothing: true, keyClothingChild: true, keyFood: true,
		keyPreparedFood: true, keyDrugsRx: true, keyBook: true}
)

var (
	reverseCharge = &relief{reason: ReasonReverseCharge, exemption: ExemptionReverseCharge, covers: allClasses,
		why:    "a business in another member state of the European Union accounts for the tax itself",
		source: &ExplainedSource{Document: "Council Directive 2006/112/EC, articles 138, 194 to 196"}}
	export = &relief{reason: ReasonExport, exemption: ExemptionExport, covers: allClasses,
		why: "it leaves the country of the seller for a place whose taxes are not in the content"}
)

// TaxedAtHome reports whether a sale from one member state of the European Union to
// another is taxed where it comes from. Source: Council Directive 2006/112/EC, article
// 59c.
func (r *Request) TaxedAtHome() bool {
	return r.BelowUnionThreshold && r.acrossUnion() && !r.toBusinessInUnion()
}

func (r *Request) acrossUnion() bool {
	o, d := r.Origin, &r.Destination
	return o != nil && o.Country != d.Country && len(d.Jurisdictions) > 0 && len(o.Jurisdictions) > 0 &&
		nexus.UnionMember(o.Country, r.TaxDate) && nexus.UnionMember(d.Country, r.TaxDate)
}

// toBusinessInUnion reports whether the customer has a VAT id of a member state
// other than that of the seller.
func (r *Request) toBusinessInUnion() bool {
	return slices.ContainsFunc(r.CustomerVAT, func(country string) bool {
		return country != r.Origin.Country && nexus.UnionMember(country, r.TaxDate)
	})
}

// relieve finds what frees the sale as a whole.
func (k *calculation) relieve() {
	o := k.req.Origin
	if k.state != nil || o == nil {
		return
	}
	switch {
	case k.req.acrossUnion() && k.req.toBusinessInUnion():
		k.relief = reverseCharge
	case len(k.levies) == 0 && k.freesExports(o):
		k.relief = export
	default:
		k.relief = k.overImportLimit(o)
	}
}

// freesExports reports whether a place has a tax that frees exports.
func (k *calculation) freesExports(p *Place) bool {
	if p.Country == k.taxed.Country && len(k.taxed.Jurisdictions) > 0 {
		return false
	}
	return slices.ContainsFunc(p.Jurisdictions, func(id string) bool {
		n, ok := k.c.byID[id]
		return ok && len(k.c.jurisdictions[n].rates) > 0 && k.c.jurisdictions[n].rates[0].levy != nil
	})
}

// overImportLimit frees goods from abroad that are so valuable that tax is due
// at the border instead.
func (k *calculation) overImportLimit(o *Place) *relief {
	for i := range k.c.limits {
		l := &k.c.limits[i]
		if !l.Holds(k.req.TaxDate) || !k.within(l, k.taxed.Country) || k.within(l, o.Country) || len(k.levies) == 0 {
			continue
		}
		if !slices.ContainsFunc(k.lines, func(w work) bool { return goods[w.class] }) {
			continue
		}
		limit, sum, over := k.limit(l.cents, l.currency), int64(0), false
		for j := range k.lines {
			if w := &k.lines[j]; goods[w.class] {
				sum += w.net
				over = over || w.item.compare(limit) > 0
			}
		}
		if l.perItem && over || !l.perItem && int64(money.Magnitude(sum)) > limit {
			return &relief{reason: ReasonNotTaxable, exemption: ExemptionHighValue, covers: goods, source: &l.source,
				why: "above the import limit the tax is due at the border"}
		}
	}
	return nil
}

func (k *calculation) within(l *importLimit, country string) bool {
	return l.territory == country || l.territory == union && nexus.UnionMember(country, k.req.TaxDate)
}
