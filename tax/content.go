package tax

// Content is an immutable snapshot of everything the engine knows: places,
// jurisdictions, rates and rules, all dated. It is safe for concurrent use.
type Content struct {
	version    string
	categories []Category
	countries  map[string]string // code -> name

	jurisdictions []jurisdiction
	byID          map[string]uint16

	states     []state
	usStates   [26 * 26]uint8 // two letters -> index in states + 1
	stateNames map[string]uint8

	classRules  map[classRuleKey][]classRule // outside the United States
	territories []territory
	limits      []importLimit

	nexus      []NexusRule // by country, state and start
	filingDues map[filingKey]filingDue
	holidays   []holidayRule // legal holidays, not those of sales taxes

	places     placeIndex
	boundaries boundaries
	provinces  map[string]string // code or normalised name -> code, Canada
	countryKey map[string]string // normalised name -> code
}

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

// jurisdiction is a Jurisdiction with what the engine needs beside it.
type jurisdiction struct {
	Jurisdiction
	order     uint8 // of Type, for sorting
	statewide bool
	rulePart  string // "us-ny-nyc-": rule ids are this plus "general" or a class
	general   string // the rule id of the general rate
	taxName   string
	rates     []rate // by start
}

// rate is one dated rate, in units of 10^-9.
type rate struct {
	span
	class      classKey
	certain    bool
	nano       int64
	confidence level
	source     ExplainedSource
	levy       *levy // nil for the taxes of the United States
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

// Version names the state of the content; it is stamped on every result.
func (c *Content) Version() string { return c.version }

// Jurisdiction finds a taxing authority by its id.
func (c *Content) Jurisdiction(id string) (Jurisdiction, bool) {
	i, ok := c.byID[id]
	if !ok {
		return Jurisdiction{}, false
	}
	return c.jurisdictions[i].Jurisdiction, true
}

// rateOn finds the rate for a class on a day: a row of the class before the
// general one, in force on the day. When none is in force and the next row does
// not show its true start, that row is taken at a lower confidence, because the
// rate may have begun earlier than it is evidenced.
func (j *jurisdiction) rateOn(class classKey, day Date) (r *rate, confidence level) {
	for k := class; ; k = classParents[k] {
		if r, confidence = j.rateOfKey(k, day); r != nil || k == keyAny {
			return r, confidence
		}
	}
}

func (j *jurisdiction) rateOfKey(class classKey, day Date) (*rate, level) {
	for i := range j.rates {
		r := &j.rates[i]
		switch {
		case r.class != class:
		case r.holds(day):
			return r, r.confidence
		case day < r.from && !r.certain:
			return r, r.confidence.lowered()
		case day < r.from:
			return nil, levelHigh
		}
	}
	return nil, levelHigh
}
