package calendar_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax/calendar"
	"levy/tax/content"
)

// published is the calendar of the embedded tables.
func published(t *testing.T) *calendar.Calendar {
	t.Helper()
	d, err := content.Parse(content.Packed())
	require.NoError(t, err)
	return calendar.New(d.HolidayRules, d.FilingDues, func(at fmt.Stringer, format string, args ...any) {
		t.Errorf("%s: "+format, append([]any{at}, args...)...)
	})
}

// dueDays compares the due days of a state, which comes first in a row, for the periods
// that end on the given days.
func dueDays(t *testing.T, f calendar.FilingFrequency, ends []string, rows [][]string) {
	t.Helper()
	c := published(t)
	for _, row := range rows {
		for i, end := range ends {
			period, ok := f.PeriodOn(calendar.MustDate(end), calendar.TaxYear{Country: "US", State: row[0]})
			require.True(t, ok)
			require.Equal(t, end, period.End.String(), "the test names the last day of a period")
			due, ok := c.Due(row[0], f, calendar.FilingPeriod{Period: period, Category: calendar.FilingRegular})
			require.True(t, ok, row[0])
			require.False(t, due.Assumed, row[0])
			require.Equal(t, row[i+1], due.Date.String(), "%s, %s to %s", row[0], f, end)
		}
	}
}

// January of a leap year, December, and May 2026, whose 20th of June is a Saturday.
func TestMonthlyReturnsOfEveryState(t *testing.T) {
	t.Parallel()
	dueDays(t, calendar.FilingMonthly, []string{"2024-01-31", "2025-12-31", "2026-05-31"}, [][]string{
		{"AK", "2024-02-29", "2026-02-02", "2026-06-30"},
		{"AL", "2024-02-20", "2026-01-20", "2026-06-22"},
		{"AR", "2024-02-20", "2026-01-20", "2026-06-22"},
		{"AZ", "2024-02-20", "2026-01-20", "2026-06-22"},
		{"CA", "2024-02-29", "2026-02-02", "2026-06-30"},
		{"CO", "2024-02-20", "2026-01-20", "2026-06-22"},
		{"CT", "2024-02-29", "2026-02-02", "2026-06-30"},
		{"DC", "2024-02-20", "2026-01-20", "2026-06-22"},
		{"FL", "2024-02-20", "2026-01-20", "2026-06-22"},
		{"GA", "2024-02-20", "2026-01-20", "2026-06-22"},
		{"HI", "2024-02-20", "2026-01-20", "2026-06-22"},
		{"IA", "2024-02-29", "2026-02-02", "2026-06-30"},
		{"ID", "2024-02-20", "2026-01-20", "2026-06-22"},
		{"IL", "2024-02-20", "2026-01-20", "2026-06-22"},
		{"IN", "2024-03-01", "2026-01-30", "2026-06-30"},
		{"KS", "2024-02-26", "2026-01-26", "2026-06-25"},
		{"KY", "2024-02-20", "2026-01-20", "2026-06-22"},
		{"LA", "2024-02-20", "2026-01-20", "2026-06-22"},
		{"MA", "2024-03-01", "2026-01-30", "2026-06-30"},
		{"MD", "2024-02-20", "2026-01-20", "2026-06-22"},
		{"ME", "2024-02-15", "2026-01-15", "2026-06-15"},
		{"MI", "2024-02-20", "2026-01-20", "2026-06-22"},
		{"MN", "2024-02-20", "2026-01-20", "2026-06-22"},
		{"MO", "2024-02-20", "2026-02-02", "2026-06-22"},
		{"MS", "2024-02-20", "2026-01-20", "2026-06-22"},
		{"NC", "2024-02-20", "2026-01-20", "2026-06-22"},
		{"ND", "2024-02-29", "2026-02-02", "2026-06-30"},
		{"NE", "2024-02-20", "2026-01-20", "2026-06-22"},
		{"NJ", "2024-02-20", "2026-01-20", "2026-06-22"},
		{"NM", "2024-02-26", "2026-01-26", "2026-06-25"},
		{"NV", "2024-02-29", "2026-02-02", "2026-06-30"},
		{"NY", "2024-02-20", "2026-01-20", "2026-06-22"},
		{"OH", "2024-02-23", "2026-01-23", "2026-06-23"},
		{"OK", "2024-02-20", "2026-01-20", "2026-06-22"},
		{"PA", "2024-02-20", "2026-01-20", "2026-06-22"},
		{"PR", "2024-02-20", "2026-01-20", "2026-06-22"},
		{"RI", "2024-02-20", "2026-01-20", "2026-06-22"},
		{"SC", "2024-02-20", "2026-01-20", "2026-06-22"},
		{"SD", "2024-02-20", "2026-01-20", "2026-06-22"},
		{"TN", "2024-02-20", "2026-01-20", "2026-06-22"},
		{"TX", "2024-02-20", "2026-01-20", "2026-06-22"},
		{"UT", "2024-02-29", "2026-02-02", "2026-06-30"},
		{"VA", "2024-02-20", "2026-01-20", "2026-06-22"},
		{"VT", "2024-02-23", "2026-01-26", "2026-06-25"},
		{"WA", "2024-02-26", "2026-01-26", "2026-06-25"},
		{"WI", "2024-02-29", "2026-02-02", "2026-06-30"},
		{"WV", "2024-02-20", "2026-01-20", "2026-06-22"},
		{"WY", "2024-02-29", "2026-02-02", "2026-06-30"},
	})
}

