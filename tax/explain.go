package tax

import (
	"strings"

	"levy/tax/money"
)

const roundingMode = "HALF_AWAY_FROM_ZERO"

// explain writes the explanation of the result.
func (k *calculation) explain(r *Result) {
	e := &r.Explanation
	e.Jurisdictions = make([]JurisdictionRef, len(k.set))
	for i, j := range k.set {
		jur := &k.c.jurisdictions[j]
		e.Jurisdictions[i] = JurisdictionRef{jur.Type, jur.Name, jur.Country, jur.State, jur.Code}
	}
	if k.req.Reasons != NoReasons {
		k.writeSteps(e)
	}
	if k.req.Reasons == AllReasons {
		k.explainInFull(r)
	}
}

// explainInFull adds what a record keeps of a calculation, so that it can be done again and compared.
func (k *calculation) explainInFull(r *Result) {
	e := &r.Explanation
	*e = Explanation{
		ContentVersion: k.c.version, TaxDate: k.req.TaxDate,
		Sourcing: ExplainedSourcing{Rule: k.rule, Reason: k.reason, AddressType: k.taxed.AddressType,
			Resolution: k.taxed.Resolution,
			Ambiguous:  k.taxed.Ambiguous, Alternatives: k.alternatives()},
		Jurisdictions: e.Jurisdictions, Steps: e.Steps,
		Items:  make([]ExplainedItem, len(k.lines)),
		Totals: ExplainedTotals{TaxableAmount: r.TaxableAmount, TaxAmount: r.Tax, TaxRate: r.Rate},
	}
	taxes := make([]ExplainedTax, 0, len(k.shares))
	for i := range k.lines {
		w, lr := &k.lines[i], &r.Lines[i]
		from := len(taxes)
		rounding := ExplainedRounding{
			Mode: roundingMode, Unit: k.req.Rounding, UnroundedTotal: w.unrounded, RoundedTotal: lr.Tax,
			Allocation: []string{},
		}
		shares := k.sharesOf(w)
		for j := range shares {
			s, t := &shares[j], &lr.TaxItems[j]
			taxes = append(taxes, ExplainedTax{RuleID: t.RuleID, JurisdictionType: t.JurisdictionType,
				JurisdictionName: t.JurisdictionName,
				State:            t.State, TaxName: t.Name, Rate: t.Rate, BaseRule: s.baseRule, TaxableAmount: t.TaxableAmount,
				UnroundedAmount: t.Unrounded, Amount: t.Amount, Reason: t.Reason, Source: s.source})
			if s.leftover {
				rounding.Allocation = append(rounding.Allocation, t.JurisdictionName)
			}
		}
		e.Items[i] = ExplainedItem{ItemID: w.line.ID, ExternalID: w.line.ExternalID,
			ExternalProductID: w.line.ExternalProductID,
			TaxClass:          w.line.Class, Classification: w.line.Classification, Amount: money.FromCents(w.amount),
			TotalDiscount: money.FromCents(w.discount),
			NetAmount:     money.FromCents(w.paid), Exempt: w.exempt, TaxExemption: w.exemption, ExemptionID: w.exemptionID,
			Lines: taxes[from:len(taxes):len(taxes)], Rounding: rounding}
		if freed := k.exemptionOf(w.line); freed != nil {
			e.Items[i].ExemptionCategory = freed.Category
		}
		if k.req.PricesIncludeTax {
			gross := money.FromCents(w.paid + w.tax)
			e.Items[i].GrossAmount = &gross
		}
	}
	for _, part := range k.coupons {
		from := &e.Items[part.from]
		from.Spread = append(from.Spread, ExplainedSpread{k.lines[part.to].line.ID, money.FromCents(part.cents)})
	}
	e.Certainty = &Certainty{r.Confidence, k.taxed.Resolution.Completeness(), append([]Warning{}, r.Warnings...)}
	e.Input = k.explainInput()
	k.sign(r)
}

