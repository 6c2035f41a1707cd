package nexus

import (
	"slices"

	"levy/tax/calendar"
)

// First finds the first day up to until on which one of the rules was in force
// and met, and the state on that day. rules are those of one jurisdiction; sales are
// as for Evaluate. ok is false when there was no such day.
//
// Errors: as of Evaluate.
func First(rules []Rule, until calendar.Date, sales []DailySales, presence bool) (first Evaluation, ok bool,
	err error) {
	bounds := make([]*bound, len(rules))
	for i := range rules {
		if bounds[i], err = rules[i].bound(sales, presence); err != nil {
			return Evaluation{}, false, err
		}
	}
	for _, day := range testDays(rules, until, sales) {
		for i := range rules {
			if !rules[i].Holds(day) {
				continue
			}
			if possible, err := bounds[i].possible(day); err != nil || !possible {
				if err != nil {
					return Evaluation{}, false, err
				}
				continue
			}
			e, err := Evaluate(&rules[i], day, sales, presence, ApproachingPercent)
			if err != nil {
				return Evaluation{}, false, err
			}
			if e.Met {
				e.meetOn(&rules[i], day)
				e.ObligationStart, err = obligedSooner(&rules[i], &e, until, sales, presence)
				return e, err == nil, err
			}
		}
	}
	return Evaluation{}, false, nil
}

// meetOn sets the day on which nexus was met: the first day on which the threshold is exceeded. If the window moves
// with the day, that may be a day on which a refund leaves the window, long after the sales.
func (e *Evaluation) meetOn(rule *Rule, day calendar.Date) {
	if rule.Period == PeriodPrevious12Months {
		e.MetDate = day
		e.ObligationStart, _ = rule.Trigger.Start(day)
	}
}

// obligedSooner returns the first day on which tax must be collected. If the rule counts quarters, a single quarter may
// oblige sooner than the evaluation says. It considers the sales between the day of the evaluation and that first day.
func obligedSooner(rule *Rule, met *Evaluation, until calendar.Date, sales []DailySales, presence bool) (
	start calendar.Date, err error,
) {
	if !rule.countsQuarters() {
		return met.ObligationStart, nil
	}
	last := min(until, met.ObligationStart.AddDays(-1))
	if last <= met.Day {
		return met.ObligationStart, nil
	}
	e, err := Evaluate(rule, last, sales, presence, ApproachingPercent)
	return e.ObligationStart, err
}

// testDays returns the days on which the result can change from not met to met:
//
//   - a day with sales,
//   - the first day of a month, because a period may have ended the day before,
//   - the day on which another rule begins,
//   - the day on which a refund leaves a window that moves with the day.
func testDays(rules []Rule, until calendar.Date, sales []DailySales) []calendar.Date {
	if len(sales) == 0 {
		return nil
	}
	var days []calendar.Date
	month := calendar.FirstOfMonthFrom(sales[0].Day)
	for i := 0; i < len(sales) && sales[i].Day <= until; i++ {
		for ; month < sales[i].Day; month = month.AddMonths(1) {
			days = append(days, month)
		}
		days = append(days, sales[i].Day)
	}
	for ; month <= until; month = month.AddMonths(1) {
		days = append(days, month)
	}
	for _, r := range rules {
		if r.From > sales[0].Day && r.From <= until {
			days = append(days, r.From)
		}
	}
	if slices.ContainsFunc(rules, func(r Rule) bool { return r.Period == PeriodPrevious12Months }) {
		days = append(days, refundsLeave(sales, until)...)
	}
	slices.Sort(days)
	return slices.Compact(days)
}

// refundsLeave are the first days, up to one, on which the 12 months before hold a day no more that lowers what is counted.
func refundsLeave(sales []DailySales, until calendar.Date) (days []calendar.Date) {
	for i := range sales {
		s := &sales[i]
		if !s.Amount.IsNeg() && s.Amount.Cmp(s.ExemptAmount) >= 0 && s.Amount.Cmp(s.ResaleAmount) >= 0 {
			continue
		}
		day := s.Day.AddMonths(monthsPerYear)
		if day.AddMonths(-monthsPerYear) < s.Day { // 29 February
			day = day.AddDays(1)
		}
		if day <= until {
			days = append(days, day)
		}
	}
	return days
}
