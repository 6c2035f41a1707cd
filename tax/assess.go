package tax

import (
	"cmp"
	"slices"
	"strings"
)

// share is what one jurisdiction does with a line.
type share struct {
	jurisdiction uint16
	ruleID, name string
	rate         int64 // units of 10^-9, as applied
	base         int64 // units of 10^-4
	baseRule     string
	reason       TaxReason
	exempt       bool
	source       *ExplainedSource

	unrounded Exact
	amount    int64
	leftover  bool // received a leftover cent

	tax  uint8 // its tax: 0 in the United States, else the index of its levy
	levy *levy
}

const noJurisdiction = 1<<16 - 1

// The base rules that need no number.
const (
	baseFull = "FULL_AMOUNT"
	baseNone = "NONE"
)

// assess decides who taxes a line, at what rate and on what base.
func (k *calculation) assess(w *work, itemsTaxed bool) {
	w.first = len(k.shares)
	switch {
	case k.relief != nil && k.relief.covers[w.class]:
		k.untaxed(w, k.relief.reason, k.relief.exemption, k.relief.why, k.relief.source)
	case w.line.Exempt != nil && k.applies(w.line.Exempt):
		e := w.line.Exempt
		k.untaxed(w, exemptReason(e), e.TaxExemption, cmp.Or(exemptionWords[e.TaxExemption], "the line is free of tax"), nil)
		w.exemptionID = e.ExemptionID
	case w.class == keyNotTaxable:
		k.untaxed(w, ReasonNotTaxable, ExemptionProduct, "this kind of charge is never taxed", nil)
	case k.state == nil:
		k.assessLevies(w)
	default:
		k.assessState(w, itemsTaxed)
	}
	w.end = len(k.shares)
	k.conclude(w)
}

func (k *calculation) applies(e *Exempt) bool {
	return (e.Country == "" || e.Country == k.taxed.Country) && (e.State == "" || e.State == k.taxed.State)
}

func exemptReason(e *Exempt) TaxReason {
	if e.Reason != "" {
		return e.Reason
	}
	switch e.TaxExemption {
	case ExemptionCustomer, ExemptionWholesale:
		return ReasonCustomerExempt
	case ExemptionTransaction:
		return ReasonTransactionExempt
	case ExemptionReverseCharge:
		return ReasonReverseCharge
	case ExemptionExport:
		return ReasonExport
	default:
		return ReasonProductExempt
	}
}

var exemptionWords = map[TaxExemption]string{
	ExemptionProduct:       "the product is free of tax",
	ExemptionTransaction:   "the sale is free of tax",
	ExemptionCustomer:      "the customer is free of tax",
	ExemptionWholesale:     "the goods are bought for resale",
	ExemptionReverseCharge: "the customer accounts for the tax",
	ExemptionExport:        "the goods leave the country",
}

// untaxed writes a line off in every jurisdiction that would have taxed it. The
// source is that of the exemption; nil cites the rates not applied.
func (k *calculation) untaxed(w *work, reason TaxReason, exemption TaxExemption, why string, source *ExplainedSource) {
	w.exempt, w.exemption, w.why = true, exemption, why
	for i := range k.levies {
		l := &k.levies[i]
		k.add(share{jurisdiction: l.jurisdiction, ruleID: l.general.levy.ruleID, name: l.general.levy.name, reason: reason, exempt: true,
			baseRule: baseNone, source: cmp.Or(source, &l.general.source), tax: uint8(i), levy: l.general.levy})
	}
	if k.state == nil {
		if len(k.levies) == 0 {
			k.addNowhere(reason, true)
		}
		return
	}
	for _, j := range k.set {
		jur := &k.c.jurisdictions[j]
		r, sure := jur.rateOn(w.class, k.req.TaxDate)
		if r == nil || r.nano == 0 && jur.Type != TypeState {
			continue
		}
		k.sure = max(k.sure, sure)
		k.add(share{jurisdiction: j, ruleID: jur.general, name: jur.taxName, reason: reason, exempt: true, baseRule: baseNone, source: cmp.Or(source, &r.source)})
	}
}

