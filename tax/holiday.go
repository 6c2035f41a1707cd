package tax

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"levy/tax/calendar"
)

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

// freedByHoliday frees a line on a sales-tax holiday, and doubts it where the holidays are not known.
func (k *calculation) freedByHoliday(w *work) bool {
	day := k.req.TaxDate
	if h := k.holidayOn(w, day); h != nil {
		k.sure, k.doubted = max(k.sure, h.confidence), cmp.Or(k.doubted, h.doubt)
		k.untaxed(w, ReasonTaxHoliday, ExemptionProduct, h.name, &h.source)
		return true
	}
	k.noteHolidays(w, day)
	if unknown, since := k.state.holidaysUnknown(w.class, day); unknown {
		if day < since {
			k.isEarly(undocumented{what: holidaysUnknown, jurisdiction: k.state.jurisdiction, class: w.class, since: since})
		} else {
			k.sure, k.doubted = levelLow, cmp.Or(k.doubted, " The days of the tax holidays of "+withArticle(k.state.name)+
				" in this year are not known.")
		}
	}
	return false
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

// noteHolidays notes holidays that free only some goods of a class, such as school supplies. It also notes holidays
// whose days in this year the content does not know.
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

// knowsHolidays reports whether the content knows the holiday of a year that corresponds to a holiday of another year.
// It frees the same goods, or all goods, and lies in the same season.
func (s *state) knowsHolidays(like *holiday, year int) bool {
	return slices.ContainsFunc(s.otherHolidays, func(h holiday) bool {
		return h.From.Year() == year && slices.Equal(h.others, like.others) &&
			like.inSeason(h.From, sameSeason)
	}) || slices.ContainsFunc(s.holidays, func(h holiday) bool { return h.From.Year() == year && h.classes[keyPhysical] })
}

// nearHoliday is how many days the holidays of two years may lie apart. nearWeekday is the same for holidays that the
// law fixes by the weekday. It is short, because goods of any kind are sold every day, and no merchant reads a
// warning that is seldom true. sameSeason is the same for a holiday that replaces another one; a state can have
// several holidays a year.
const nearHoliday, nearWeekday, sameSeason = 14, 7, 60

// holidaysUnknown reports whether the state frees a class on some days of the season, but the days of this year are
// unknown. since is the first day of the first holiday that the content knows.
func (s *state) holidaysUnknown(class classKey, day calendar.Date) (unknown bool, since calendar.Date) {
	if len(s.holidays) == 0 || slices.ContainsFunc(s.holidays, func(h holiday) bool {
		return h.classes[class] && h.From.Year() == day.Year()
	}) {
		return false, 0
	}
	for i := range s.holidays {
		if h := &s.holidays[i]; h.classes[class] {
			if since == 0 || h.From < since {
				since = h.From
			}
			unknown = unknown || h.inSeason(day, nearHoliday)
		}
	}
	return unknown, since
}

// inSeason reports whether a day lies that near the days that a holiday has in its own year.
func (h *holiday) inSeason(day calendar.Date, near int) bool {
	first := calendar.DateOn(day.Year(), h.From.Month(), h.From.Day()).AddDays(-near)
	last := calendar.DateOn(day.Year(), h.To.Month(), h.To.Day()).AddDays(near)
	return first <= day && day <= last
}
