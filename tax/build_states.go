package tax

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"levy/tax/calendar"
	"levy/tax/content"
	"levy/tax/postal"
)

func (b *builder) addStates(d content.Data) {
	c := b.c
	for i := range c.jurisdictions {
		j := &c.jurisdictions[i]
		switch {
		case j.Type == TypeState && j.Country == "US":
			b.addState(uint16(i))
		case j.Type == TypeState && j.Country == "CA":
			c.provinces[j.State] = j.State
			c.provinces[string(postal.Compact(nil, j.Name))] = j.State
		}
	}
	for i := range c.jurisdictions {
		if j := &c.jurisdictions[i]; j.statewide {
			if st := b.state(content.RowRef{File: "jurisdictions"}, j.State); st != nil {
				st.statewide = append(st.statewide, uint16(i))
			}
		}
	}
	for i := range c.jurisdictions {
		if j := &c.jurisdictions[i]; j.Country == "US" && j.order > orderState {
			b.noteLocalRates(j)
		}
	}
	for _, row := range d.Coverage {
		if st := b.state(row.At, row.State); st != nil {
			st.hasLocal = row.HasLocalTax
		}
	}
	b.addPublications(d.Publications)
	for _, row := range d.Sourcing {
		b.addSourcing(row)
	}
	b.addTaxability(d.Taxability)
	for _, row := range d.LocalRules {
		b.addLocalRule(row)
	}
	b.addTiers(d.Tiers)
	for _, row := range d.Holidays {
		b.addHoliday(row)
	}
}

func (b *builder) noteLocalRates(j *jurisdiction) {
	n := b.c.usState(j.State)
	for i := range j.rates {
		if class := j.rates[i].class; n != 0 && class != keyAny {
			b.c.states[n-1].localRates[class] = true
		}
	}
}

func (b *builder) addState(jurisdiction uint16) {
	c := b.c
	j := &c.jurisdictions[jurisdiction]
	if len(c.states) >= math.MaxUint8-1 {
		b.fault(content.RowRef{File: "jurisdictions"}, "more than %d states", math.MaxUint8-1)
		return
	}
	c.states = append(c.states, state{code: j.State, name: j.Name, jurisdiction: jurisdiction})
	n := uint8(len(c.states))
	c.usStates[stateSlot(j.State[0], j.State[1])] = n
	c.stateNames[string(postal.Compact(nil, j.Name))] = n
	if j.State == "DC" {
		c.stateNames["WASHINGTONDC"] = n
	}
}

func (b *builder) state(at content.RowRef, code string) *state {
	n := b.c.usState(code)
	if n == 0 {
		b.fault(at, "unknown state %q", code)
		return nil
	}
	return &b.c.states[n-1]
}

func (b *builder) addSourcing(row content.SourcingRow) {
	st := b.state(row.At, row.State)
	if st == nil {
		return
	}
	s := sourcing{
		Span: calendar.Span{From: row.From, To: row.To}, confidence: levelOf(Confidence(row.Confidence)),
		useTax: row.LocalUseTax, fromOutside: row.FromOutside,
	}
	switch row.Intrastate {
	case "DESTINATION", "NONE":
	case "ORIGIN":
		s.intrastate = intrastateOrigin
	case "MIXED":
		s.intrastate = intrastateMixed
	default:
		b.fault(row.At, "sourcing %q", row.Intrastate)
	}
	b.checkSpan(row.At, s.Span)
	for _, other := range st.sourcing {
		b.checkApart(row.At, s.Span, other.Span)
	}
	st.sourcing = append(st.sourcing, s)
}

func (b *builder) addTaxability(rows []content.TaxabilityRow) {
	for _, row := range byStart(rows, func(r *content.TaxabilityRow) calendar.Date { return r.From }) {
		st := b.state(row.At, row.State)
		key, ok := TaxClass(row.Class).key()
		if !ok {
			b.fault(row.At, "unknown class %q", row.Class)
		}
		if st == nil || !ok {
			continue
		}
		t := b.taxability(row)
		t.class = key
		if !t.conditional { // the note of a conditional rule has a warning of its own
			t.doubt = doubtOf("the rule of "+withArticle(st.name)+" for "+classNouns[key], row.Notes, t.confidence)
		}
		b.checkSpan(row.At, t.Span)
		for _, other := range st.taxability[key] {
			b.checkApart(row.At, t.Span, other.Span)
		}
		t.plain = t.treatment == treatTaxable && t.basePercent == 100 && t.local == localFull &&
			(!t.hasRate || key == keyPhysical)
		st.taxability[key] = append(st.taxability[key], t)
	}
}

