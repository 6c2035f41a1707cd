package tax

import (
	"cmp"
	"slices"
)

// WarningCode says what makes an answer less sure than it looks. The set is open.
type WarningCode string

// The warnings of the engine.
const (
	WarningNoRuleFound        WarningCode = "NO_RULE_FOUND"
	WarningClassTooCoarse     WarningCode = "CLASS_TOO_COARSE"
	WarningBeforeKnownHistory WarningCode = "BEFORE_KNOWN_HISTORY"
	WarningRateMissing        WarningCode = "RATE_MISSING"
	WarningAmbiguousPlace     WarningCode = "AMBIGUOUS_PLACE"
	WarningLocalTaxUnknown    WarningCode = "LOCAL_TAX_UNKNOWN"
	WarningOtherLocalTax      WarningCode = "OTHER_LOCAL_TAX"
	WarningNotConfirmedSince  WarningCode = "NOT_CONFIRMED_SINCE"
	WarningLowConfidence      WarningCode = "LOW_CONFIDENCE"
	WarningRoundingUnit       WarningCode = "ROUNDING_UNIT"
	// WarningNegativeTotal is about coupon lines that come to more than what they lower.
	WarningNegativeTotal WarningCode = "NEGATIVE_TOTAL"
	// The content does not say whether such a discount, or a trade-in, lowers the base.
	WarningReimbursedUnknown WarningCode = "REIMBURSED_UNKNOWN"
	WarningTradeInUnknown    WarningCode = "TRADE_IN_UNKNOWN"
	// WarningMarketplaceUnsure is about who owes the tax, not about how much it is.
	WarningMarketplaceUnsure WarningCode = "MARKETPLACE_UNSURE"
)

// Warning is one of them with a sentence for people. Line is the number of the line, from 0;
// nil when it is about the whole sale.
type Warning struct {
	Code    WarningCode `json:"code"`
	Message string      `json:"message"`
	Line    *int        `json:"line,omitempty"`
}

// Certainty says how far a result can be relied on, in the shape in which it is stored and
// served. Warnings are never nil.
type Certainty struct {
	Confidence   Confidence `json:"confidence"`   // of the least sure row that was used
	Completeness string     `json:"completeness"` // see Resolution.Completeness
	Warnings     []Warning  `json:"warnings"`
}

// Completeness is the precision as answers about tax name it: STREET for an address, NONE
// where nothing was found.
func (r Resolution) Completeness() string {
	switch r {
	case ResolutionAddress:
		return "STREET"
	case "":
		return string(ResolutionNone)
	case ResolutionZIP9, ResolutionZIP5, ResolutionCity, ResolutionState, ResolutionCountry, ResolutionNone:
	}
	return string(r)
}

// warned collects warnings.
type warned []Warning

func (w *warned) of(code WarningCode, message string) {
	*w = append(*w, Warning{Code: code, Message: message})
}

func (w *warned) ofLine(line int, code WarningCode, message string) {
	*w = append(*w, Warning{Code: code, Message: message, Line: &line})
}

// warnings are those of the result: of the place, of the rows it rests on, of the lines, of their rounding, then of
// other taxes. Errors: money.ErrOverflow.
func (k *calculation) warnings() ([]Warning, error) {
	var found warned
	k.warnOfPlace(&found)
	k.warnOfRows(&found)
	for i := range k.lines {
		k.warnOfLine(&found, i)
	}
	if err := k.warnOfRounding(&found); err != nil {
		return nil, err
	}
	if k.terms || k.spread {
		k.warnOfReductions(&found)
	}
	if k.useTax != "" {
		found.of(WarningOtherLocalTax, "The place of delivery in "+k.where()+" has higher local taxes than the place of sale, "+
			"and the difference may be due there as local use tax; it is not calculated here. Source: "+k.useTax+".")
	}
	if k.instead != "" {
		rates := "the rates of each place"
		if k.insteadOfState() {
			rates = "the rates of the state and of each place"
		}
		found.of(WarningOtherLocalTax, "Another tax may be due instead; it is not calculated here: "+k.instead+". If you know "+
			"which you owe, set "+rates+" at /v1/rate_overrides, 0 where nothing is due.")
	}
	if doubt := k.marketplaceDoubt(); doubt != "" {
		found.of(WarningMarketplaceUnsure, doubt)
	}
	found = k.otherTaxes(k.taxOutside(found))
	k.nameDoubt(found)
	return found, nil
}

func (k *calculation) warnOfPlace(found *warned) {
	if k.taxed.Ambiguous && !k.settled {
		found.of(WarningAmbiguousPlace, k.sharedBy())
	}
	if fault := k.faultyPlace(); fault != "" {
		found.of(WarningAmbiguousPlace, fault+" The address is not certain, and what is known without it was taken.")
	}
	if k.settled {
		return
	}
	switch k.taxed.Completeness {
	case CompletenessComplete:
	case CompletenessPartial:
		found.of(WarningLocalTaxUnknown, "A city or district tax may be missing from the tax content here.")
	case CompletenessStateOnly:
		found.of(WarningLocalTaxUnknown, "Only the taxes of the state are known here; local taxes exist.")
	}
}

