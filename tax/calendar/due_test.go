package calendar

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestPeriodOfEveryFrequency(t *testing.T) {
	t.Parallel()
	fiscal := MustDate("2000-06-30")
	for _, test := range []struct {
		frequency       FilingFrequency
		day, start, end string
		fiscal          Date
	}{
		{FilingMonthly, "2024-02-29", "2024-02-01", "2024-02-29", 0},
		{FilingMonthly, "2026-02-01", "2026-02-01", "2026-02-28", 0},
		{FilingSemiMonthly, "2026-02-15", "2026-02-01", "2026-02-15", 0},
		{FilingSemiMonthly, "2026-02-16", "2026-02-16", "2026-02-28", 0},
		{FilingBiMonthly, "2026-04-30", "2026-03-01", "2026-04-30", 0},
		{FilingQuarterly, "2026-05-15", "2026-04-01", "2026-06-30", 0},
		{FilingQuarterlyPrepayment, "2026-12-31", "2026-10-01", "2026-12-31", 0},
		{FilingFourMonthly, "2026-05-01", "2026-05-01", "2026-08-31", 0},
		{FilingSemiAnnually, "2026-07-01", "2026-07-01", "2026-12-31", 0},
		{FilingAnnually, "2026-05-15", "2026-01-01", "2026-12-31", 0},
		{FilingAnnualFiscalYear, "2026-06-30", "2025-07-01", "2026-06-30", fiscal},
		{FilingAnnualFiscalYear, "2026-07-01", "2026-07-01", "2027-06-30", fiscal},
		{FilingAnnualFiscalYear, "2024-02-29", "2023-03-01", "2024-02-29", MustDate("2025-02-28")},
		{FilingAnnualFiscalYear, "2024-03-01", "2024-03-01", "2025-02-28", MustDate("2024-02-29")},
	} {
		p, ok := test.frequency.PeriodOn(MustDate(test.day), TaxYear{FiscalEnd: test.fiscal})
		require.True(t, ok)
		require.Equal(t, Period{MustDate(test.start), MustDate(test.end)}, p, "%s on %s", test.frequency, test.day)
	}
	for _, none := range []FilingFrequency{FilingUnknown, FilingAnnualFiscalYear, "WEEKLY"} {
		_, ok := none.PeriodOn(20260515, TaxYear{})
		require.False(t, ok, none)
		require.Empty(t, none.PeriodsEnding(20260101, 20261231, TaxYear{}))
	}
}

// Periods follow each other without gap or overlap, and cover every day.
func TestPeriodsCoverEveryDayOnce(t *testing.T) {
	t.Parallel()
	for _, f := range []FilingFrequency{FilingMonthly, FilingSemiMonthly, FilingBiMonthly, FilingQuarterly,
		FilingFourMonthly, FilingSemiAnnually,
		FilingAnnually, FilingAnnualFiscalYear} {
		periods := f.PeriodsEnding(20230101, 20271231, TaxYear{FiscalEnd: 20000915})
		for i := 1; i < len(periods); i++ {
			require.Equal(t, periods[i-1].End.AddDays(1), periods[i].Start, f)
		}
		require.LessOrEqual(t, periods[0].Start, Date(20230101), f)
		for _, p := range periods {
			for _, day := range []Date{p.Start, p.End} {
				found, ok := f.PeriodOn(day, TaxYear{FiscalEnd: 20000915})
				require.True(t, ok)
				require.Equal(t, p.Period, found, f)
			}
		}
	}
}

func TestPeriodsThatHaveEnded(t *testing.T) {
	t.Parallel()
	quarters := FilingQuarterly.PeriodsEnding(MustDate("2026-03-31"), MustDate("2026-06-30"), TaxYear{})
	require.Equal(t, []FilingPeriod{
		{Period{20260101, 20260331}, FilingRegular}, {Period{20260401, 20260630}, FilingRegular},
	}, quarters, "both days count")
	require.Empty(t, FilingQuarterly.PeriodsEnding(MustDate("2026-04-01"), MustDate("2026-06-29"), TaxYear{}))
	require.Equal(t, []FilingPeriod{{Period{20260101, 20260331}, FilingRegular}},
		FilingQuarterlyPrepayment.PeriodsEnding(MustDate("2026-01-01"), MustDate("2026-04-29"), TaxYear{}),
		"no payments on account without a law that names them")
}

