package tax

import (
	"cmp"

	"levy/tax/calendar"
)

// findLevies lists the taxes in force where the sale is taxed. A harmonized tax
// replaces the federal one.
func (k *calculation) findLevies() {
	if k.state != nil {
		return
	}
	for _, j := range k.set {
		jur := &k.c.jurisdictions[j]
		r, sure := k.rateOfKey(j, keyAny)
		if r == nil || r.levy == nil {
			if len(jur.rates) > 0 { // its older taxes are not known
				k.isEarly(undocumented{what: rateUnknown, jurisdiction: j, since: jur.rates[0].From})
			}
			continue
		}
		k.rest(j, r, sure)
		l := levied{jurisdiction: j, home: j, general: r}
		if r.levy.kind == levyHST {
			if len(k.levies) > 0 {
				l.jurisdiction = k.levies[0].jurisdiction
			}
			k.levies = k.levies[:0]
		}
		k.levies = append(k.levies, l)
	}
}

// assessLevies decides what each tax takes of a line.
func (k *calculation) assessLevies(w *work) {
	if len(k.levies) == 0 {
		k.noRule(w)
		return
	}
	e := k.freedInPart(w.line)
	for i := range k.levies {
		if e != nil && !k.levies[i].general.levy.kind.federal() {
			w.exemptionID = e.ExemptionID
			k.add(k.untaxedBy(uint8(i), exemptReason(e), nil))
		} else {
			k.add(k.levyOn(w, uint8(i)))
		}
	}
}

func (k *calculation) levyOn(w *work, n uint8) share {
	l := &k.levies[n]
	r, sure := k.rateOn(l.home, w.class, keyAny)
	rule := k.c.classRuleOn(l.home, w.class, r.class, k.req.TaxDate)
	if rule == nil || rule.treatment != classStandard { // a class of standard treatment takes the general rate instead
		k.rest(l.home, r, sure)
	}
	s := share{jurisdiction: l.jurisdiction, ruleID: r.levy.ruleID, name: r.levy.name, rate: r.nano,
		base: k.baseOf(w, r.levy.authority) * perCent, baseRule: baseFull,
		reason: ReasonTaxable, source: &r.source, tax: n, levy: r.levy}
	if rule != nil {
		k.sure, k.doubted = max(k.sure, rule.confidence), cmp.Or(k.doubted, rule.doubt)
		k.noteUndocumented(l.home, w.class, rule.Span, rule.confidence)
		switch rule.treatment {
		case classStandard:
			s.ruleID, s.name, s.rate = l.general.levy.ruleID, l.general.levy.name, l.general.nano
			s.levy, s.source = l.general.levy, &rule.source
		case classExempt:
			// guard: limits abroad: above it the whole price is taxed
			if rule.upTo != 0 && w.item.compare(k.limit(rule.upTo, rule.currency)) > 0 {
				break
			}
			s.source = &rule.source
			s.free(ReasonNotTaxable)
			return s
		case classFollowsItems:
			w.delivered = k.delivered(w)
			if k.follow(w, &s); s.exempt {
				return s
			}
		case classConditional:
			w.conditional, w.note, k.sure = true, rule.note, max(k.sure, levelMedium)
		}
	}
	if s.rate == 0 {
		s.reason = ReasonZeroRate
	}
	if r.levy.kind == levyQSTOnGST && n > 0 {
		s.base += s.base / 100 * (k.levies[0].general.nano / nanoPerPercent)
		s.baseRule = "PLUS_GST"
	}
	return s
}

const nanoPerPercent = 10_000_000

// classRuleOf finds the rule of a tax for the class of a line; nil for none.
func (k *calculation) classRuleOf(l *levied, w *work) *classRule {
	r, _ := k.rateOn(l.home, w.class, keyAny)
	return k.c.classRuleOn(l.home, w.class, r.class, k.req.TaxDate)
}

// classRuleOn finds the rule for a class, or for a class above it. A rate of a class has precedence over its rule, so
// the search ends with the class that has the rate. Of that class only a conditional rule counts.
func (c *Content) classRuleOn(jurisdiction uint16, class, rated classKey, day calendar.Date) *classRule {
	for k := class; k != keyAny; k = classParents[k] {
		rules := c.classRules[classRuleKey{jurisdiction, k}]
		for i := range rules {
			if r := &rules[i]; r.Holds(day) && (k != rated || r.treatment == classConditional) {
				return r
			}
		}
		if k == rated {
			return nil
		}
	}
	return nil
}
