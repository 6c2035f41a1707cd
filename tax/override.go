package tax

import (
	"slices"

	"github.com/govalues/decimal"

	"levy/tax/calendar"
	"levy/tax/money"
)

// Override is a rate that the seller set for a jurisdiction because he knows better than the content. Without a
// class it stands for the general rate. With one it is the whole rule of the jurisdiction for that class: the full
// price bears the rate, and zero frees it.
type Override struct {
	ID             string          `json:"id"`
	JurisdictionID string          `json:"jurisdiction_id"`
	Class          TaxClass        `json:"tax_class,omitempty"`
	Rate           decimal.Decimal `json:"rate"` // 0.0725 is 7.25 %
	From           calendar.Date   `json:"from"`
	To             calendar.Date   `json:"to,omitempty"` // 0: without an end
	SetOn          calendar.Date   `json:"set_on"`
	Reason         string          `json:"reason"`
}

// overrideSlug ends the rule id of a line that is taxed at a rate of the seller.
const overrideSlug = "override"

// override is one that holds where and when a sale is taxed.
type override struct {
	given        *Override
	jurisdiction uint16
	rate         rate
	used         bool // a line rests on it
}

// takeOverrides keeps the overrides that hold here on the day, in their order of precedence. Only the seller
// vouches for them, so what rests on one has at most medium confidence.
func (k *calculation) takeOverrides() {
	for i := range k.req.Overrides {
		o := &k.req.Overrides[i]
		j, known := k.c.byID[o.JurisdictionID]
		class, isClass := o.Class.key()
		span := calendar.Span{From: o.From, To: o.To}
		if !known || !span.Holds(k.req.TaxDate) || !slices.Contains(k.set, j) {
			continue
		}
		if o.Class == "" {
			class = keyAny
		} else if !isClass {
			continue
		}
		jur := &k.c.jurisdictions[j]
		r := rate{
			Span: span, class: class, certain: true, nano: nanoOf(o.Rate), confidence: levelMedium, override: true,
			source: ExplainedSource{Document: o.sentence(), Version: o.SetOn.String(), EffectiveFrom: &o.From},
		}
		if o.To != 0 {
			r.source.EffectiveTo = &o.To
		}
		if k.state == nil {
			law, _ := jur.rateOn(class, keyAny, k.req.TaxDate)
			if law == nil || law.levy == nil {
				continue // the tax that the rate would belong to is not known
			}
			own := *law.levy
			own.ruleID = jur.rulePart + overrideSlug
			r.levy = &own
		}
		k.overrides = append(k.overrides, override{given: o, jurisdiction: j, rate: r})
	}
}

func (o *Override) sentence() string {
	return "Rate set by you on " + o.SetOn.String() + ": " + o.Reason
}

// Applies reports whether an override of a jurisdiction can count in this content. The content must know the
// jurisdiction. Outside the United States, the jurisdiction must have a tax whose rate is replaced.
func (c *Content) Applies(jurisdictionID string) bool {
	j, ok := c.byID[jurisdictionID]
	return ok && (c.jurisdictions[j].Country == "US" || len(c.jurisdictions[j].rates) > 0)
}

// rateOn is the rate for a class, of an override or of the content: see jurisdiction.rateOn. A rate of the
// content for the class goes before an override of a class above it.
func (k *calculation) rateOn(j uint16, class, within classKey) (*rate, level) {
	jur := &k.c.jurisdictions[j]
	if len(k.overrides) == 0 {
		return jur.rateOn(class, within, k.req.TaxDate)
	}
	for key := class; ; key = classParents[key] {
		if r, sure := k.rateOfKey(j, key); r != nil || key == keyAny {
			return r, sure
		}
		if key == within {
			return k.rateOfKey(j, keyAny)
		}
	}
}

func (k *calculation) rateOfKey(j uint16, class classKey) (*rate, level) {
	for i := range k.overrides {
		if o := &k.overrides[i]; o.jurisdiction == j && o.rate.class == class {
			o.used = true
			return &o.rate, o.rate.confidence
		}
	}
	return k.c.jurisdictions[j].rateOfKey(class, k.req.TaxDate)
}

// ofClass reports whether the seller set the rate for a class: then it is the whole rule.
func (r *rate) ofClass() bool { return r.override && r.class != keyAny }

// setBySeller reports whether the seller set the rate of a jurisdiction for a class or one above it.
func (k *calculation) setBySeller(j uint16, class classKey) bool {
	return slices.ContainsFunc(k.overrides, func(o override) bool {
		return o.jurisdiction == j && o.rate.ofClass() && (o.rate.class == class || o.rate.class == classParents[class])
	})
}

// ruleOf is the rule of a rate that is the general one in the content.
func (j *jurisdiction) ruleOf(r *rate) string {
	if r.override {
		return j.rulePart + overrideSlug
	}
	return j.general
}

// ownRule returns the treatment of a class whose rate the seller set. Local taxes follow the law of the state. Without
// a rule they take the full price. They also take it where a conditional rule frees the class, but the seller's rate
// taxes it.
func ownRule(class classKey, law *taxability, r *rate) *taxability {
	own := &taxability{
		Span: r.Span, class: class, treatment: treatTaxable, plain: true, basePercent: 100, confidence: levelMedium,
		local: localFull, source: r.source,
	}
	if taken := law != nil && law.conditional && law.treatment == treatExempt; law != nil && (!taken || r.nano == 0) {
		own.local, own.localRate = law.local, law.localRate
	}
	return own
}

// sayOverrides tells which rates the seller set.
func (k *calculation) sayOverrides(s *sentences) {
	for i := range k.overrides {
		o := &k.overrides[i]
		if !o.used {
			continue
		}
		s.say(" ", k.c.jurisdictions[o.jurisdiction].Name, " ")
		s.text = money.AppendPercent(s.text, o.rate.nano)
		if o.rate.class != keyAny {
			s.say(" on class ", string(o.given.Class))
		}
		s.say(": rate set by you on ", o.given.SetOn.String(), ": ", o.given.Reason, ".")
	}
}

// givenOverrides are those that count, for the explanation and its hash.
func (k *calculation) givenOverrides() []Override {
	var list []Override
	for i := range k.overrides {
		list = append(list, *k.overrides[i].given)
	}
	return list
}