// The 31st of January 2026 is a Saturday, the 25th of July and the 31st of October are too.
func TestQuarterlyReturnsOfEveryState(t *testing.T) {
	t.Parallel()
	dueDays(t, calendar.FilingQuarterly, []string{"2025-12-31", "2026-03-31", "2026-06-30", "2026-09-30"}, [][]string{
		{"AK", "2026-02-02", "2026-04-30", "2026-07-31", "2026-11-02"},
		{"AL", "2026-01-20", "2026-04-20", "2026-07-20", "2026-10-20"},
		{"AR", "2026-01-20", "2026-04-20", "2026-07-20", "2026-10-20"},
		{"AZ", "2026-01-20", "2026-04-20", "2026-07-20", "2026-10-20"},
		{"CA", "2026-02-02", "2026-04-30", "2026-07-31", "2026-11-02"},
		{"CO", "2026-01-20", "2026-04-20", "2026-07-20", "2026-10-20"},
		{"CT", "2026-02-02", "2026-04-30", "2026-07-31", "2026-11-02"},
		{"DC", "2026-01-20", "2026-04-20", "2026-07-20", "2026-10-20"},
		{"FL", "2026-01-20", "2026-04-20", "2026-07-20", "2026-10-20"},
		{"GA", "2026-01-20", "2026-04-20", "2026-07-20", "2026-10-20"},
		{"HI", "2026-01-20", "2026-04-20", "2026-07-20", "2026-10-20"},
		{"ID", "2026-01-20", "2026-04-20", "2026-07-20", "2026-10-20"},
		{"IL", "2026-01-20", "2026-04-20", "2026-07-20", "2026-10-20"},
		{"KS", "2026-01-26", "2026-04-27", "2026-07-27", "2026-10-26"},
		{"KY", "2026-01-20", "2026-04-20", "2026-07-20", "2026-10-20"},
		{"LA", "2026-01-20", "2026-04-20", "2026-07-20", "2026-10-20"},
		{"MA", "2026-01-30", "2026-04-30", "2026-07-30", "2026-10-30"},
		{"MD", "2026-01-20", "2026-04-20", "2026-07-20", "2026-10-20"},
		{"ME", "2026-01-15", "2026-04-15", "2026-07-15", "2026-10-15"},
		{"MI", "2026-01-20", "2026-04-20", "2026-07-20", "2026-10-20"},
		{"MN", "2026-01-20", "2026-04-20", "2026-07-20", "2026-10-20"},
		{"MO", "2026-02-02", "2026-04-30", "2026-07-31", "2026-11-02"},
		{"MS", "2026-01-20", "2026-04-20", "2026-07-20", "2026-10-20"},
		{"NC", "2026-02-02", "2026-04-30", "2026-07-31", "2026-11-02"},
		{"ND", "2026-02-02", "2026-04-30", "2026-07-31", "2026-11-02"},
		{"NE", "2026-01-20", "2026-04-20", "2026-07-20", "2026-10-20"},
		{"NJ", "2026-01-20", "2026-04-20", "2026-07-20", "2026-10-20"},
		{"NM", "2026-01-26", "2026-04-27", "2026-07-27", "2026-10-26"},
		{"NV", "2026-02-02", "2026-04-30", "2026-07-31", "2026-11-02"},
		{"OH", "2026-01-23", "2026-04-23", "2026-07-23", "2026-10-23"},
		{"PA", "2026-01-20", "2026-04-20", "2026-07-20", "2026-10-20"},
		{"RI", "2026-02-02", "2026-04-30", "2026-07-31", "2026-11-02"},
		{"SC", "2026-01-20", "2026-04-20", "2026-07-20", "2026-10-20"},
		{"SD", "2026-01-20", "2026-04-20", "2026-07-20", "2026-10-20"},
		{"TN", "2026-01-20", "2026-04-20", "2026-07-20", "2026-10-20"},
		{"TX", "2026-01-20", "2026-04-20", "2026-07-20", "2026-10-20"},
		{"UT", "2026-02-02", "2026-04-30", "2026-07-31", "2026-11-02"},
		{"VA", "2026-01-20", "2026-04-20", "2026-07-20", "2026-10-20"},
		{"VT", "2026-01-26", "2026-04-27", "2026-07-27", "2026-10-26"},
		{"WA", "2026-02-02", "2026-04-30", "2026-07-31", "2026-11-02"},
		{"WI", "2026-02-02", "2026-04-30", "2026-07-31", "2026-11-02"},
		{"WV", "2026-01-20", "2026-04-20", "2026-07-20", "2026-10-20"},
		{"WY", "2026-02-02", "2026-04-30", "2026-07-31", "2026-11-02"},
	})
}