func (b *builder) taxability(row *content.TaxabilityRow) taxability {
	t := taxability{
		Span: calendar.Span{From: row.From, To: row.To}, basePercent: 100,
		confidence: levelOf(Confidence(row.Confidence)), threshold: b.dollars(row.At, row.Threshold),
	}
	t.source = cite(row.Source, "", t.Span)
	b.readTreatment(&t, row)
	if row.StateRate != nil {
		t.hasRate, t.rate = true, b.fraction(row.At, *row.StateRate)
	}
	switch kind, arg, _ := strings.Cut(row.LocalRule, ":"); kind {
	case "FULL":
	case "NONE":
		t.local = localNone
	case "VARIES":
		t.local = localVaries
	case "FIXED":
		t.local, t.localRate = localFixed, b.percent(row.At, arg)
	default:
		b.fault(row.At, "local rule %q", row.LocalRule)
	}
	switch kind, arg, _ := strings.Cut(row.ThresholdMode, ":"); kind {
	case "":
	case "BELOW_EXEMPT_ELSE_FULL":
		t.mode = thresholdBelowExempt
	case "EXCESS_ONLY":
		t.mode = thresholdExcessOnly
	case "ABOVE_FULL_AT":
		t.mode, t.aboveRate = thresholdAboveFullAt, b.percent(row.At, arg)
	default:
		b.fault(row.At, "threshold mode %q", row.ThresholdMode)
	}
	if (t.treatment == treatThreshold) != (t.mode != thresholdNone) || (t.mode != thresholdNone) != (t.threshold > 0) {
		b.fault(row.At, "treatment, threshold and its mode do not go together")
	}
	if t.statedApart {
		t.local = localNone
	}
	return t
}

func (b *builder) readTreatment(t *taxability, row *content.TaxabilityRow) {
	switch kind, arg, _ := strings.Cut(row.Treatment, ":"); kind {
	case "TAXABLE":
	case "CONDITIONAL":
		t.conditional, t.note = true, row.Notes
	case "CONDITIONAL_EXEMPT":
		t.treatment, t.conditional, t.note = treatExempt, true, row.Notes
	case "EXEMPT":
		t.treatment = treatExempt
	case "EXEMPT_IF_SEPARATELY_STATED": // a line of its own is separately stated
		t.treatment, t.statedApart = treatExempt, true
	case "REDUCED":
		t.treatment = treatReduced
	case "THRESHOLD":
		t.treatment = treatThreshold
	case "TAXABLE_IF_ITEMS_TAXABLE":
		t.treatment = treatFollowsItems
	case "TAXABLE_BASE_PCT":
		n, err := strconv.ParseInt(arg, 10, 64)
		if err != nil || n < 1 || n > 100 {
			b.fault(row.At, "base %q is not a whole percentage", arg)
		}
		t.basePercent = n
	default:
		b.fault(row.At, "treatment %q", row.Treatment)
	}
}

func (b *builder) addLocalRule(row content.LocalRuleRow) {
	st := b.state(row.At, row.State)
	kind, ok := ruleKinds[row.Kind]
	if !ok {
		b.fault(row.At, "kind %q", row.Kind)
	}
	if st == nil || !ok {
		return
	}
	r := localRule{
		Span: calendar.Span{From: row.From, To: row.To}, kind: kind, id: "us-" + strings.ToLower(row.ID),
		taxName: row.TaxName,
		rate:    b.fraction(row.At, row.Rate),
		amount:  b.dollars(row.At, row.Amount), amountTo: b.dollars(row.At, row.AmountTo),
		classes: b.classSet(row.At, row.Classes), confidence: levelOf(Confidence(row.Confidence)),
	}
	b.checkSpan(row.At, r.Span)
	r.source = cite(row.Source, "", r.Span)
	if len(r.id) > maxRuleID {
		b.fault(row.At, "id %s is too long", row.ID)
	}
	for _, l := range row.Levels {
		t, ok := typeOrders[l]
		if !ok {
			b.fault(row.At, "level %q", l)
		}
		r.levels[t.order] = true
	}
	if len(row.Levels) == 0 {
		r.levels = [numOrders]bool{orderCounty: true, orderCity: true, orderSpecial: true}
	}
	for _, id := range row.Jurisdictions {
		j, ok := b.c.byID[id]
		if !ok {
			b.fault(row.At, "unknown jurisdiction %q", id)
		}
		r.jurisdictions = append(r.jurisdictions, j)
	}
	for _, city := range row.ExceptCities {
		r.exceptCities = append(r.exceptCities, string(postal.PlaceKey(nil, city)))
	}
	st.rules = append(st.rules, r)
}

func (b *builder) addHoliday(row content.HolidayRow) {
	st := b.state(row.At, row.State)
	if st == nil {
		return
	}
	h := holiday{Span: calendar.Span{From: row.From, To: row.To}, name: row.Name, classes: b.classSet(
		row.At, row.Classes,
	),
		max: b.dollars(row.At, row.MaxItem), below: row.Below, delivery: row.Delivery,
		confidence: levelOf(Confidence(row.Confidence))}
	// Where goods of all kinds are free, those that bear an excise tax are not.
	for _, class := range []classKey{keyAlcohol, keyTobacco, keyCannabis} {
		h.classes[class] = slices.Contains(row.Classes, string(classes[class]))
	}
	h.doubt = doubtOf(h.name, row.Notes, h.confidence)
	b.checkSpan(row.At, h.Span)
	h.source = cite(row.Source, "", h.Span)
	for _, goods := range row.Goods {
		if goods != "" && goods != "ALL" && goods != "clothing" && goods != "books" {
			h.others = append(h.others, strings.ReplaceAll(goods, "_", " "))
			uniforms := strings.Contains(goods, "uniforms")
			h.holding[keyPhysical] = true
			h.holding[keyClothing], h.holding[keyClothingChild] = h.holding[keyClothing] || uniforms,
				h.holding[keyClothingChild] || uniforms
		}
	}
	if len(row.Classes) > 0 {
		st.holidays = append(st.holidays, h)
	}
	if len(h.others) == 0 {
		return
	}
	if len(row.Classes) > 0 {
		h.max = 0 // is for the classes
	}
	st.otherHolidays = append(st.otherHolidays, h)
}
