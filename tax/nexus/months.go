package nexus

import "levy/tax/calendar"

// Months returns the counted sales of each of the n months up to that of the day, the oldest first. average is that of
// the full months that a forecast uses. sales are as for Evaluate.
//
// Errors: as of Evaluate.
func Months(rule *Rule, day calendar.Date, n int, sales []DailySales, presence bool) (
	months []DailySales, average DailySales, err error,
) {
	n = max(n, forecastBase+1)
	first := calendar.DateOn(day.Year(), day.Month(), 1).AddMonths(1 - n)
	months = make([]DailySales, n)
	for i := range months {
		month := calendar.Period{Start: first.AddMonths(i), End: first.AddMonths(i).LastOfMonth()}
		p, err := rule.measure(month, min(month.End, day), sales, presence)
		if err != nil {
			return nil, DailySales{}, err
		}
		months[i] = DailySales{Day: month.Start, Count: p.Count, Amount: p.Amount}
	}
	average, err = averageOf(months[n-1-forecastBase : n-1])
	return months, average, err
}
