package tax

import "time"

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

// Period is a span of days, both ends inclusive.
type Period struct{ Start, End Date }

// IsZero reports whether there is no period.
func (p Period) IsZero() bool { return p.Start == 0 }

// Holds reports whether the day lies in the period.
func (p Period) Holds(day Date) bool { return day >= p.Start && day <= p.End }

// PeriodsOn is what a model measures on a day. previous is only there for the model
// that looks at two periods.
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
func PeriodsOn(model PeriodModel, day Date) (current, previous Period, ok bool) {
	year := day.Year()
	switch model {
	case PeriodCurrentOrPrevious:
		return calendarYear(year), calendarYear(year - 1), true
	case PeriodCalendarYear:
		return calendarYear(year), Period{}, true
	case PeriodPrecedingYear:
		return calendarYear(year - 1), Period{}, true
	case PeriodPrevious12Months:
		return Period{day.addMonths(-monthsPerYear).AddDays(1), day}, Period{}, true
	case PeriodPrevious4Quarters, PeriodPrecedingYearQuarterly:
		return yearBefore(quarterOf(day, calendarQuarterFirst)), Period{}, true
	case PeriodPrevious4QuartersOffset, PeriodPrecedingYearQuarterlyOffset:
		return yearBefore(quarterOf(day, offsetQuarterFirst)), Period{}, true
	case PeriodPrecedingYearFromOctober:
		october := dateOf(year, time.October, 1)
		if day < october {
			october = dateOf(year-1, time.October, 1)
		}
		return yearBefore(october), Period{}, true
	}
	return Period{}, Period{}, false
}

// measuresWhatIsOver reports whether the model only looks at periods that are over.
func (m PeriodModel) measuresWhatIsOver() bool {
	switch m {
	case PeriodCurrentOrPrevious, PeriodCalendarYear, PeriodPrevious12Months:
		return false
	case PeriodPrecedingYear, PeriodPrevious4Quarters, PeriodPrevious4QuartersOffset, PeriodPrecedingYearQuarterly,
		PeriodPrecedingYearQuarterlyOffset, PeriodPrecedingYearFromOctober:
	}
	return true
}

func calendarYear(year int) Period {
	return Period{dateOf(year, time.January, 1), dateOf(year, time.December, 31)}
}

// yearBefore are the 12 months that end before the day, which begins a month.
func yearBefore(day Date) Period { return Period{day.addMonths(-monthsPerYear), day.AddDays(-1)} }

// quarterOf is the first day of the quarter of a day; first is a month that begins one.
func quarterOf(day Date, first time.Month) Date {
	into := (int(day.Month()) - int(first) + monthsPerYear) % monthsPerQuarter
	return dateOf(day.Year(), day.Month(), 1).addMonths(-into)
}

func dateOf(year int, month time.Month, day int) Date {
	return DateOf(time.Date(year, month, day, 0, 0, 0, 0, time.UTC))
}

// addMonths moves the date by n months; a day that the month does not have becomes
// its last.
func (d Date) addMonths(n int) Date {
	first := dateOf(d.Year(), d.Month()+time.Month(n), 1)
	return min(dateOf(first.Year(), first.Month(), 1).AddDays(d.Day()-1), first.lastOfMonth())
}

// lastOfMonth is the last day of the month.
func (d Date) lastOfMonth() Date { return dateOf(d.Year(), d.Month()+1, 0) }