func (k *calculation) alternatives() [][]string {
	sets := make([][]string, len(k.taxed.Alternatives))
	for i, ids := range k.taxed.Alternatives {
		sets[i] = make([]string, len(ids))
		for j, id := range ids {
			sets[i][j] = id
			if n, ok := k.c.byID[id]; ok {
				sets[i][j] = k.c.jurisdictions[n].Name
			}
		}
	}
	return sets
}

// sentences are the sentences of an explanation, in one text.
type sentences struct {
	steps []Step
	text  []byte
	ends  []int // of each step in the text
}

func (s *sentences) end(code string) {
	s.steps = append(s.steps, Step{N: len(s.steps) + 1, Code: code})
	s.ends = append(s.ends, len(s.text))
}

// cut cuts the text into the sentences of the steps.
func (s *sentences) cut() []Step {
	text, from := string(s.text), 0
	for i, end := range s.ends {
		s.steps[i].Text = text[from:end]
		from = end
	}
	return s.steps
}

func (s *sentences) say(words ...string) {
	for _, w := range words {
		s.text = append(s.text, w...)
	}
}

func (s *sentences) cents(n int64) { s.text = money.AppendCents(s.text, n) }

func (k *calculation) writeSteps(e *Explanation) {
	s := sentences{steps: make([]Step, 0, 3+2*len(k.lines)), text: k.text[:0], ends: k.ends[:0]}
	s.say("Taxed at the ", strings.ToLower(string(k.rule)), ", ")
	k.sayPlace(&s)
	s.say(". ", k.reason)
	s.end(StepSourcing)
	k.sayJurisdictions(&s)
	s.end(StepJurisdictions)
	for i := range k.lines {
		k.sayLine(&s, i)
	}
	s.say(
		"Rounded half away from zero, ", roundingWords[k.req.Rounding],
		"; jurisdictions add up to the lines and lines to the total.",
	)
	s.end(StepRounding)
	e.Steps, k.text, k.ends = s.cut(), s.text, s.ends
}

var roundingWords = map[RoundingUnit]string{
	TaxPerLine:          "once per tax and line",
	JurisdictionPerLine: "once per jurisdiction and line",
	TaxPerDocument:      "once for the whole document",
}

func (k *calculation) sayPlace(s *sentences) {
	p := k.taxed
	if p.City != "" {
		s.say(p.City, ", ")
	}
	if p.State != "" {
		s.say(p.State)
		if p.PostalCode != "" {
			s.say(" ", p.PostalCode)
		}
		return
	}
	s.say(k.c.countries[p.Country])
}

func (k *calculation) sayJurisdictions(s *sentences) {
	if len(k.set) == 0 {
		s.say("No jurisdiction with content taxes here.")
		return
	}
	for i, j := range k.set {
		switch {
		case i == 0:
		case i == len(k.set)-1:
			s.say(" and ")
		default:
			s.say(", ")
		}
		s.say(k.c.jurisdictions[j].Name)
	}
	s.say(": found by ", resolutionWords[k.taxed.Resolution], ".")
	k.sayOverrides(s)
	if k.taxed.Ambiguous {
		s.say(" Other jurisdictions are possible for this address.")
	}
	switch k.taxed.Completeness {
	case CompletenessComplete:
	case CompletenessPartial:
		s.say(" A city or district tax may be missing from the content.")
	case CompletenessStateOnly:
		s.say(" Only state taxes are known here; local taxes exist.")
	}
}

var resolutionWords = map[Resolution]string{
	ResolutionAddress: "street address", ResolutionZIP9: "ZIP+4", ResolutionZIP5: "ZIP", ResolutionCity: "city",
	ResolutionState: "state", ResolutionCountry: "country", ResolutionNone: "nothing",
}

