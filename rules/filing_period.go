package rules

import (
	"levy/models"
	"levy/tax/calendar"
)

// PlannedPeriod is a period of a registration for which something is to be filed.
type PlannedPeriod struct {
	calendar.FilingPeriod
	Frequency calendar.FilingFrequency
}

// EndedPeriods lists the periods of a registration that ended on or before last, in the order of their ends. The first
// period begins with the first day for which the registration files. After a deregistration, the last period ends with
// its last day. If the frequency changes, the old periods end before the new ones begin. A DEREGISTERED registration
// keeps its periods, because that status may be set before its last day.
func EndedPeriods(r models.Registration, last calendar.Date) []PlannedPeriod {
	from := r.FilesFrom()
	if !r.Status.Began() || r.DoNotFile || from == 0 {
		return nil
	}
	var periods []PlannedPeriod
	for i, f := range r.Frequencies {
		stretch := calendar.Period{Start: max(from, calendar.DateOf(f.FromDate))}
		if i+1 < len(r.Frequencies) {
			stretch.End = calendar.DateOf(r.Frequencies[i+1].FromDate).AddDays(-1)
		}
		// guard: calendar: the last period ends with the registration
		if r.DeregistrationDate != nil && (stretch.End == 0 || stretch.End > calendar.DateOf(*r.DeregistrationDate)) {
			stretch.End = calendar.DateOf(*r.DeregistrationDate)
		}
		for _, p := range periodsWithin(f.FilingFrequency, stretch, last, r.TaxYear()) {
			periods = append(periods, PlannedPeriod{FilingPeriod: p, Frequency: f.FilingFrequency})
		}
	}
	return periods
}

// longestPeriod is a number of days that no period exceeds.
const longestPeriod = 366

// periodsWithin lists the periods that begin in the stretch, or contain its first day, and end on or before last. They
// are cut to the stretch. A stretch may have no end.
func periodsWithin(f calendar.FilingFrequency, stretch calendar.Period, last calendar.Date,
	year calendar.TaxYear) []calendar.FilingPeriod {
	until := last
	if stretch.End != 0 && stretch.End <= last {
		until = stretch.End.AddDays(longestPeriod) // the period that the stretch ends in
	}
	var periods []calendar.FilingPeriod
	for _, p := range f.PeriodsEnding(stretch.Start, until, year) {
		// guard: calendar: the first period begins with the registration
		p.Start = max(p.Start, stretch.Start)
		if stretch.End != 0 {
			p.End = min(p.End, stretch.End)
		}
		if p.Start <= p.End && p.End <= last {
			periods = append(periods, p)
		}
	}
	return periods
}
