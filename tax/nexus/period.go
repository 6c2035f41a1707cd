package nexus

import (
	"errors"
	"time"

	"levy/tax/calendar"
)

// PeriodModel says over which period sales are added up.
type PeriodModel string

// The models. See PeriodsOn for what each measures.
const (
	PeriodCurrentOrPrevious                  PeriodModel = "CURRENT_OR_PREVIOUS"
	PeriodCalendarYear                       PeriodModel = "CALENDAR_YEAR"
	PeriodPrecedingYear                      PeriodModel = "PRECEDING_YEAR"
	PeriodPrevious12Months                   PeriodModel = "PREVIOUS_12_MONTHS"
	PeriodPrevious4Quarters                  PeriodModel = "PREVIOUS_4_QUARTERS"
	PeriodPrevious4QuartersOffset            PeriodModel = "PREVIOUS_4_QUARTERS_OFFSET"
	PeriodPrecedingYearQuarterly             PeriodModel = "PRECEDING_YEAR_QUARTERLY"
	PeriodPrecedingYearQuarterlyOffset       PeriodModel = "PRECEDING_YEAR_QUARTERLY_OFFSET"
	PeriodPrecedingYearFromOctober           PeriodModel = "PRECEDING_YEAR_FROM_OCTOBER"
	monthsPerYear, monthsPerQuarter                      = 12, 3
	offsetQuarterFirst, calendarQuarterFirst             = time.March, time.January
)

// PeriodsOn is what a model measures on a day. previous is only there for the model
// that measures two periods.
//
//	CURRENT_OR_PREVIOUS                the calendar year of the day, and the one before
//	CALENDAR_YEAR                      the calendar year of the day
//	PRECEDING_YEAR                     the calendar year before
//	PREVIOUS_12_MONTHS                 the 12 months that end with the day
//	PREVIOUS_4_QUARTERS                the last four quarters that are over
//	PREVIOUS_4_QUARTERS_OFFSET         the same with quarters from 1 March, June, September and December
//	PRECEDING_YEAR_QUARTERLY(_OFFSET)  the 12 months before the last end of a quarter: the same days
//	PRECEDING_YEAR_FROM_OCTOBER        the last 1 October to 30 September that is over
//
// ok is false for an unknown model.
func PeriodsOn(model PeriodModel, day calendar.Date) (current, previous calendar.Period, ok bool) {
	year := day.Year()
	switch model {
	case PeriodCurrentOrPrevious:
		return calendarYear(year), calendarYear(year - 1), true
	case PeriodCalendarYear:
		return calendarYear(year), calendar.Period{}, true
	case PeriodPrecedingYear:
		return calendarYear(year - 1), calendar.Period{}, true
	case PeriodPrevious12Months:
		return calendar.Period{Start: day.AddMonths(-monthsPerYear).AddDays(1), End: day}, calendar.Period{}, true
	case PeriodPrevious4Quarters, PeriodPrecedingYearQuarterly:
		return yearBefore(quarterOf(day, calendarQuarterFirst)), calendar.Period{}, true
	case PeriodPrevious4QuartersOffset, PeriodPrecedingYearQuarterlyOffset:
		return yearBefore(quarterOf(day, offsetQuarterFirst)), calendar.Period{}, true
	case PeriodPrecedingYearFromOctober:
		october := calendar.DateOn(year, time.October, 1)
		if day < october {
			october = calendar.DateOn(year-1, time.October, 1)
		}
		return yearBefore(october), calendar.Period{}, true
	}
	return calendar.Period{}, calendar.Period{}, false
}

// PeriodBefore is the period before one that begins on a day: every model measures 12 months.
func PeriodBefore(start calendar.Date) calendar.Period { return yearBefore(start) }

// measuresWhatIsOver reports whether the model only measures periods that are over.
func (m PeriodModel) measuresWhatIsOver() bool {
	switch m {
	case PeriodCurrentOrPrevious, PeriodCalendarYear, PeriodPrevious12Months:
		return false
	case PeriodPrecedingYear, PeriodPrevious4Quarters, PeriodPrevious4QuartersOffset, PeriodPrecedingYearQuarterly,
		PeriodPrecedingYearQuarterlyOffset, PeriodPrecedingYearFromOctober:
	}
	return true
}

func calendarYear(year int) calendar.Period {
	return calendar.Period{Start: calendar.DateOn(year, time.January, 1), End: calendar.DateOn(year, time.December, 31)}
}

// yearBefore are the 12 months that end before the day.
func yearBefore(day calendar.Date) calendar.Period {
	return calendar.Period{Start: day.AddMonths(-monthsPerYear), End: day.AddDays(-1)}
}

// quarterOf is the first day of the quarter of a day; first is a month that begins one.
func quarterOf(day calendar.Date, first time.Month) calendar.Date {
	into := (int(day.Month()) - int(first) + monthsPerYear) % monthsPerQuarter
	return calendar.DateOn(day.Year(), day.Month(), 1).AddMonths(-into)
}

func quarterHolding(day calendar.Date) calendar.Period {
	first := quarterOf(day, calendarQuarterFirst)
	return calendar.Period{Start: first, End: first.AddMonths(monthsPerQuarter).AddDays(-1)}
}

// ErrPeriodModel is wrapped when a rule has a period model that is not known.
var ErrPeriodModel = errors.New("unknown period model")
