package tax

import "slices"

// NexusFacts are what is known of a seller in one jurisdiction.
type NexusFacts struct {
	Day   Date
	Terms NexusRule    // as on the day
	Rules []NexusRule  // all there ever were, oldest first
	Sales []DailySales // in the currency of the rules, in order of days
	// Presences are the days of physical presence; one without an end goes on.
	Presences []Period
	// Approaching is the share of a threshold in percent from which on it is approached.
	Approaching int
}

// NexusAssessment is where a seller stands in a jurisdiction on a day. Days that are
// zero do not exist.
type NexusAssessment struct {
	Now NexusEvaluation // by the rule of the day
	// First is the evaluation on the day that made economic nexus: once made, nexus
	// stays, as long as the sales behind it do. Zero: never.
	First NexusEvaluation
	// Crossed is the period whose sales crossed the threshold on that day.
	Crossed  *NexusPeriod
	Economic Date // the day of economic nexus
	Physical Date // first day of a presence that lasts
	Forecast *NexusForecast
	Periods  []NexusPeriod // newest first
}

// assessedPeriods is how many periods an assessment shows at most.
const assessedPeriods = 8

// AssessNexus finds where a seller stands. Errors: as of EvaluateNexus.
func AssessNexus(f *NexusFacts) (a NexusAssessment, err error) {
	for _, p := range f.Presences {
		if p.Start <= f.Day && (p.End == 0 || f.Day <= p.End) && (a.Physical == 0 || p.Start < a.Physical) {
			a.Physical = p.Start
		}
	}
	presence := a.Physical != 0
	if a.Now, err = EvaluateNexus(&f.Terms, f.Day, f.Sales, presence, f.Approaching); err != nil {
		return a, err
	}
	first, met, err := FirstNexus(f.Rules, f.Day, f.Sales, presence)
	if err != nil {
		return a, err
	}
	if met {
		a.First, a.Economic = first, first.MetDate
		a.Crossed = &a.First.Current
		if first.Previous != nil && first.Previous.Met {
			a.Crossed = first.Previous
		}
	} else if !f.Terms.Presence {
		forecast, ok, err := ForecastNexus(&f.Terms, f.Day, f.Sales, presence)
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

// periods measures the periods that were evaluated, newest first: those of the day,
// and those before by the rules that were in force at their ends.
func (f *NexusFacts) periods(presence bool) ([]NexusPeriod, error) {
	var measured []NexusPeriod
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
		for _, period := range []Period{current, previous} {
			seen := slices.ContainsFunc(measured, func(p NexusPeriod) bool { return p.Period == period })
			if period.IsZero() || seen || len(measured) == assessedPeriods || len(measured) > 0 && period.End < oldest && day != f.Day {
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
		if i := slices.IndexFunc(f.Rules, func(r NexusRule) bool { return r.holds(day) }); i >= 0 {
			rule = &f.Rules[i]
		}
	}
	return measured, nil
}

// before is a day on which the model looked at the period before.
func before(model PeriodModel, current Period, day Date) Date {
	switch model {
	case PeriodPrevious4Quarters, PeriodPrevious4QuartersOffset, PeriodPrecedingYearQuarterly, PeriodPrecedingYearQuarterlyOffset:
		return current.End // in the quarter before
	case PeriodCurrentOrPrevious, PeriodCalendarYear, PeriodPrevious12Months:
		return current.Start.AddDays(-1)
	case PeriodPrecedingYear, PeriodPrecedingYearFromOctober:
	}
	return day.addMonths(-monthsPerYear)
}

// Totals adds up all sales of a period, whether they count or not. Errors: ErrOverflow.
func (p Period) Totals(sales []DailySales) (direct, marketplace DailySales, err error) {
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
		if sum.Amount, err = Add(sum.Amount, s.Amount); err != nil {
			return direct, marketplace, err
		}
		if sum.ExemptAmount, err = Add(sum.ExemptAmount, s.ExemptAmount); err != nil {
			return direct, marketplace, err
		}
	}
	return direct, marketplace, nil
}
