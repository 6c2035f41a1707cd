package testbed

import "time"

// FirstOfMonth is the first day of the month n months ago, at midnight UTC.
func FirstOfMonth(n int) time.Time {
	now := time.Now().UTC()
	return time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC).AddDate(0, -n, 0)
}
