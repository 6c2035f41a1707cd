package calendar

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// FuzzDates: a day that is read is one of the calendar, and is written as it was read.
func FuzzDates(f *testing.F) {
	for _, text := range []string{"2026-05-15", "2024-02-29", "2023-02-29", "0000-01-01", "0001-01-01", "9999-12-31",
		"2026-13-01", "2026-5-15", "2026/05/15", "٢٠٢٦-٠٥"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := ParseDate(text)
		at, other := time.Parse(time.DateOnly, text)
		if err != nil {
			require.ErrorIs(t, err, ErrDate)
			require.True(t, other != nil || at.Year() == 0, "%q is a day", text)
			return
		}
		require.NoError(t, other)
		require.Equal(t, text, d.String())
		require.Equal(t, at, d.Time())
		require.Equal(t, d, d.AddDays(1).AddDays(-1))
	})
}

// FuzzDueRule: a rule of the content is refused, or gives a due day after the period.
func FuzzDueRule(f *testing.F) {
	for _, rule := range []string{"DAY:20", "LAST", "PLUS_DAYS:30", "MONTH4_DAY:15", "DATE:04-15", "DATE:02-29", "DAY:31",
		"DAY:-1", "MONTH_DAY:1", "PLUS_DAYS:99999999999999999999", "LAST:", "DATE:* *"} {
		f.Add(rule)
	}
	f.Fuzz(func(t *testing.T, rule string) {
		schedule, err := parseDue(rule)
		if err != nil {
			return
		}
		for _, end := range []string{"2024-02-29", "2026-12-31", "2026-01-31"} {
			due := schedule.Next(MustDate(end).Time())
			require.True(t, due.After(MustDate(end).Time()), "%s is due %s", end, due)
			require.Less(t, due.Sub(MustDate(end).Time()), 500*24*time.Hour)
		}
	})
}
