package nexus

import (
	"slices"

	"levy/tax/calendar"
	"levy/tax/money"
)

// Facts are the known facts of a seller in one jurisdiction.
type Facts struct {
	Day   calendar.Date
	Terms Rule         // as on the day
	Rules []Rule       // all there ever were, oldest first
	Sales []DailySales // in the currency of the rules, in order of days
	// Presences are the days of physical presence; one without an end goes on.
	Presences []calendar.Period
	// Approaching is the share of a threshold in percent from which on it is approached.
	Approaching int
}

// Assessment is where a seller stands in a jurisdiction on a day. Days that are
// zero do not exist.
type Assessment struct {
	Now Evaluation // by the rule of the day
	// First is the evaluation on the day that made economic nexus: once made, nexus
	// stays, as long as the sales behind it do. Zero: never.
	First Evaluation
	// Crossed is the period whose sales crossed the threshold on that day.
	Crossed  *Measurement
	Economic calendar.Date // the day of economic nexus
	Physical calendar.Date // first day of a presence that lasts
	Forecast *Forecast
	Periods  []Measurement // newest first
}

// assessedPeriods is how many periods an assessment shows at most.
const assessedPeriods = 8

// Assess finds where a seller stands. Errors: as of Evaluate.
func Assess(f *Facts) (a Assessment, err error) {
	for _, p := range f.Presences {
		if p.Start <= f.Day && (p.End == 0 || f.Day <= p.End) && (a.Physical == 0 || p.Start < a.Physical) {
			a.Physical = p.Start
		}
	}
	presence := a.Physical != 0
	if a.Now, err = Evaluate(&f.Terms, f.Day, f.Sales, presence, f.Approaching); err != nil {
		return a, err
	}
	first, met, err := First(f.Rules, f.Day, f.Sales, presence)
	if err != nil {
		return a, err
	}
	if met {
		a.First, a.Economic = first, first.MetDate
		a.Crossed = &a.First.Current
		switch {
		case first.Quarter != nil:
			a.Crossed = a.First.Quarter
		case first.Previous != nil && first.Previous.Met:
			a.Crossed = first.Previous
		}
	} else if !f.Terms.Presence {
		forecast, ok, err := predict(&f.Terms, f.Day, f.Sales, presence)
		if err != nil {
			return a, err
		}
		if ok {
			a.Forecast = &forecast
		}
	}
	a.Periods, err = f.periods(presence)
	return a, err
}

// periods measures the evaluated periods, newest first. The periods of the day are measured by today's rule, earlier
// ones by the rules in force at their ends.
func (f *Facts) periods(presence bool) ([]Measurement, error) {
	var measured []Measurement
	oldest := f.Day
	if len(f.Sales) > 0 {
		oldest = min(oldest, f.Sales[0].Day)
	}
	rule := &f.Terms
	for day := f.Day; len(measured) < assessedPeriods; {
		current, previous, ok := PeriodsOn(rule.Period, day)
		if !ok {
			break
		}
		for _, period := range []calendar.Period{current, previous} {
			seen := slices.ContainsFunc(measured, func(p Measurement) bool { return p.Period == period })
			if period.IsZero() || seen || len(measured) == assessedPeriods ||
				len(measured) > 0 && period.End < oldest &&
					day != f.Day {
				continue
			}
			p, err := rule.measure(period, f.Day, f.Sales, presence)
			if err != nil {
				return nil, err
			}
			measured = append(measured, p)
		}
		if current.End < oldest {
			break
		}
		day = before(rule.Period, current, day)
		if i := slices.IndexFunc(f.Rules, func(r Rule) bool { return r.Holds(day) }); i >= 0 {
			rule = &f.Rules[i]
		}
	}
	return measured, nil
}

// before is a day on which the model measured the previous period.
func before(model PeriodModel, current calendar.Period, day calendar.Date) calendar.Date {
	switch model {
	case PeriodPrevious4Quarters, PeriodPrevious4QuartersOffset, PeriodPrecedingYearQuarterly,
		PeriodPrecedingYearQuarterlyOffset:
		return current.End // in the quarter before
	case PeriodCurrentOrPrevious, PeriodCalendarYear, PeriodPrevious12Months:
		return current.Start.AddDays(-1)
	case PeriodPrecedingYear, PeriodPrecedingYearFromOctober:
	}
	return day.AddMonths(-monthsPerYear)
}

// Totals adds up all sales of a period, whether they count or not. Errors: ErrOverflow.
func Totals(p calendar.Period, sales []DailySales) (direct, marketplace DailySales, err error) {
	for i := range sales {
		s := &sales[i]
		if !p.Holds(s.Day) {
			continue
		}
		sum := &direct
		if s.Marketplace {
			sum = &marketplace
		}
		sum.Count += s.Count
		sum.ExemptCount += s.ExemptCount
		if sum.Amount, err = money.Add(sum.Amount, s.Amount); err != nil {
			return direct, marketplace, err
		}
		if sum.ExemptAmount, err = money.Add(sum.ExemptAmount, s.ExemptAmount); err != nil {
			return direct, marketplace, err
		}
	}
	return direct, marketplace, nil
}