func (k *calculation) warnOfRows(found *warned) {
	if len(k.early) > 0 {
		found.of(WarningBeforeKnownHistory, k.whatIsEarly())
	}
	if k.unconfirmed {
		found.of(WarningNotConfirmedSince, k.state.unconfirmed)
	}
	if k.unrated {
		found.of(WarningRateMissing, "A limit of the law is in another currency, and there is no reference rate for the day: it "+
			"was compared with amounts in "+k.req.Currency+" as it stands.")
	}
	if k.sure == levelLow {
		found.of(WarningLowConfidence, "") // nameDoubt says why
	}
	if k.exportsIntoTheUnknown() {
		found.of(WarningNoRuleFound, "There is no rule for the place of delivery in "+k.where()+": whether the seller owes a tax "+
			"there is not known.")
	}
}

// toldByOthers are the warnings that name the uncertain fact in their own text.
var toldByOthers = []WarningCode{
	WarningNoRuleFound, WarningClassTooCoarse, WarningBeforeKnownHistory, WarningRateMissing, WarningAmbiguousPlace,
	WarningLocalTaxUnknown, WarningReimbursedUnknown, WarningTradeInUnknown,
}

// nameDoubt says in the warning of low confidence what is not certain: a row of the content, else what other warnings
// name.
func (k *calculation) nameDoubt(found []Warning) {
	low := slices.IndexFunc(found, func(w Warning) bool { return w.Code == WarningLowConfidence })
	if low < 0 {
		return
	}
	message := "The law of " + k.where() + " about this sale is disputed, or not wholly known."
	if k.doubted != "" {
		message = "Something that the tax rests on is disputed, or known to be incomplete." + k.doubted
	} else if slices.ContainsFunc(found, func(w Warning) bool { return slices.Contains(toldByOthers, w.Code) }) {
		found[low].Message = "What the other warnings of this answer say can change the tax."
		return
	}
	found[low].Message = message + " If you know what holds, set the rate at /v1/rate_overrides."
}

func (k *calculation) warnOfLine(found *warned, i int) {
	w := &k.lines[i]
	switch {
	case w.exemption == ExemptionNoRuleFound && k.freedBy(w.line) == nil:
		found.ofLine(i, WarningNoRuleFound, k.noRuleFor(w))
	case w.inherited:
		found.ofLine(i, WarningClassTooCoarse, k.inheritedRule(w))
	case w.conditional:
		found.ofLine(i, WarningClassTooCoarse, k.tooCoarse(w))
	case w.mixed:
		found.ofLine(i, WarningClassTooCoarse, "What is delivered is taxed differently, and the whole charge was taxed at the "+
			"highest of its rates. The law of "+k.where()+" may divide it.")
	}
	if w.localsVary {
		found.ofLine(i, WarningLocalTaxUnknown, "Cities of "+k.where()+" decide for themselves whether they tax "+
			classNouns[w.class]+", and how is not in the content: the tax of the city may be missing.")
	}
	if w.doubt != "" {
		found.ofLine(i, WarningClassTooCoarse, "The law of "+k.where()+" asks more: "+w.doubt+".")
	}
}

// faultyPlace is why an address that decides where the sale is taxed is invalid; empty for none.
func (k *calculation) faultyPlace() string {
	return cmp.Or(k.taxed.fault(), k.req.Destination.fault())
}

// noRuleFor says why there is no rule for a line.
func (k *calculation) noRuleFor(w *work) string {
	if outside := k.liesOutside(); outside != "" {
		return outside + ": no tax was calculated."
	}
	if area := outlyingNamed(k.taxed.State); k.taxed.Country == "US" && k.state == nil && area != nil && area.military {
		return area.name + " (" + area.code + ") belongs to no state: there is no rule for sales to military addresses, and " +
			"no tax was calculated."
	}
	none := "There is no rule for class " + string(w.line.Class) + " in " + k.where() +
		" on this date: no tax was calculated."
	if k.state != nil {
		none += k.namedBy(w)
	}
	return none
}

// liesOutside says of a special territory outside that of the tax of its country that it is one; empty elsewhere.
func (k *calculation) liesOutside() string {
	if t := k.c.outside(k.taxed); t != nil && len(k.c.existing(t.country)) > 0 {
		return t.name + " lies outside the tax territory of " + withArticle(k.c.countries[t.country])
	}
	return ""
}

// taxOutside adds a warning about the tax of a special territory.
func (k *calculation) taxOutside(found []Warning) []Warning {
	if t := k.c.outside(k.taxed); t != nil && t.tax != "" {
		return append(found, Warning{Code: WarningOtherLocalTax, Message: t.name + ": " + t.tax})
	}
	return found
}

// tooCoarse says what the law distinguishes and the class of the line does not.
func (k *calculation) tooCoarse(w *work) string {
	taken := "; it was taken as taxable."
	if w.takenAsFree() {
		taken = "; it was taken as free of tax."
	}
	message := capital(k.where()) + " taxes only some of what class " + string(w.line.Class) + " holds" +
		taken
	if w.note != "" {
		message += " The rule there: " + w.note + "."
	}
	if k.state != nil && !w.class.charge() && w.law != nil && w.law.conditional {
		message += k.namedBy(w)
	}
	if k.state != nil && w.class.charge() && w.takenAsFree() {
		message += " Where all your deliveries are alike, set the rate of " + string(w.line.Class) + " there at " +
			"/v1/rate_overrides, 0 where they are free: then it is not asked again."
	}
	return message
}