// Periods that are not those of the calendar, by the law of their authority.
func TestPeriodsOfAuthorities(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		law, country, state string
		frequency           FilingFrequency
		day, start, end     string
	}{
		{"NY Tax Law 1136(b): March to May", "US", "NY", FilingQuarterly, "2026-03-01", "2026-03-01", "2026-05-31"},
		{"NY Tax Law 1136(b): March to May", "US", "NY", FilingQuarterly, "2026-05-31", "2026-03-01", "2026-05-31"},
		{"NY Tax Law 1136(b): June to August", "US", "NY", FilingQuarterly, "2026-06-01", "2026-06-01", "2026-08-31"},
		{"NY Tax Law 1136(b): September to November", "US", "NY", FilingQuarterly, "2026-10-15", "2026-09-01", "2026-11-30"},
		{"NY Tax Law 1136(b): December to February", "US", "NY", FilingQuarterly, "2026-12-01", "2026-12-01", "2027-02-28"},
		{"NY, in a leap year", "US", "NY", FilingQuarterly, "2024-01-31", "2023-12-01", "2024-02-29"},
		{"NY form ST-101: March to February", "US", "NY", FilingAnnually, "2026-02-28", "2025-03-01", "2026-02-28"},
		{"NY form ST-101: March to February", "US", "NY", FilingAnnually, "2026-03-01", "2026-03-01", "2027-02-28"},
		{"NY form ST-810: part-quarterly", "US", "NY", FilingQuarterlyPrepayment, "2026-04-15", "2026-03-01", "2026-05-31"},
		{"NY: months are months", "US", "NY", FilingMonthly, "2026-04-15", "2026-04-01", "2026-04-30"},
		{"DC form FR-800A: October to September", "US", "DC", FilingAnnually, "2026-09-30", "2025-10-01", "2026-09-30"},
		{"DC form FR-800A: October to September", "US", "DC", FilingAnnually, "2026-10-01", "2026-10-01", "2027-09-30"},
		{"DC: quarters of the calendar", "US", "DC", FilingQuarterly, "2026-05-15", "2026-04-01", "2026-06-30"},
		{"CDTFA: July to June", "US", "CA", FilingAnnualFiscalYear, "2026-06-30", "2025-07-01", "2026-06-30"},
		{"CDTFA: July to June", "US", "CA", FilingAnnualFiscalYear, "2026-07-01", "2026-07-01", "2027-06-30"},
		{"Canada: by the fiscal year", "CA", "CA", FilingAnnualFiscalYear, "2026-07-01", "2025-10-01", "2026-09-30"},
		{"all others: the calendar", "US", "NJ", FilingQuarterly, "2026-05-15", "2026-04-01", "2026-06-30"},
	} {
		year := TaxYear{Country: test.country, State: test.state, FiscalEnd: MustDate("2000-09-30")}
		p, ok := test.frequency.PeriodOn(MustDate(test.day), year)
		require.True(t, ok, test.law)
		require.Equal(t, Period{MustDate(test.start), MustDate(test.end)}, p, "%s on %s", test.law, test.day)
	}
	// Forms ST-809 for the first two months, ST-810 for the quarter.
	require.Equal(t, []FilingPeriod{
		{Period{20260301, 20260331}, FilingPrepayment}, {Period{20260401, 20260430}, FilingPrepayment},
		{Period{20260301, 20260531}, FilingRegular},
	}, FilingQuarterlyPrepayment.PeriodsEnding(
		MustDate("2026-03-01"), MustDate("2026-06-29"), TaxYear{Country: "US", State: "NY"},
	))
}