// Periods that are not those of the calendar: the 20th of June and of December 2026 are no
// business days.
func TestReturnsOfOtherPeriods(t *testing.T) {
	t.Parallel()
	quarters := []string{"2026-02-28", "2026-05-31", "2026-08-31", "2026-11-30"}
	dueDays(t, calendar.FilingQuarterly, quarters, [][]string{
		{"NY", "2026-03-20", "2026-06-22", "2026-09-21", "2026-12-21"},
	})
	dueDays(t, calendar.FilingQuarterlyPrepayment, quarters, [][]string{
		{"NY", "2026-03-20", "2026-06-22", "2026-09-21", "2026-12-21"},
	})
	dueDays(t, calendar.FilingAnnually, []string{"2024-02-29", "2026-02-28"}, [][]string{
		{"NY", "2024-03-20", "2026-03-20"},
	})
	dueDays(t, calendar.FilingAnnually, []string{"2024-09-30", "2025-09-30"}, [][]string{
		{"DC", "2024-10-21", "2025-10-20"},
	})
	c := published(t)
	due, ok := c.Due("NY", calendar.FilingQuarterlyPrepayment, calendar.FilingPeriod{
		Period: calendar.Period{Start: 20260401, End: 20260430}, Category: calendar.FilingPrepayment,
	})
	require.True(t, ok)
	require.False(t, due.Assumed)
	require.Equal(t, "2026-05-20", due.Date.String(), "form ST-809")
}

// Both halves of 2026, and the second one of a year that ends before a weekend.
func TestHalfYearlyReturnsOfEveryState(t *testing.T) {
	t.Parallel()
	dueDays(t, calendar.FilingSemiAnnually, []string{"2026-06-30", "2026-12-31", "2023-12-31"}, [][]string{
		{"FL", "2026-07-20", "2027-01-20", "2024-01-22"},
		{"HI", "2026-07-20", "2027-01-20", "2024-01-22"},
		{"ID", "2026-07-20", "2027-01-20", "2024-01-22"},
		{"MD", "2026-07-20", "2027-01-20", "2024-01-22"},
		{"ME", "2026-07-15", "2027-01-15", "2024-01-16"},
		{"NM", "2026-07-27", "2027-01-25", "2024-01-25"},
		{"OH", "2026-07-23", "2027-01-25", "2024-01-23"},
		{"OK", "2026-07-20", "2027-01-20", "2024-01-22"},
		{"PA", "2026-08-20", "2027-02-22", "2024-02-20"},
		{"SD", "2026-07-20", "2027-01-20", "2024-01-22"},
	})
}

