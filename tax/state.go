package tax

import (
	"slices"
	"strconv"
	"strings"

	"levy/tax/calendar"
)

// state holds the rules of one US state, DC or Puerto Rico.
type state struct {
	code, name   string
	jurisdiction uint16
	statewide    []uint16 // local taxes due everywhere in the state
	hasLocal     bool
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
	note        string // which ones
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

// taxabilityOn finds the treatment of a class on a day, nil when none is known. What a state
// taxes by a list says nothing about a finer class that has no rule of its own.
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

// holiday is a sales-tax holiday.
type holiday struct {
	calendar.Span
	name       string
	classes    [numClasses]bool
	others     []string         // goods that it frees and no class tells apart
	holding    [numClasses]bool // the classes that hold these
	max        int64            // cents per item, 0 = no limit
	below      bool
	delivery   string // see content.HolidayRow
	confidence level
	doubt      string // as that of a rate
	source     ExplainedSource
}

func (k *calculation) holidayOn(w *work, day calendar.Date) *holiday {
	for i := range k.state.holidays {
		h := &k.state.holidays[i]
		if !h.Holds(day) || !h.classes[w.class] || !k.isWithin(w.item, h) {
			continue
		}
		switch delivery, alone := k.deliveryOf(w); {
		case delivery == 0 || k.isWithin(w.item.costing(w.item.cents+delivery), h) ||
			h.delivery == deliveryApart && k.allWithin(h):
		case h.delivery == deliveryCounts && alone:
			w.deliveredOver = h
			continue
		case h.delivery == deliveryApart:
			w.doubt = "delivery is divided among the items of a shipment that also holds others than the holiday frees, and with " +
				"its part this one can be above the limit; it was taken as free of tax"
		case h.delivery == deliveryCounts:
			w.doubt = "delivery counts for the limit of the holiday, and may be divided among several items so that this one " +
				"is above it; it was taken as free of tax"
		default:
			w.doubt = "whether delivery counts for the limit of the holiday is not in the content; the item was taken as free " +
				"of tax, and with its delivery it is above the limit"
		}
		return h
	}
	return nil
}

const deliveryCounts, deliveryApart = "COUNTS", "APART"

// allWithin reports whether a holiday frees all goods of the sale: then their delivery does not count for its limit.
func (k *calculation) allWithin(h *holiday) bool {
	if k.totals.holiday != h {
		k.totals.holiday, k.totals.within = h, !slices.ContainsFunc(k.lines, func(w work) bool {
			return goods[w.class] && w.net != 0 && (!h.classes[w.class] || !k.isWithin(w.item, h))
		})
	}
	return k.totals.within
}

// isWithin reports whether an item costs no more than a holiday frees.
func (k *calculation) isWithin(item perItem, h *holiday) bool {
	if h.max == 0 {
		return true
	}
	cmp := item.compare(k.limit(h.max, dollars))
	return cmp < 0 || cmp == 0 && !h.below
}

// noteHolidays notes the holidays of a day for some goods that no class tells apart from others, and those whose days
// in its year the content does not know.
func (k *calculation) noteHolidays(w *work, day calendar.Date) {
	for i := range k.state.otherHolidays {
		h := &k.state.otherHolidays[i]
		if !h.holding[w.class] {
			continue
		}
		frees := strings.Join(h.others, " and ")
		switch {
		case !k.isWithin(w.item, h):
		case h.Holds(day):
			k.noteHoliday(w, h, h.name+" frees "+frees)
		case h.inSeason(day, nearWeekday) && !k.state.knowsHolidays(h, day.Year()) && !strings.Contains(w.note, frees):
			k.noteHoliday(w, h, "a holiday of this season may free "+frees+", and on which days of "+
				strconv.Itoa(day.Year())+" is not in the content")
		}
	}
}

func (k *calculation) noteHoliday(w *work, h *holiday, note string) {
	k.sure = max(k.sure, levelMedium, h.confidence)
	if w.conditional = true; w.note != "" {
		w.note += "; "
	}
	w.note += note
}

// knowsHolidays reports whether the content knows the days of a year on which what a holiday of another year frees is
// free in the same season, or all goods are.
func (s *state) knowsHolidays(like *holiday, year int) bool {
	return slices.ContainsFunc(s.otherHolidays, func(h holiday) bool {
		return h.From.Year() == year && slices.Equal(h.others, like.others) &&
			like.inSeason(h.From, sameSeason)
	}) || slices.ContainsFunc(s.holidays, func(h holiday) bool { return h.From.Year() == year && h.classes[keyPhysical] })
}

// nearHoliday is how many days the holidays of two years may lie apart. nearWeekday is that for those that the law
// fixes by the weekday: goods of any kind are sold every day, and a warning that is seldom true is not read.
// sameSeason is that for holidays of which one takes the place of the other; a state can have several a year.
const nearHoliday, nearWeekday, sameSeason = 14, 7, 60

// holidaysUnknown reports whether the state frees a class on some days of the season, and the
// content does not know on which ones in the year of the day. before tells that the year lies
// before those that it knows.
func (s *state) holidaysUnknown(class classKey, day calendar.Date) (unknown, before bool) {
	if len(s.holidays) == 0 || slices.ContainsFunc(s.holidays, func(h holiday) bool {
		return h.classes[class] && h.From.Year() == day.Year()
	}) {
		return false, false
	}
	before = true
	for i := range s.holidays {
		if h := &s.holidays[i]; h.classes[class] {
			before = before && day < h.From
			unknown = unknown || h.inSeason(day, nearHoliday)
		}
	}
	return unknown, before
}

// inSeason reports whether a day lies that near the days that a holiday has in its own year.
func (h *holiday) inSeason(day calendar.Date, near int) bool {
	first := calendar.DateOn(day.Year(), h.From.Month(), h.From.Day()).AddDays(-near)
	last := calendar.DateOn(day.Year(), h.To.Month(), h.To.Day()).AddDays(near)
	return first <= day && day <= last
}