func (k *calculation) sayLine(s *sentences, i int) {
	w := &k.lines[i]
	if w.coupon {
		k.sayCoupon(s, i)
		return
	}
	k.sayNumber(s, i)
	w.sayClass(s)
	s.end(StepClassification)
	k.sayNumber(s, i)
	if !w.taxed {
		if w.exemption == ExemptionNoRuleFound {
			s.say("No tax calculated: ", w.why, ".")
		} else {
			s.say("No tax: ", w.why, ".")
		}
		s.end(StepExemption)
		return
	}
	if len(k.levies) > 0 {
		k.sayLevies(s, w)
	} else {
		k.sayCombined(s, w)
		k.sayReasons(s, w)
	}
	k.sayKept(s, w)
	k.sayIncluded(s, w)
	s.end(StepRate)
}

// sayIncluded tells how a price with its tax is divided.
func (k *calculation) sayIncluded(s *sentences, w *work) {
	if w.included == nil {
		return
	}
	s.say(" The price of ")
	s.cents(w.included.price)
	s.say(" includes the tax: ")
	s.cents(w.tax)
	s.say(" of tax leave a net price of ")
	s.cents(w.net)
	s.say(".")
}

// sayNumber begins a sentence about one of several lines.
func (k *calculation) sayNumber(s *sentences, i int) {
	if len(k.lines) > 1 {
		s.say("Line ")
		s.text = appendInt(s.text, int64(i+1))
		s.say(": ")
	}
}

func (w *work) sayClass(s *sentences) {
	s.say("Class ", string(w.line.Class))
	switch w.line.Classification {
	case ClassificationSubcategory:
		s.say(", from the subcategory of the product")
	case ClassificationCategoryDefault:
		s.say(", the default of the product's category")
	case ClassificationAutoDefault:
		s.say(", of a default product")
	}
	switch {
	case w.conditional && w.takenAsFree():
		s.say("; the law here depends on what it is, taken as free of tax")
	case w.conditional:
		s.say("; the law here depends on the use, taken as taxable")
	}
	s.say(".")
}

// sayCombined tells the taxes of a state together, because they are rounded together.
func (k *calculation) sayCombined(s *sentences, w *work) {
	rate, even := int64(0), true
	shares := k.sharesOf(w)
	for j := range shares {
		if sh := &shares[j]; !sh.exempt {
			rate += sh.rate
			even = even && sh.base == w.base
		}
	}
	if even {
		s.say("Combined rate ")
		s.sayTax(rate, w.base)
	} else {
		s.say("The taxes on their different bases add up to ")
	}
	s.text = w.unrounded.AppendTo(s.text)
	s.say(k.roundedTo())
	s.cents(w.tax)
	s.say(".")
}

// roundedTo leads from an unrounded tax to the part of the rounded one that a line bears.
func (k *calculation) roundedTo() string {
	if k.req.Rounding == TaxPerDocument {
		return ", its part of the rounded tax of the document is "
	}
	return ", rounded to "
}

// sayTax leads to what a rate takes of a base.
func (s *sentences) sayTax(rate, base int64) {
	s.text = money.AppendPercent(s.text, rate)
	s.say(" on ")
	s.cents(centsOf(base))
	s.say(" gives ")
}

// sayLevies tells each tax by itself, because each is rounded by itself.
func (k *calculation) sayLevies(s *sentences, w *work) {
	shares := k.sharesOf(w)
	for j := range shares {
		sh := &shares[j]
		if j > 0 {
			s.say("; ")
		}
		s.say(sh.name)
		switch {
		case sh.exempt && !sh.levy.kind.federal() && k.freedInPart(w.line) != nil:
			s.say(" is not due, by an exemption for ", k.where(), " alone")
			continue
		case sh.exempt:
			s.say(" does not tax it")
			continue
		}
		s.say(" ")
		s.sayTax(sh.rate, sh.base)
		s.text = sh.unrounded.AppendTo(s.text)
		s.say(k.roundedTo())
		s.cents(sh.amount)
	}
	s.say(".")
}