func (k *calculation) noRule(w *work) {
	w.exemption, w.why = ExemptionNoRuleFound, "the content has no rule for it here on this date"
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

func (k *calculation) add(s share) { k.shares = append(k.shares, s) }

// local is a local tax in force.
type local struct {
	jurisdiction uint16
	rate         *rate
}

func (k *calculation) assessState(w *work, itemsTaxed bool) {
	day := k.req.TaxDate
	general, sure := k.c.jurisdictions[k.state.jurisdiction].rateOn(w.class, day)
	if general == nil {
		k.noRule(w)
		return
	}
	k.sure = max(k.sure, sure)
	var buf [8]local
	locals := k.locals(w.class, buf[:0])
	if general.nano == 0 && general.class == keyAny && len(locals) == 0 {
		w.exempt, w.exemption, w.why = true, ExemptionRegion, k.state.name+" has no sales tax here"
		k.addState(w, general, nil, 0, 0, ReasonNotTaxable, true, baseNone)
		return
	}
	t := k.state.taxabilityOn(w.class, day)
	if t == nil {
		k.noRule(w)
		return
	}
	k.sure = max(k.sure, t.confidence)
	w.conditional = t.conditional
	if h := k.state.holidayOn(w.class, day, w.item); h != nil && t.treatment != treatExempt {
		k.sure = max(k.sure, h.confidence)
		k.untaxed(w, ReasonTaxHoliday, ExemptionProduct, h.name, &h.source)
		return
	}
	rule := k.treat(w, t, general, itemsTaxed)
	if levied := general.nano != 0 || general.class != keyAny; levied || rule.rate != 0 {
		k.addState(w, general, t, rule.rate, rule.base, rule.reason, rule.exempt, rule.baseRule)
		k.addBands(w, rule)
	}
	k.addLocals(w, t, rule, locals)
}

func (k *calculation) locals(class classKey, found []local) []local {
	for _, j := range k.set {
		jur := &k.c.jurisdictions[j]
		if jur.order <= orderState {
			continue
		}
		if r, sure := jur.rateOn(class, k.req.TaxDate); r != nil && r.nano != 0 {
			k.sure = max(k.sure, sure)
			found = append(found, local{j, r})
		}
	}
	return found
}

// outcome is what the law of the state says about a line.
type outcome struct {
	rate, base int64
	reason     TaxReason
	exempt     bool
	baseRule   string
	below      bool // freed by a threshold
}

func (k *calculation) treat(w *work, t *taxability, general *rate, itemsTaxed bool) outcome {
	o := outcome{rate: general.nano, base: w.item.cents * t.basePercent, reason: ReasonTaxable, baseRule: baseFull}
	if t.basePercent != 100 {
		o.baseRule = "PERCENT_" + string(appendInt(nil, t.basePercent))
	}
	if t.hasRate {
		o.rate = t.rate
	}
	free := t.treatment == treatExempt || t.treatment == treatFollowsItems && !itemsTaxed
	switch t.mode {
	case thresholdNone:
	case thresholdBelowExempt:
		o.below = w.item.compare(t.threshold) < 0
	case thresholdExcessOnly:
		over := w.item.cents - w.item.capped(t.threshold)
		o.below = over == 0
		o.base = over * perCent
		o.baseRule = "EXCESS_OVER_" + string(appendCents(nil, t.threshold)) + "_PER_ITEM"
	case thresholdAboveFullAt:
		if w.item.compare(t.threshold) > 0 {
			o.rate = t.aboveRate
		}
	}
	switch {
	case free:
		o = outcome{reason: ReasonNotTaxable, exempt: true, baseRule: baseNone}
	case o.below:
		o = outcome{reason: ReasonBelowThreshold, exempt: true, baseRule: baseNone, below: true}
	case o.rate == 0:
		o.reason = ReasonZeroRate
	}
	return o
}

func (k *calculation) addState(w *work, general *rate, t *taxability, rate, base int64, reason TaxReason, exempt bool, baseRule string) {
	jur := &k.c.jurisdictions[k.state.jurisdiction]
	s := share{jurisdiction: k.state.jurisdiction, ruleID: jur.general, name: jur.taxName, rate: rate, base: base,
		reason: reason, exempt: exempt, baseRule: baseRule, source: &general.source}
	if t != nil && !t.plain {
		s.ruleID, s.source = jur.rulePart+classSlugs[w.class], &t.source
	}
	k.add(s)
}

// addBands adds extra state taxes on a band of the price of an item.
func (k *calculation) addBands(w *work, o outcome) {
	for i := range k.state.rules {
		r := &k.state.rules[i]
		if r.kind != ruleStateBand || o.exempt || !r.covers(w.class, k.req.TaxDate) {
			continue
		}
		if base := w.item.capped(r.amountTo) - w.item.capped(r.amount); base > 0 {
			k.sure = max(k.sure, r.confidence)
			k.add(share{jurisdiction: k.state.jurisdiction, ruleID: r.id, name: r.taxName, rate: r.rate, base: base * perCent, reason: ReasonTaxable,
				baseRule: "FROM_" + string(appendCents(nil, r.amount)) + "_TO_" + string(appendCents(nil, r.amountTo)) + "_PER_ITEM", source: &r.source})
		}
	}
}

// conclude derives the verdict on the line from its shares.
func (k *calculation) conclude(w *work) {
	zeroRated := false
	shares := k.sharesOf(w)
	for i := range shares {
		s := &shares[i]
		w.taxed = w.taxed || !s.exempt && s.rate != 0
		zeroRated = zeroRated || !s.exempt && s.reason == ReasonZeroRate
		s.unrounded = product(s.base, s.rate)
		w.base = max(w.base, s.base)
		if w.net < 0 {
			s.base, s.unrounded = -s.base, s.unrounded.negated()
		}
		w.unrounded = w.unrounded.plus(s.unrounded)
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
		w.why = cmp.Or(w.why, "not taxed in "+k.where())
		if slices.ContainsFunc(shares, func(s share) bool { return s.reason == ReasonBelowThreshold }) {
			w.why = "below the price from which " + k.where() + " taxes it"
		}
	}
}

// where is the name of the place whose law applies.
func (k *calculation) where() string {
	if k.state != nil {
		return k.state.name
	}
	if n := len(k.set); n > 0 {
		return k.c.jurisdictions[k.set[n-1]].Name
	}
	return k.c.countries[k.taxed.Country]
}
