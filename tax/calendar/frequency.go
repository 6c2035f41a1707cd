package calendar

import "time"

// FilingFrequency is how often a return is filed.
type FilingFrequency string

// The frequencies. UNKNOWN has no periods.
const (
	FilingUnknown             FilingFrequency = "UNKNOWN"
	FilingMonthly             FilingFrequency = "MONTHLY"
	FilingQuarterly           FilingFrequency = "QUARTERLY"
	FilingSemiAnnually        FilingFrequency = "SEMI_ANNUALLY"
	FilingAnnually            FilingFrequency = "ANNUALLY"
	FilingAnnualFiscalYear    FilingFrequency = "ANNUAL_FISCAL_YEAR"
	FilingSemiMonthly         FilingFrequency = "SEMI_MONTHLY"
	FilingBiMonthly           FilingFrequency = "BI_MONTHLY"
	FilingFourMonthly         FilingFrequency = "FOUR_MONTHLY"
	FilingQuarterlyPrepayment FilingFrequency = "QUARTERLY_PREPAYMENT"
)

// FilingCategory tells a return from a payment on account.
type FilingCategory string

// The categories of periods.
const (
	FilingRegular    FilingCategory = "REGULAR"
	FilingPrepayment FilingCategory = "PREPAYMENT"
)

// FilingPeriod is what a return is about.
type FilingPeriod struct {
	Period
	Category FilingCategory
}

// monthsOf is the length of the periods that begin with the calendar year; 0 for
// other frequencies.
func (f FilingFrequency) monthsOf() int {
	switch f {
	case FilingMonthly:
		return 1
	case FilingBiMonthly:
		return 2
	case FilingQuarterly, FilingQuarterlyPrepayment:
		return 3
	case FilingFourMonthly:
		return 4
	case FilingSemiAnnually:
		return 6
	case FilingAnnually:
		return 12
	case FilingUnknown, FilingAnnualFiscalYear, FilingSemiMonthly:
	}
	return 0
}

// PeriodOn is the regular period that a day lies in. fiscalYearEnd is any date whose
// month and day end the fiscal year, needed for ANNUAL_FISCAL_YEAR only; a 29
// February, and the last day of any February, stand for its end. ok is false for
// UNKNOWN and other words.
func (f FilingFrequency) PeriodOn(day, fiscalYearEnd Date) (p Period, ok bool) {
	switch {
	// guard: calendar: the first half of a month has the 15th
	case f == FilingSemiMonthly && day.Day() <= 15:
		return Period{DateOn(day.Year(), day.Month(), 1), DateOn(day.Year(), day.Month(), 15)}, true
	case f == FilingSemiMonthly:
		return Period{DateOn(day.Year(), day.Month(), 16), day.LastOfMonth()}, true
	case f == FilingAnnualFiscalYear && fiscalYearEnd != 0:
		end := fiscalEnd(day.Year(), fiscalYearEnd)
		if end < day {
			end = fiscalEnd(day.Year()+1, fiscalYearEnd)
		}
		return Period{fiscalEnd(end.Year()-1, fiscalYearEnd).AddDays(1), end}, true
	}
	months := f.monthsOf()
	if months == 0 {
		return Period{}, false
	}
	// guard: calendar: periods begin with the year
	into := (int(day.Month()) - 1) % months
	start := DateOn(day.Year(), day.Month(), 1).AddMonths(-into)
	return Period{start, start.AddMonths(months).AddDays(-1)}, true
}

func fiscalEnd(year int, like Date) Date {
	// guard: calendar: a fiscal year that ends with February ends with its leap day
	if like.Month() == time.February && like.Day() >= 28 {
		return DateOn(year, time.February, 1).LastOfMonth()
	}
	return DateOn(year, like.Month(), like.Day())
}

// PeriodsEnding lists the periods whose last day lies between two days, both
// included, in order of their ends; of two that end together the payment on account
// first. QUARTERLY_PREPAYMENT has its quarters as REGULAR and its months as
// PREPAYMENT. fiscalYearEnd is as for PeriodOn.
func (f FilingFrequency) PeriodsEnding(from, until, fiscalYearEnd Date) []FilingPeriod {
	var periods []FilingPeriod
	step := f
	if f == FilingQuarterlyPrepayment {
		step = FilingMonthly
	}
	p, ok := step.PeriodOn(from, fiscalYearEnd)
	// guard: calendar: a period ends with its last day
	for ; ok && p.End <= until; p, ok = step.PeriodOn(p.End.AddDays(1), fiscalYearEnd) {
		if step == f {
			periods = append(periods, FilingPeriod{p, FilingRegular})
			continue
		}
		periods = append(periods, FilingPeriod{p, FilingPrepayment})
		// guard: calendar: a quarter beside its payments on account
		if quarter, _ := f.PeriodOn(p.End, fiscalYearEnd); quarter.End == p.End {
			periods = append(periods, FilingPeriod{quarter, FilingRegular})
		}
	}
	return periods
}
