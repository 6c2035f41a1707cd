package tax

import (
	"levy/tax/calendar"
)

// state holds the rules of one US state, DC or Puerto Rico.
type state struct {
	code, name   string
	jurisdiction uint16
	statewide    []uint16 // local taxes due everywhere in the state
	hasLocal     bool
	localRates   [numClasses]bool // classes for which a local government has a rate of its own
	table        RateTable
	unconfirmed  string // the warning about a sale after the end of the table
	sourcing     []sourcing
	taxability   [numClasses][]taxability
	rules        []localRule
	holidays     []holiday
	// otherHolidays free goods that no class tells apart from others.
	otherHolidays []holiday
}

type sourcing struct {
	calendar.Span
	intrastate          intrastate
	confidence          level
	useTax, fromOutside string // see content.SourcingRow
}

type intrastate uint8

const (
	intrastateDestination intrastate = iota
	intrastateOrigin
	intrastateMixed
)

func (s *state) sourcingOn(day calendar.Date) sourcing {
	for _, r := range s.sourcing {
		if r.Holds(day) {
			return r
		}
	}
	return sourcing{confidence: levelHigh}
}

type treatment uint8

const (
	treatTaxable treatment = iota
	treatExempt
	treatReduced
	treatThreshold
	treatFollowsItems
)

type localTreatment uint8

const (
	localFull localTreatment = iota
	localNone
	localVaries
	localFixed
)

type thresholdMode uint8

const (
	thresholdNone thresholdMode = iota
	thresholdBelowExempt
	thresholdExcessOnly
	thresholdAboveFullAt
)

// taxability is how a state treats a class during a period.
type taxability struct {
	calendar.Span
	class       classKey
	treatment   treatment
	conditional bool   // depends on facts the engine is not told; then taken as the treatment says
	note        string // the facts that it depends on
	statedApart bool   // a line of its own is exempt because it is one
	plain       bool   // nothing special: the general rule
	basePercent int64
	hasRate     bool
	rate        int64 // replaces the rate of the state
	local       localTreatment
	localRate   int64 // for localFixed
	mode        thresholdMode
	threshold   int64 // cents per item
	aboveRate   int64 // for thresholdAboveFullAt
	confidence  level
	doubt       string // as that of a rate
	source      ExplainedSource
}

// taxabilityOn finds the treatment of a class on a day; nil if none is known. A class without a rule has the rule of
// the class above it. A conditional exemption is not inherited: a list of taxed things says nothing about a finer
// class.
func (s *state) taxabilityOn(class classKey, day calendar.Date) *taxability {
	for k := class; k != keyAny; k = classParents[k] {
		for i := range s.taxability[k] {
			if t := &s.taxability[k][i]; t.Holds(day) {
				if k != class && t.conditional && t.treatment == treatExempt {
					return nil
				}
				return t
			}
		}
	}
	return nil
}

type ruleKind uint8

const (
	ruleLocalSumCap ruleKind = iota
	ruleLocalBaseCap
	ruleStateBand
	ruleLocalExemptIn
)

var ruleKinds = map[string]ruleKind{
	"LOCAL_SUM_CAP":           ruleLocalSumCap,
	"LOCAL_BASE_CAP_PER_ITEM": ruleLocalBaseCap,
	"EXTRA_STATE_RATE_BAND":   ruleStateBand,
	"LOCAL_EXEMPT_IN":         ruleLocalExemptIn,
}

// localRule is a rule in addition to the rates: a cap, a band or an exception.
type localRule struct {
	calendar.Span
	kind          ruleKind
	id            string
	levels        [numOrders]bool
	jurisdictions []uint16
	classes       [numClasses]bool
	rate          int64
	amount        int64 // cents per item
	amountTo      int64
	exceptCities  []string // normalised
	taxName       string
	source        ExplainedSource
	confidence    level
}

func (r *localRule) covers(class classKey, day calendar.Date) bool {
	return r.Holds(day) && r.classes[class]
}
