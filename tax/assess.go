package tax

import (
	"cmp"
	"slices"

	"levy/tax/calendar"
	"levy/tax/money"
)

// assess decides who taxes a line, at what rate and on what base.
func (k *calculation) assess(w *work) {
	w.first = len(k.shares)
	if w.coupon {
		w.end = w.first
		return
	}
	switch r, e := k.reliefFor(w), k.freedBy(w.line); {
	case r != nil:
		why := r.why
		if r == export && k.exportsIntoTheUnknown() {
			why += " for a place whose taxes are not in the content"
		}
		if len(w.delivered) > 0 {
			why = likeDelivered + ": " + why
		}
		k.untaxed(w, r.reason, r.exemption, why, r.source)
	case e != nil:
		k.untaxed(w, exemptReason(e), e.TaxExemption, k.whyFreed(e), nil)
		w.exemptionID = e.ExemptionID
	case w.class == keyNotTaxable:
		k.untaxed(w, ReasonNotTaxable, ExemptionProduct, "this kind of charge is never taxed", nil)
	case k.state == nil:
		k.assessLevies(w)
	default:
		k.assessState(w)
	}
	w.end = len(k.shares)
	k.conclude(w)
	if w.doubt == "" {
		w.doubt = k.doubt(w)
	}
	if w.doubt != "" {
		k.sure = levelLow
	}
}

func (k *calculation) assessState(w *work) {
	day := k.req.TaxDate
	t := k.state.taxabilityOn(w.class, day)
	if w.within = w.class; t != nil {
		w.within = t.class
	}
	general, sure := k.rateOn(k.state.jurisdiction, w.class, w.within)
	if general == nil {
		k.noRule(w)
		return
	}
	var buf [8]local
	locals := k.locals(w, buf[:0])
	if general.nano == 0 && general.class == keyAny && len(locals) == 0 {
		k.rest(k.state.jurisdiction, general, sure)
		k.freeOfAllTaxes(w)
		k.addState(w, general, nil, untaxedOutcome)
		return
	}
	if general.ofClass() {
		t = ownRule(w.class, t, general)
	}
	if t == nil {
		k.noRule(w)
		return
	}
	if !k.freeAnyway(w, t) {
		k.sure, k.doubted = max(k.sure, t.confidence), cmp.Or(k.doubted, t.doubt)
		k.noteUndocumented(k.state.jurisdiction, w.class, t.Span, t.confidence)
		w.conditional, w.note = t.conditional, t.note
		// guard: classes: a rule of the class above is told where the law may have another one
		w.inherited = t.class != w.class && namedByLaw[w.class]
		if t.conditional || w.inherited {
			k.sure = max(k.sure, levelMedium)
		}
	}
	if t.treatment != treatExempt {
		k.rest(k.state.jurisdiction, general, sure)
		if k.freedByHoliday(w) {
			return
		}
	}
	k.applyLaw(w, t, general, locals)
}

// applyLaw adds the taxes of the state and of its places on a line by the law of its class.
func (k *calculation) applyLaw(w *work, t *taxability, general *rate, locals []local) {
	w.law = t
	rule := k.treat(w, t, general)
	if t.treatment == treatFollowsItems {
		w.delivered = k.delivered(w)
	}
	if levied := general.nano != 0 || general.class != keyAny; levied || rule.rate != 0 {
		k.addState(w, general, t, rule)
		k.follow(w, &k.shares[len(k.shares)-1])
		k.addBands(w, rule)
	}
	k.addLocals(w, t, rule, locals)
}

// freeOfAllTaxes frees a line where neither the state nor a local government has a tax on it.
func (k *calculation) freeOfAllTaxes(w *work) {
	w.exempt, w.exemption, w.why = true, ExemptionRegion, k.state.name+" has no sales tax here"
	if free := k.freedLocally(w); free != "" {
		w.exemption, w.why = ExemptionProduct, free+" does not tax it"
	}
}

// rest notes a rate that the result rests on.
func (k *calculation) rest(jurisdiction uint16, r *rate, sure level) {
	k.sure, k.doubted = max(k.sure, sure), cmp.Or(k.doubted, r.doubt)
	if k.req.TaxDate < r.From {
		k.isEarly(undocumented{what: rateTaken, jurisdiction: jurisdiction, class: r.class, since: r.From})
	}
}

// classRulesSince is the first day for which rules of classes without a documented start were looked up.
var classRulesSince = calendar.MustDate("2024-01-01")

// noteUndocumented marks the result as uncertain if the first day of a class rule is not documented and the sale is
// older than classRulesSince. Rules of settled law are certain. A rule that ended before classRulesSince is certain
// too, because its days were looked up.
func (k *calculation) noteUndocumented(jurisdiction uint16, class classKey, s calendar.Span, sure level) {
	if s.From == 0 && (s.To == 0 || s.To >= classRulesSince) && sure != levelHigh && k.req.TaxDate < classRulesSince {
		k.isEarly(undocumented{what: ruleTaken, jurisdiction: jurisdiction, class: class, since: classRulesSince})
	}
}

