package tax

import (
	"slices"

	"levy/tax/money"
	"levy/tax/postal"
)

// locals appends the local taxes in force on a line.
func (k *calculation) locals(w *work, found []local) []local {
	for _, j := range k.set {
		jur := &k.c.jurisdictions[j]
		if jur.order <= orderState {
			continue
		}
		r, sure := k.rateOn(j, w.class, w.within)
		switch {
		case r != nil && r.nano != 0:
			found = append(found, local{j, r, sure})
		case r == nil && jur.unknownOn(k.req.TaxDate):
			k.isEarly(undocumented{what: rateUnknown, jurisdiction: j, since: jur.rates[0].From})
		}
	}
	return found
}

// freedLocally names the local government that frees a class from its own tax; empty when there
// is none.
func (k *calculation) freedLocally(w *work) string {
	for _, j := range k.set {
		jur := &k.c.jurisdictions[j]
		if jur.order <= orderState {
			continue
		}
		if r, sure := k.rateOn(j, w.class, w.within); r != nil && r.nano == 0 && r.class != keyAny {
			k.rest(j, r, sure)
			return jur.Name
		}
	}
	return ""
}

// addLocals adds the local taxes: the rule of the state for the class says
// whether they apply, caps and exceptions change their bases and rates.
func (k *calculation) addLocals(w *work, t *taxability, o outcome, locals []local) {
	first := len(k.shares)
	base := w.item.cents * t.basePercent
	if o.base != 0 {
		base = o.base
	}
	carrier := -1
	if t.local == localFixed {
		carrier = k.carrier(locals)
	}
	for i, l := range locals {
		jur := &k.c.jurisdictions[l.jurisdiction]
		s := share{jurisdiction: l.jurisdiction, ruleID: jur.ruleOf(l.rate), name: jur.taxName, rate: l.rate.nano, base: base,
			reason: ReasonTaxable, baseRule: o.localBaseRule(), source: &l.rate.source}
		if !t.plain && !l.rate.override {
			s.ruleID = jur.rulePart + classSlugs[w.class]
		}
		switch {
		case l.rate.ofClass():
			s.base, s.baseRule = w.item.cents*perCent, baseFull
		case t.local == localNone, t.local == localFixed && i != carrier,
			t.local == localVaries && t.treatment != treatTaxable && t.treatment != treatThreshold &&
				l.rate.class == keyAny:
			s.free(ReasonNotTaxable)
			// Districts, and counties as a rule, have the base of the state; cities have their own.
			if t.local == localVaries && t.treatment == treatExempt && jur.Type == TypeCity {
				w.localsVary, k.sure = true, levelLow
			}
		case o.below && (t.local == localFull || k.freedIn(w)):
			s.free(ReasonBelowThreshold)
		case t.local == localFixed:
			s.rate, s.source = t.localRate, &t.source
		default:
			k.follow(w, &s)
		}
		if !s.exempt {
			k.rest(l.jurisdiction, l.rate, l.sure)
		}
		k.add(s)
		if jur.tiers != nil {
			k.addTier(w, jur, l.rate)
		}
	}
	if t.local == localFixed && carrier < 0 && t.localRate != 0 {
		k.addUniform(w, t, base)
	}
	k.capLocals(w, k.shares[first:])
}

// addUniform adds the local tax of one rate throughout the state to the state's own, where no jurisdiction carries it.
func (k *calculation) addUniform(w *work, t *taxability, base int64) {
	jur := &k.c.jurisdictions[k.state.jurisdiction]
	k.add(share{jurisdiction: k.state.jurisdiction, ruleID: jur.rulePart + "local-" + classSlugs[w.class],
		name: jur.Name + " uniform local sales tax", rate: t.localRate, base: base, reason: ReasonTaxable,
		baseRule: baseFull, source: &t.source})
}

// carrier returns the index of the local tax that carries a rate which the state fixes for all local taxes together. It
// is the local tax due statewide. Without one it is the first in the order county, city, district. It is -1 without
// local taxes.
func (k *calculation) carrier(locals []local) int {
	if len(locals) == 0 {
		return -1
	}
	best := 0
	for i, l := range locals {
		if k.c.jurisdictions[l.jurisdiction].statewide && !k.c.jurisdictions[locals[best].jurisdiction].statewide {
			best = i
		}
	}
	return best
}

// freedIn reports whether a place shares the state's exemption of an item that
// is below a threshold.
func (k *calculation) freedIn(w *work) bool {
	var buf [96]byte
	city := string(postal.PlaceKey(buf[:0], k.taxed.City))
	for i := range k.state.rules {
		r := &k.state.rules[i]
		if r.kind != ruleLocalExemptIn || !r.covers(w.class, k.req.TaxDate) || slices.Contains(r.exceptCities, city) {
			continue
		}
		if slices.ContainsFunc(k.set, func(j uint16) bool { return slices.Contains(r.jurisdictions, j) }) {
			return true
		}
	}
	return false
}

// capLocals applies the limits on local taxes: first on the base of an item, then on the sum of the rates. The excess
// of the sum is cut from the last jurisdiction backwards.
func (k *calculation) capLocals(w *work, shares []share) {
	for i := range k.state.rules {
		r := &k.state.rules[i]
		if r.kind == ruleLocalBaseCap {
			k.noteArticles(w, r)
		}
		if !k.covers(r, w) {
			continue
		}
		switch r.kind {
		case ruleStateBand, ruleLocalExemptIn:
		case ruleLocalBaseCap:
			limit := k.upTo(w, k.limit(r.amount, dollars)) * perCent
			for j := range shares {
				s := &shares[j]
				if r.levels[k.c.jurisdictions[s.jurisdiction].order] && s.base > limit {
					s.base, s.baseRule, s.source = limit, "FIRST_"+string(money.AppendCents(
						nil, r.amount,
					))+"_PER_ITEM", &r.source
					k.sure = max(k.sure, r.confidence)
				}
			}
		case ruleLocalSumCap:
			sum := int64(0)
			for j := range shares {
				sum += shares[j].rate
			}
			for j := len(shares) - 1; j >= 0 && sum > r.rate; j-- {
				s := &shares[j]
				cut := min(s.rate, sum-r.rate)
				s.rate -= cut
				sum -= cut
				s.source = &r.source
				if s.rate == 0 {
					s.free(ReasonNotTaxable)
				}
			}
		}
	}
}
