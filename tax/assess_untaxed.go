package tax

import (
	"cmp"
	"strings"
)

var exemptionWords = map[TaxExemption]string{
	ExemptionProduct:       "the product is free of tax",
	ExemptionTransaction:   "the sale is free of tax",
	ExemptionCustomer:      "the customer is free of tax",
	ExemptionWholesale:     "the goods are bought for resale",
	ExemptionReverseCharge: "the customer accounts for the tax",
	ExemptionExport:        "the goods leave the country",
}

// whyFreed is why a line is free by an exemption. The sale is when all its lines are.
func (k *calculation) whyFreed(e *Exempt) string {
	const line = "the line is free of tax"
	if e.TaxExemption == ExemptionTransaction {
		for i := range k.lines {
			if k.lines[i].coupon {
				continue
			}
			if other := k.freedBy(k.lines[i].line); other == nil || other.TaxExemption != ExemptionTransaction {
				return line
			}
		}
	}
	return cmp.Or(exemptionWords[e.TaxExemption], line)
}

// untaxed writes a line off in every jurisdiction that would have taxed it. The source is the source of the exemption;
// nil cites the rates not applied.
func (k *calculation) untaxed(w *work, reason TaxReason, exemption TaxExemption, why string, source *ExplainedSource) {
	w.exempt, w.exemption, w.why = true, exemption, why
	for i := range k.levies {
		k.add(k.untaxedBy(uint8(i), reason, source))
	}
	if k.state == nil {
		if len(k.levies) == 0 {
			k.addNowhere(reason, true)
		}
		return
	}
	for _, j := range k.set {
		jur := &k.c.jurisdictions[j]
		r, _ := k.rateOn(j, w.class, w.within)
		if r == nil || r.nano == 0 && jur.Type != TypeState {
			continue
		}
		k.add(share{
			jurisdiction: j, ruleID: jur.general, name: jur.taxName, reason: reason, exempt: true,
			baseRule: baseNone, source: cmp.Or(source, &r.source),
		})
	}
}

// untaxedBy writes a line off in one tax.
func (k *calculation) untaxedBy(n uint8, reason TaxReason, source *ExplainedSource) share {
	l := &k.levies[n]
	return share{jurisdiction: l.jurisdiction, ruleID: l.general.levy.ruleID, name: l.general.levy.name, reason: reason,
		exempt:   true,
		baseRule: baseNone, source: cmp.Or(source, &l.general.source), tax: n, levy: l.general.levy}
}

func (k *calculation) noRule(w *work) {
	k.sure = levelLow // no tax is only what is calculated, not what is known
	w.exemption = ExemptionNoRuleFound
	w.why = cmp.Or(k.liesOutside(), "Levy has no rule for it here on this date, what the law asks is not known")
	k.addNowhere(ReasonNoRuleFound, false)
}

// addNowhere adds the one item of a line that no rule of the content covers, so
// that it too carries a reason.
func (k *calculation) addNowhere(reason TaxReason, exempt bool) {
	s := share{jurisdiction: noJurisdiction, ruleID: strings.ToLower(k.taxed.Country) + "-none",
		name: k.c.countries[k.taxed.Country], reason: reason, exempt: exempt, baseRule: baseNone, source: &ExplainedSource{}}
	for _, j := range k.set {
		if jur := &k.c.jurisdictions[j]; jur.order <= orderState {
			s.jurisdiction, s.ruleID, s.name = j, jur.rulePart+"none", jur.taxName
		}
	}
	k.add(s)
}