func (k *calculation) treat(w *work, t *taxability, general *rate) outcome {
	o := outcome{rate: general.nano, base: w.item.cents * t.basePercent, reason: ReasonTaxable, baseRule: baseFull}
	if t.basePercent != 100 {
		o.baseRule = "PERCENT_" + string(appendInt(nil, t.basePercent))
	}
	if t.hasRate {
		o.rate = t.rate
	}
	switch t.mode {
	case thresholdNone:
	case thresholdBelowExempt:
		o.below = w.item.compare(k.limit(t.threshold, dollars)) < 0
		k.doubtDelivery(w, t, 0)
	case thresholdExcessOnly:
		over := w.item.cents - w.item.capped(k.limit(t.threshold, dollars))
		o.below = over == 0
		k.doubtDelivery(w, t, 1)
		o.base = over * perCent
		o.baseRule = "EXCESS_OVER_" + string(money.AppendCents(nil, t.threshold)) + "_PER_ITEM"
	case thresholdAboveFullAt:
		if w.item.compare(k.limit(t.threshold, dollars)) > 0 {
			o.rate = t.aboveRate
		}
		k.doubtDelivery(w, t, 1)
	}
	switch {
	case t.treatment == treatExempt:
		o = untaxedOutcome
	case o.below:
		o = outcome{reason: ReasonBelowThreshold, exempt: true, baseRule: baseNone, below: true}
	case o.rate == 0:
		o.reason = ReasonZeroRate
	}
	return o
}

// addState adds the tax of the state, by a rule for the class where it has one.
func (k *calculation) addState(w *work, general *rate, t *taxability, o outcome) {
	jur := &k.c.jurisdictions[k.state.jurisdiction]
	s := share{jurisdiction: k.state.jurisdiction, ruleID: jur.ruleOf(general), name: jur.taxName, rate: o.rate,
		base: o.base, reason: o.reason, exempt: o.exempt, baseRule: o.baseRule, source: &general.source}
	if t != nil && !t.plain {
		s.ruleID, s.source = jur.rulePart+classSlugs[w.class], &t.source
	}
	k.add(s)
}

// addBands adds extra state taxes on a band of the price of an item.
func (k *calculation) addBands(w *work, o outcome) {
	if o.exempt || k.shares[len(k.shares)-1].exempt {
		return
	}
	for i := range k.state.rules {
		r := &k.state.rules[i]
		if r.kind != ruleStateBand || !k.covers(r, w) {
			continue
		}
		if base := k.upTo(w, k.limit(r.amountTo, dollars)) - k.upTo(w, k.limit(r.amount, dollars)); base > 0 {
			k.sure = max(k.sure, r.confidence)
			k.add(share{jurisdiction: k.state.jurisdiction, ruleID: r.id, name: r.taxName, rate: r.rate, base: base * perCent,
				reason: ReasonTaxable,
				baseRule: "FROM_" + string(money.AppendCents(
					nil, r.amount,
				)) + "_TO_" + string(money.AppendCents(nil, r.amountTo)) + "_PER_ITEM", source: &r.source})
		}
	}
}

// conclude decides from the shares of a line whether the line is taxed, and why not.
func (k *calculation) conclude(w *work) {
	zeroRated := false
	shares := k.sharesOf(w)
	for i := range shares {
		s := &shares[i]
		w.taxed = w.taxed || !s.exempt && s.rate != 0
		zeroRated = zeroRated || !s.exempt && s.reason == ReasonZeroRate
		s.unrounded = money.Product(s.base, s.rate)
		w.base = max(w.base, s.base)
		if w.net < 0 {
			s.base, s.unrounded = -s.base, s.unrounded.Neg()
		}
		w.unrounded = w.unrounded.Plus(s.unrounded)
	}
	if w.net < 0 {
		w.base = -w.base
	}
	switch {
	case w.exemption != "":
	case w.taxed && w.net == 0:
		w.exemption = ExemptionZeroValue
	case w.taxed:
	case zeroRated:
		w.exemption, w.why = ExemptionZeroRate, "taxed at a zero rate"
	default:
		w.exempt, w.exemption = true, ExemptionProduct
		switch {
		case slices.ContainsFunc(shares, func(s share) bool { return s.reason == ReasonBelowThreshold }):
			w.why = k.freedBelow(w)
		case w.why != "":
		case len(w.delivered) > 0:
			w.why = w.freedLike()
		case w.law != nil && w.law.statedApart:
			w.why = classNouns[w.class] + " on a line of its own is not taxed in " + k.where()
		default:
			w.why = "not taxed in " + k.where()
		}
	}
}

// where is the name of the place whose law applies, inside a sentence.
func (k *calculation) where() string {
	if k.state != nil {
		return withArticle(k.state.name)
	}
	if n := len(k.set); n > 0 {
		return withArticle(k.c.jurisdictions[k.set[n-1]].Name)
	}
	return withArticle(k.c.countries[k.taxed.Country])
}

// assessAll assesses shipping and handling last, because they can follow the other lines.
func (k *calculation) assessAll(assess func(w *work) error) error {
	k.shares = slices.Grow(k.shares, len(k.lines)*len(k.set))
	k.addUp()
	for _, charges := range [...]bool{false, true} {
		for i := range k.lines {
			if w := &k.lines[i]; w.class.charge() == charges {
				if err := assess(w); err != nil {
					return err
				}
			}
		}
	}
	if k.terms {
		for i := range k.lines {
			k.doubtReductions(i)
		}
	}
	return nil
}
