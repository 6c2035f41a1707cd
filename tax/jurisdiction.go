package tax

import (
	"levy/tax/calendar"
)

// Jurisdiction is one taxing authority.
type Jurisdiction struct {
	ID      string           `json:"id"`
	Type    JurisdictionType `json:"jurisdiction_type"`
	Name    string           `json:"jurisdiction_name"`
	Country string           `json:"country"`
	State   string           `json:"state"`
	Parent  string           `json:"parent"`
	Code    string           `json:"code"`
}

// jurisdiction is a Jurisdiction with the data that only the engine needs.
type jurisdiction struct {
	Jurisdiction
	order     uint8 // of Type, for sorting
	statewide bool
	rulePart  string // "us-ny-nyc-": rule ids are this plus "general" or a class
	general   string // the rule id of the general rate
	taxName   string
	rates     []rate // by start
	tiers     []tier
	others    []otherTax
}

// rate is one dated rate, in units of 10^-9.
type rate struct {
	calendar.Span
	class      classKey
	certain    bool
	nano       int64
	confidence level
	doubt      string // why it is not certain, as a sentence; empty for none
	source     ExplainedSource
	levy       *levy // nil for the taxes of the United States
	override   bool  // set by the seller
}

// level is a Confidence as a number, best first.
type level uint8

const (
	levelHigh level = iota
	levelMedium
	levelLow
)

func (l level) lowered() level { return min(l+1, levelLow) }

func (l level) confidence() Confidence {
	return [...]Confidence{ConfidenceHigh, ConfidenceMedium, ConfidenceLow}[l]
}

func levelOf(c Confidence) level {
	switch c {
	case ConfidenceHigh:
		return levelHigh
	case ConfidenceMedium:
		return levelMedium
	default:
		return levelLow
	}
}

// rateOn finds the rate for a class that is in force on a day: a row of the class, else the general row. If none is in
// force and the true start of the next row is not known, the next row counts with the lowest confidence. The rate may
// have begun before its first evidence, or another rate may have been in force.
//
// Classes above class are tried up to within. If the law has a rule for candy apart from the rule for food, within is
// candy, and the rate of food is not used.
func (j *jurisdiction) rateOn(class, within classKey, day calendar.Date) (r *rate, confidence level) {
	for k := class; ; k = classParents[k] {
		if r, confidence = j.rateOfKey(k, day); r != nil || k == keyAny {
			return r, confidence
		}
		if k == within {
			return j.rateOfKey(keyAny, day)
		}
	}
}

func (j *jurisdiction) rateOfKey(class classKey, day calendar.Date) (*rate, level) {
	for i := range j.rates {
		r := &j.rates[i]
		switch {
		case r.class != class:
		case r.Holds(day):
			return r, r.confidence
		case day < r.From && !r.certain:
			return r, levelLow
		case day < r.From:
			return nil, levelHigh
		}
	}
	return nil, levelHigh
}

// unknownOn reports whether a day lies before the first documented one of a tax that is known
// to exist. The true start of a rate need not be that of the tax: another rate may have held
// before. Where there was no tax before, a row of rate zero says so.
func (j *jurisdiction) unknownOn(day calendar.Date) bool {
	return len(j.rates) > 0 && day < j.rates[0].From && j.rates[0].nano != 0
}

// levyKind is a kind of tax outside the United States.
type levyKind uint8

const (
	levyVAT levyKind = iota
	levyGST
	levyHST
	levyPST
	levyRST
	levyQST
	levyQSTOnGST // until 2012 the base of the QST held the GST
)

var levyKinds = map[string]levyKind{
	"VAT": levyVAT, "GST": levyGST, "HST": levyHST, "PST": levyPST, "RST": levyRST, "QST": levyQST,
	"QST_ON_GST": levyQSTOnGST,
}

var levyNames = [...]string{"VAT", "GST", "HST", "PST", "RST", "QST", "QST"}

// ownLevyNames are the names of the taxes of countries that call theirs by none of the names above.
var ownLevyNames = map[string]string{"JP": "consumption tax", "IN": "integrated GST", "BR": "IBS and CBS"}

// federal reports whether the country collects the tax.
func (k levyKind) federal() bool { return k <= levyHST }

// levy is one tax of one country or province, rounded by itself.
type levy struct {
	kind      levyKind
	ruleID    string
	name      string
	state     string // the province whose rate applies
	authority Authority
}

const numOrders = 7

var typeOrders = map[string]struct {
	order uint8
	kind  JurisdictionType
}{
	"COUNTRY": {0, TypeCountry}, "STATE": {2, TypeState}, "COUNTY": {3, TypeCounty}, "CITY": {4, TypeCity},
	"DISTRICT": {5, TypeSpecial},
}

const (
	orderState   = 2
	orderCounty  = 3
	orderCity    = 4
	orderSpecial = 5
)
