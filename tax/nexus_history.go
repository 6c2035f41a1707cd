package tax

import (
	"errors"
	"slices"
)

// ErrPeriodModel is wrapped when a rule has a period model that is not known.
var ErrPeriodModel = errors.New("unknown period model")

// FirstNexus finds the first day up to until on which one of the rules was in force
// and met, and the state on that day. rules are those of one jurisdiction; sales are
// as for EvaluateNexus. ok is false when there was no such day.
//
// Errors: as of EvaluateNexus.
func FirstNexus(rules []NexusRule, until Date, sales []DailySales, presence bool) (first NexusEvaluation, ok bool, err error) {
	bounds := make([]*nexusBound, len(rules))
	for i := range rules {
		if bounds[i], err = rules[i].bound(sales, presence); err != nil {
			return NexusEvaluation{}, false, err
		}
	}
	for _, day := range testDays(rules, until, sales) {
		for i := range rules {
			if !rules[i].holds(day) {
				continue
			}
			if possible, err := bounds[i].possible(day); err != nil || !possible {
				if err != nil {
					return NexusEvaluation{}, false, err
				}
				continue
			}
			e, err := EvaluateNexus(&rules[i], day, sales, presence, ApproachingPercent)
			if err != nil {
				return NexusEvaluation{}, false, err
			}
			if e.Met {
				return e, true, nil
			}
		}
	}
	return NexusEvaluation{}, false, nil
}

// testDays are the days on which the outcome can change from not met to met: a day
// of sales, the day after a month in which a period may have ended, and the day on
// which another rule begins.
func testDays(rules []NexusRule, until Date, sales []DailySales) []Date {
	if len(sales) == 0 {
		return nil
	}
	var days []Date
	month := firstFrom(sales[0].Day)
	for i := 0; i < len(sales) && sales[i].Day <= until; i++ {
		for ; month < sales[i].Day; month = month.addMonths(1) {
			days = append(days, month)
		}
		days = append(days, sales[i].Day)
	}
	for ; month <= until; month = month.addMonths(1) {
		days = append(days, month)
	}
	for _, r := range rules {
		if r.From > sales[0].Day && r.From <= until {
			days = append(days, r.From)
		}
	}
	slices.Sort(days)
	return slices.Compact(days)
}
