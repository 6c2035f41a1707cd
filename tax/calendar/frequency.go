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

// TaxYear says with which months the periods of an authority's returns begin. The zero value
// is the calendar year.
type TaxYear struct {
	Country, State string
	// FiscalEnd is any date whose month and day end the fiscal year of the seller. It is needed for ANNUAL_FISCAL_YEAR
	// only. 28 and 29 February both mean the last day of February.
	FiscalEnd Date
	// Stagger is the stagger group of a registration in the United Kingdom, 1 to 3; 0 if it is unknown.
	Stagger int
	// AnnualEnd is the month with which a year of annual accounting in the United Kingdom ends; 0 if it is unknown.
	AnnualEnd time.Month
}

// firstMonth is the month that a period of the authority begins with.
//
// Sources: New York Tax Law 1136(b) and 20 NYCRR 533.3: quarters begin with March, June,
// September and December, and the year of annual filers with March. District of Columbia, form
// FR-800A: the year of annual filers ends on 30 September and its return is due on 20 October.
// United Kingdom, VAT Regulations 1995 (SI 1995/2518), regulations 25(1) and 50: the authority allots quarters and years.
// Quarters of stagger group 1 begin with January, those of group 2 with February and those of group 3 with March.
func (y TaxYear) firstMonth(f FilingFrequency) time.Month {
	switch y.Country {
	case "GB":
		switch {
		// guard: calendar: a stagger group has quarters of its own
		case f == FilingQuarterly && y.Stagger > 0:
			return time.Month(y.Stagger)
		case f == FilingAnnually && y.AnnualEnd > 0:
			return y.AnnualEnd%monthsPerYear + 1
		}
	case "US":
		switch {
		case y.State == "NY" && (f == FilingQuarterly || f == FilingQuarterlyPrepayment || f == FilingAnnually):
			return time.March
		case y.State == "DC" && f == FilingAnnually:
			return time.October
		}
	}
	return time.January
}

// fiscalEnd is a date like FiscalEnd. In California the fiscal year of a return is not that of the seller: it ends on
// 30 June. Source: CDTFA, filing dates for sales and use tax returns.
func (y TaxYear) fiscalEnd() Date {
	if y.Country == "US" && y.State == "CA" {
		return DateOn(2000, time.June, 30)
	}
	return y.FiscalEnd
}

// PeriodOn is the regular period that a day lies in. ok is false for UNKNOWN and other
// words, and for ANNUAL_FISCAL_YEAR without a fiscal year.
func (f FilingFrequency) PeriodOn(day Date, year TaxYear) (p Period, ok bool) {
	switch fiscalYearEnd := year.fiscalEnd(); {
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
	into := (int(day.Month()-year.firstMonth(f)) + monthsPerYear) % months
	start := DateOn(day.Year(), day.Month(), 1).AddMonths(-into)
	return Period{start, start.AddMonths(months).AddDays(-1)}, true
}

const monthsPerYear = 12

func fiscalEnd(year int, like Date) Date {
	// guard: calendar: a fiscal year that ends with February ends with its leap day
	if like.Month() == time.February && like.Day() >= 28 {
		return DateOn(year, time.February, 1).LastOfMonth()
	}
	return DateOn(year, like.Month(), like.Day())
}

// PeriodsEnding lists the periods whose last day lies between two days, both included, in the order of their ends.
//
// QUARTERLY_PREPAYMENT has quarters as REGULAR, and within them the PREPAYMENT periods that the law names.
func (f FilingFrequency) PeriodsEnding(from, until Date, year TaxYear) []FilingPeriod {
	var periods []FilingPeriod
	rule, _ := PrepaymentRuleOf(year.Country, year.State)
	prepays := f == FilingQuarterlyPrepayment && rule.Planned()
	for p, ok := f.PeriodOn(from, year); ok && p.Start <= until; p, ok = f.PeriodOn(p.End.AddDays(1), year) {
		if prepays {
			for _, days := range rule.days(p) {
				if days.End >= from && days.End <= until {
					periods = append(periods, FilingPeriod{days, FilingPrepayment})
				}
			}
		}
		// guard: calendar: a period ends with its last day
		// guard: calendar: a quarter beside its payments on account
		if p.End <= until {
			periods = append(periods, FilingPeriod{p, FilingRegular})
		}
	}
	return periods
}