// The 20th of January 2025 is Martin Luther King Day, that of 2024 a Saturday.
func TestYearlyReturnsOfEveryState(t *testing.T) {
	t.Parallel()
	dueDays(t, calendar.FilingAnnually, []string{"2023-12-31", "2024-12-31", "2025-12-31"}, [][]string{
		{"AL", "2024-01-22", "2025-01-21", "2026-01-20"},
		{"AR", "2024-01-22", "2025-01-21", "2026-01-20"},
		{"AZ", "2024-01-22", "2025-01-21", "2026-01-20"},
		{"CA", "2024-01-31", "2025-01-31", "2026-02-02"},
		{"CO", "2024-01-22", "2025-01-21", "2026-01-20"},
		{"CT", "2024-01-31", "2025-01-31", "2026-02-02"},
		{"FL", "2024-01-22", "2025-01-21", "2026-01-20"},
		{"GA", "2024-01-22", "2025-01-21", "2026-01-20"},
		{"IA", "2024-01-31", "2025-01-31", "2026-02-02"},
		{"ID", "2024-01-22", "2025-01-21", "2026-01-20"},
		{"IL", "2024-01-22", "2025-01-21", "2026-01-20"},
		{"IN", "2024-01-31", "2025-01-31", "2026-02-02"},
		{"KS", "2024-01-25", "2025-01-27", "2026-01-26"},
		{"KY", "2024-01-22", "2025-01-21", "2026-01-20"},
		{"MA", "2024-01-30", "2025-01-30", "2026-01-30"},
		{"MD", "2024-01-22", "2025-01-21", "2026-01-20"},
		{"ME", "2024-01-16", "2025-01-15", "2026-01-15"},
		{"MI", "2024-02-28", "2025-02-28", "2026-03-02"},
		{"MN", "2024-02-05", "2025-02-05", "2026-02-05"},
		{"MO", "2024-01-31", "2025-01-31", "2026-02-02"},
		{"MS", "2024-01-22", "2025-01-21", "2026-01-20"},
		{"ND", "2024-01-31", "2025-01-31", "2026-02-02"},
		{"NE", "2024-01-22", "2025-01-21", "2026-01-20"},
		{"NV", "2024-01-31", "2025-01-31", "2026-02-02"},
		{"SC", "2024-01-22", "2025-01-21", "2026-01-20"},
		{"SD", "2024-01-22", "2025-01-21", "2026-01-20"},
		{"TN", "2024-01-22", "2025-01-21", "2026-01-20"},
		{"TX", "2024-01-22", "2025-01-21", "2026-01-20"},
		{"UT", "2024-01-31", "2025-01-31", "2026-02-02"},
		{"VT", "2024-01-25", "2025-01-27", "2026-01-26"},
		{"WA", "2024-04-15", "2025-04-15", "2026-04-15"},
		{"WI", "2024-01-31", "2025-01-31", "2026-02-02"},
		{"WV", "2024-01-22", "2025-01-21", "2026-01-20"},
		{"WY", "2024-01-31", "2025-01-31", "2026-02-02"},
	})
}