func TestDueRules(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ rule, end, due string }{
		{"DAY:20", "2026-05-31", "2026-06-20"},
		{"DAY:20", "2025-12-31", "2026-01-20"},
		{"DAY:20", "2026-05-15", "2026-06-20"}, // a period inside a month
		{"DAY:28", "2026-01-31", "2026-02-28"},
		{"LAST", "2026-01-31", "2026-02-28"},
		{"LAST", "2024-01-31", "2024-02-29"},
		{"LAST", "2025-12-31", "2026-01-31"},
		{"LAST", "2026-03-15", "2026-04-30"},
		{"PLUS_DAYS:30", "2026-01-31", "2026-03-02"},
		{"PLUS_DAYS:30", "2024-01-31", "2024-03-01"},
		{"DATE:01-20", "2025-12-31", "2026-01-20"},
		{"DATE:10-20", "2025-12-31", "2026-10-20"},
		{"DATE:02-28", "2023-12-31", "2024-02-28"},
		{"DATE:12-31", "2025-12-31", "2026-12-31"},
		{"MONTH4_DAY:20", "2025-12-31", "2026-04-20"},
		{"MONTH2_DAY:20", "2026-06-30", "2026-08-20"},
		{"MONTH2_DAY:20", "2025-12-31", "2026-02-20"},
	} {
		schedule, err := parseDue(test.rule)
		require.NoError(t, err, test.rule)
		require.Equal(
			t, test.due, DateOf(schedule.Next(MustDate(test.end).Time())).String(), "%s after %s", test.rule,
			test.end,
		)
		require.Equal(t, time.UTC, schedule.Next(MustDate(test.end).Time()).Location())
	}
	for _, wrong := range []string{"", "DAY", "DAY:", "DAY:0", "DAY:29", "DAY:31", "DAY:x", "LAST:1", "PLUS_DAYS:0",
		"PLUS_DAYS:367", "DATE:02-29", "DATE:02-30",
		"DATE:13-01", "DATE:* *", "MONTH0_DAY:1", "MONTH13_DAY:1", "MONTH4:1", "MONTH_DAY:1", "MONTH4_DAY:29", "@every 1h",
		"TZ=UTC", "0 0 20 * *"} {
		_, err := parseDue(wrong)
		require.Error(t, err, wrong)
	}
}

func TestHolidayRules(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ rule, observed, in2026 string }{
		{"FIXED:07-04", "NEAREST", "2026-07-03"}, // a Saturday
		{"FIXED:07-04", "NONE", "2026-07-04"},
		{"FIXED:03-01", "NEAREST", "2026-03-02"}, // a Sunday
		{"NTH:01:MON:3", "NONE", "2026-01-19"},
		{"NTH:06:MON:1", "NONE", "2026-06-01"},
		{"NTH:11:THU:4", "NONE", "2026-11-26"},
		{"LAST:05:MON", "NONE", "2026-05-25"},
		{"LAST:02:SAT", "NONE", "2026-02-28"},
	} {
		h, err := HolidayRow{Rule: test.rule, Observed: test.observed, Scope: []string{"US"}}.parse()
		require.NoError(t, err)
		require.Equal(t, test.in2026, h.in(2026).String(), test.rule)
	}
	for _, wrong := range []string{"", "FIXED:02-30", "FIXED:", "NTH:13:MON:1", "NTH:01:MON:5", "NTH:01:MON:0",
		"NTH:01:XXX:1", "NTH:01:MON", "LAST:05", "LAST:05:MON:1", "EASTER:1"} {
		_, err := HolidayRow{Rule: wrong, Observed: "NONE", Scope: []string{"US"}}.parse()
		require.Error(t, err, wrong)
	}
	_, err := HolidayRow{Rule: "FIXED:01-01", Observed: "ALWAYS", Scope: []string{"US"}}.parse()
	require.Error(t, err)
}
