package tax

import (
	"cmp"
	"slices"

	"levy/tax/nexus"
)

// nexusExempt reports whether a line is an exempt sale for the thresholds of its destination. A rule that counts
// taxable sales alone leaves such sales out. A line is exempt if an exemption or the law frees it, or if the buyer
// accounts for the tax. It is also exempt if the tax is due at the border, or if the place lies outside the tax
// territory.
//
// A line counts as taxable if the law depends on facts that the class does not tell, or if there is no rule. So a
// threshold is never missed because Levy does not know something.
func (k *calculation) nexusExempt(w *work) bool {
	switch {
	case w.exempt:
		return !w.conditional
	case k.c.outside(k.taxed) != nil:
		return true
	}
	return k.intoUnion() && (goods[w.class] || w.class.charge() &&
		slices.ContainsFunc(k.lines, func(o work) bool { return goods[o.class] }))
}

// intoUnion reports whether what is sold comes into the European Union from outside. Goods that do
// never count there, whatever their value: the threshold is for supplies between the members, and
// for services that are supplied electronically. Source: Council Directive 2006/112/EC, articles
// 14(4)(1) and 59c(1).
func (k *calculation) intoUnion() bool {
	o, day := k.req.Origin, k.req.TaxDate
	return o != nil && o.Country != "" && nexus.UnionMember(k.taxed.Country, day) &&
		(!nexus.UnionMember(o.Country, day) || k.c.outside(o) != nil) && !k.req.acrossIrishSea()
}

// soldKinds is the kind of each class for thresholds. Some services count as tangible property, because they can be
// sales of it. Examples are services that bring parts or belong to the price of goods, rentals of vehicles, and
// utilities. Sources: the laws that the thresholds of these states cite.
var soldKinds = func() (set [numClasses]nexus.Kinds) {
	kinds := map[classKey]nexus.Kinds{
		keyDigital: nexus.KindDigital, keySoftwareDownload: nexus.KindSoftware, keySaaS: nexus.KindSaaS,
		keyService: nexus.KindService,
		keyRepair:  nexus.KindTangible, keyInstallation: nexus.KindTangible, keyMaintenance: nexus.KindTangible,
		keyUtility: nexus.KindTangible, keyGratuity: nexus.KindTangible, keyRentalVehicle: nexus.KindTangible,
	}
	for k := range numClasses {
		set[k] = cmp.Or(kinds[k], kinds[classParents[k]], kinds[k.root()], nexus.KindTangible)
	}
	return set
}()