// A state without a rule for a frequency has that of the next shorter one.
func TestReturnsWithoutARuleOfTheirOwn(t *testing.T) {
	t.Parallel()
	c := published(t)
	for _, test := range []struct {
		frequency  calendar.FilingFrequency
		start, end string
		dues       [][2]string
	}{
		{calendar.FilingAnnually, "2025-01-01", "2025-12-31", [][2]string{
			{"AK", "2026-02-02"}, {"HI", "2026-01-20"}, {"LA", "2026-01-20"}, {"NC", "2026-02-02"},
			{"NJ", "2026-01-20"}, {"NM", "2026-01-26"}, {"OH", "2026-01-23"}, {"OK", "2026-01-20"},
			{"PA", "2026-02-20"}, {"PR", "2026-01-20"}, {"RI", "2026-02-02"}, {"VA", "2026-01-20"},
		}},
		{calendar.FilingSemiAnnually, "2026-01-01", "2026-06-30", [][2]string{
			{"AK", "2026-07-31"}, {"AL", "2026-07-20"}, {"AR", "2026-07-20"}, {"AZ", "2026-07-20"},
			{"CA", "2026-07-31"}, {"CO", "2026-07-20"}, {"CT", "2026-07-31"}, {"DC", "2026-07-20"},
			{"GA", "2026-07-20"}, {"IA", "2026-07-31"}, {"IL", "2026-07-20"}, {"IN", "2026-07-30"},
			{"KS", "2026-07-27"}, {"KY", "2026-07-20"}, {"LA", "2026-07-20"}, {"MA", "2026-07-30"},
			{"MI", "2026-07-20"}, {"MN", "2026-07-20"}, {"MO", "2026-07-31"}, {"MS", "2026-07-20"},
			{"NC", "2026-07-31"}, {"ND", "2026-07-31"}, {"NE", "2026-07-20"}, {"NJ", "2026-07-20"},
			{"NV", "2026-07-31"}, {"NY", "2026-07-20"}, {"PR", "2026-07-20"}, {"RI", "2026-07-31"},
			{"SC", "2026-07-20"}, {"TN", "2026-07-20"}, {"TX", "2026-07-20"}, {"UT", "2026-07-31"},
			{"VA", "2026-07-20"}, {"VT", "2026-07-27"}, {"WA", "2026-07-31"}, {"WI", "2026-07-31"},
			{"WV", "2026-07-20"}, {"WY", "2026-07-31"},
		}},
		{calendar.FilingQuarterly, "2026-01-01", "2026-03-31", [][2]string{
			{"IA", "2026-04-30"}, {"IN", "2026-04-30"}, {"OK", "2026-04-20"}, {"PR", "2026-04-20"},
		}},
		{calendar.FilingBiMonthly, "2026-01-01", "2026-02-28", [][2]string{
			{"TX", "2026-03-20"}, {"CA", "2026-03-31"}, {"IN", "2026-03-30"}, {"ME", "2026-03-16"},
		}},
		{calendar.FilingFourMonthly, "2026-01-01", "2026-04-30", [][2]string{
			{"TX", "2026-05-20"}, {"CA", "2026-06-01"}, {"MO", "2026-06-01"}, {"IN", "2026-06-01"},
		}},
		{calendar.FilingSemiMonthly, "2026-07-01", "2026-07-15", [][2]string{
			{"TX", "2026-08-20"}, {"CA", "2026-08-31"}, {"MA", "2026-08-14"}, {"OH", "2026-08-24"},
		}},
		{calendar.FilingAnnualFiscalYear, "2025-07-01", "2026-06-30", [][2]string{
			{"TX", "2027-01-20"}, {"PA", "2026-08-20"}, {"MI", "2027-03-01"}, {"NJ", "2026-07-20"},
		}},
	} {
		period := calendar.Period{Start: calendar.MustDate(test.start), End: calendar.MustDate(test.end)}
		for _, want := range test.dues {
			due, ok := c.Due(want[0], test.frequency, calendar.FilingPeriod{
				Period: period, Category: calendar.FilingRegular,
			})
			require.True(t, ok, want[0])
			require.True(t, due.Assumed, "%s, %s", want[0], test.frequency)
			require.Equal(t, want[1], due.Date.String(), "%s, %s", want[0], test.frequency)
		}
	}
}

// California wants two payments on account in each quarter, on the 24th of the month after. The third month is in the
// return of the quarter.
func TestPaymentsOnAccountOfCalifornia(t *testing.T) {
	t.Parallel()
	c := published(t)
	periods := calendar.FilingQuarterlyPrepayment.PeriodsEnding(
		calendar.MustDate("2026-01-31"), calendar.MustDate("2026-06-30"), calendar.TaxYear{Country: "US", State: "CA"})
	var dues []string
	for _, p := range periods {
		due, ok := c.Due("CA", calendar.FilingQuarterlyPrepayment, p)
		require.True(t, ok)
		require.False(t, due.Assumed)
		dues = append(dues, fmt.Sprintf("%s to %s %s", p.Category, p.End, due.Date))
	}
	require.Equal(t, []string{
		"PREPAYMENT to 2026-01-31 2026-02-24", "PREPAYMENT to 2026-02-28 2026-03-24",
		"REGULAR to 2026-03-31 2026-04-30",
		"PREPAYMENT to 2026-04-30 2026-05-26", "PREPAYMENT to 2026-06-15 2026-06-24",
		"REGULAR to 2026-06-30 2026-07-31",
	}, dues, "24 May 2026 is a Sunday, and the day after is Memorial Day; 6471(a)(2) and 6472(b)(2)")
	fiscal := calendar.FilingPeriod{
		Period: calendar.Period{Start: 20250701, End: 20260630}, Category: calendar.FilingRegular,
	}
	due, ok := c.Due("CA", calendar.FilingAnnualFiscalYear, fiscal)
	require.True(t, ok)
	require.Equal(t, "2026-07-31", due.Date.String())
	require.False(t, due.Assumed, "California has a rule for fiscal years")
}

func TestUsualFrequencies(t *testing.T) {
	t.Parallel()
	c := published(t)
	for frequency, states := range map[calendar.FilingFrequency][]string{
		calendar.FilingQuarterly: {"CA", "CT", "FL", "MD", "ND", "NJ", "NY", "UT", "VT", "WA", "WI"},
		calendar.FilingMonthly: {
			"AK", "AL", "AR", "AZ", "CO", "DC", "GA", "HI", "IA", "ID", "IL", "IN", "KS", "KY", "LA", "MA", "ME", "MI", "MN",
			"MO", "MS", "NC", "NE", "NM", "NV", "OH", "OK", "PA", "PR", "RI", "SC", "SD", "TN", "TX", "VA", "WV", "WY",
		},
	} {
		for _, state := range states {
			require.Equal(t, frequency, c.UsualFrequency("US", state), state)
		}
	}
	for _, other := range [][2]string{{"US", "OR"}, {"US", ""}, {"DE", "DE"}, {"CA", "CA"}, {"ZZ_EU", "ZZ_EU"}} {
		require.Equal(t, calendar.FilingQuarterly, c.UsualFrequency(other[0], other[1]), other)
	}
	for _, none := range []string{"DE", "MT", "NH", "OR", "ON", ""} {
		january := calendar.FilingPeriod{Period: calendar.Period{Start: 20260101, End: 20260131}}
		_, ok := c.Due(none, calendar.FilingMonthly, january)
		require.False(t, ok, none)
	}
}

// Returns abroad are due on the day that the law of the country names.
func TestDueDaysAbroad(t *testing.T) {
	t.Parallel()
	c := published(t)
	for _, test := range []struct {
		country, state string
		frequency      calendar.FilingFrequency
		end, due       string
	}{
		{"CA", "CA", calendar.FilingQuarterly, "2026-03-31", "2026-04-30"},
		{"CA", "BC", calendar.FilingMonthly, "2026-01-31", "2026-02-28"},
		{"CA", "SK", calendar.FilingQuarterly, "2026-03-31", "2026-04-20"},
		{"ZZ_EU", "ZZ_EU", calendar.FilingQuarterly, "2026-06-30", "2026-07-31"},
		{"ZZ_EU", "ZZ_EU", calendar.FilingQuarterly, "2026-01-15", "2026-04-30"},
		{"GB", "GB", calendar.FilingQuarterly, "2026-03-31", "2026-05-07"},
		{"CH", "CH", calendar.FilingQuarterly, "2026-06-30", "2026-08-29"},
		{"NO", "NO", calendar.FilingQuarterly, "2026-06-30", "2026-07-20"},
		{"DE", "DE", calendar.FilingMonthly, "2026-01-31", "2026-02-10"},
		{"AU", "AU", calendar.FilingQuarterly, "2026-03-31", "2026-04-28"},
		{"AU", "AU", calendar.FilingQuarterly, "2026-12-31", "2027-02-28"},
		{"NZ", "NZ", calendar.FilingQuarterly, "2026-03-31", "2026-05-07"},
		{"NZ", "NZ", calendar.FilingQuarterly, "2026-06-30", "2026-07-28"},
		{"IN", "IN", calendar.FilingMonthly, "2026-01-31", "2026-02-20"},
		{"SG", "SG", calendar.FilingQuarterly, "2026-06-30", "2026-07-31"},
		{"KR", "KR", calendar.FilingQuarterly, "2026-03-31", "2026-04-25"},
		{"MX", "MX", calendar.FilingMonthly, "2026-01-31", "2026-02-17"},
		{"AE", "AE", calendar.FilingQuarterly, "2026-03-31", "2026-04-28"},
		{"SA", "SA", calendar.FilingMonthly, "2026-01-31", "2026-02-28"},
		{"US", "CA", calendar.FilingQuarterly, "2026-03-31", "2026-04-30"},
		{"FR", "FR", calendar.FilingMonthly, "2026-01-31", ""},
		{"NO", "NO", calendar.FilingBiMonthly, "2026-06-30", ""},
	} {
		due, ok := c.DueIn(test.country, test.state, test.frequency, calendar.FilingPeriod{
			Period: calendar.Period{End: calendar.MustDate(test.end)}, Category: calendar.FilingRegular,
		})
		require.Equal(t, test.due != "", ok, "%s %s", test.country, test.state)
		if ok {
			require.Equal(t, test.due, due.Date.String(), "%s %s", test.country, test.state)
		}
	}
}
