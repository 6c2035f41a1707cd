package calendar_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax/calendar"
)

// The first and the last day of a period, and the days around it.
func TestPeriodsBeginAndEnd(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		frequency calendar.FilingFrequency
		fiscalEnd calendar.Date
		before    string // the last day of the period before
		start     string
		end       string
		after     string // the first day of the period after
	}{
		{calendar.FilingMonthly, 0, "2025-12-31", "2026-01-01", "2026-01-31", "2026-02-01"},
		{calendar.FilingMonthly, 0, "2024-01-31", "2024-02-01", "2024-02-29", "2024-03-01"},
		{calendar.FilingSemiMonthly, 0, "2026-01-31", "2026-02-01", "2026-02-15", "2026-02-16"},
		{calendar.FilingSemiMonthly, 0, "2024-02-15", "2024-02-16", "2024-02-29", "2024-03-01"},
		{calendar.FilingSemiMonthly, 0, "2026-12-15", "2026-12-16", "2026-12-31", "2027-01-01"},
		{calendar.FilingBiMonthly, 0, "2023-12-31", "2024-01-01", "2024-02-29", "2024-03-01"},
		{calendar.FilingBiMonthly, 0, "2026-10-31", "2026-11-01", "2026-12-31", "2027-01-01"},
		{calendar.FilingQuarterly, 0, "2026-03-31", "2026-04-01", "2026-06-30", "2026-07-01"},
		{calendar.FilingQuarterly, 0, "2026-09-30", "2026-10-01", "2026-12-31", "2027-01-01"},
		{calendar.FilingQuarterlyPrepayment, 0, "2025-12-31", "2026-01-01", "2026-03-31", "2026-04-01"},
		{calendar.FilingFourMonthly, 0, "2026-04-30", "2026-05-01", "2026-08-31", "2026-09-01"},
		{calendar.FilingSemiAnnually, 0, "2025-12-31", "2026-01-01", "2026-06-30", "2026-07-01"},
		{calendar.FilingSemiAnnually, 0, "2026-06-30", "2026-07-01", "2026-12-31", "2027-01-01"},
		{calendar.FilingAnnually, 0, "2023-12-31", "2024-01-01", "2024-12-31", "2025-01-01"},
		{calendar.FilingAnnualFiscalYear, 20241231, "2025-12-31", "2026-01-01", "2026-12-31", "2027-01-01"},
		{calendar.FilingAnnualFiscalYear, 20240331, "2026-03-31", "2026-04-01", "2027-03-31", "2027-04-01"},
		{calendar.FilingAnnualFiscalYear, 20240930, "2025-09-30", "2025-10-01", "2026-09-30", "2026-10-01"},
		{calendar.FilingAnnualFiscalYear, 20250228, "2023-02-28", "2023-03-01", "2024-02-29", "2024-03-01"},
		{calendar.FilingAnnualFiscalYear, 20240229, "2024-02-29", "2024-03-01", "2025-02-28", "2025-03-01"},
		{calendar.FilingAnnualFiscalYear, 20240227, "2024-02-27", "2024-02-28", "2025-02-27", "2025-02-28"},
		{calendar.FilingAnnualFiscalYear, 20240105, "2026-01-05", "2026-01-06", "2027-01-05", "2027-01-06"},
	} {
		want := calendar.Period{Start: calendar.MustDate(test.start), End: calendar.MustDate(test.end)}
		for day, inside := range map[string]bool{
			test.before: false, test.start: true, test.end: true, test.after: false,
		} {
			got, ok := test.frequency.PeriodOn(calendar.MustDate(day), calendar.TaxYear{FiscalEnd: test.fiscalEnd})
			require.True(t, ok)
			require.Equal(t, inside, got == want, "%s on %s is %s to %s", test.frequency, day, got.Start, got.End)
			require.Equal(t, inside, want.Holds(calendar.MustDate(day)))
		}
	}
}

func TestPeriodsThatEndWithin(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		frequency   calendar.FilingFrequency
		from, until string
		fiscalEnd   calendar.Date
		ends        []string
	}{
		{calendar.FilingMonthly, "2026-01-01", "2026-03-30", 0, []string{"2026-01-31", "2026-02-28"}},
		{calendar.FilingMonthly, "2026-01-31", "2026-01-31", 0, []string{"2026-01-31"}},
		{calendar.FilingMonthly, "2026-02-01", "2026-02-27", 0, nil},
		{calendar.FilingMonthly, "2026-02-01", "2026-01-01", 0, nil},
		{calendar.FilingSemiMonthly, "2024-02-15", "2024-02-29", 0, []string{"2024-02-15", "2024-02-29"}},
		{calendar.FilingSemiMonthly, "2024-02-16", "2024-03-14", 0, []string{"2024-02-29"}},
		{calendar.FilingBiMonthly, "2025-12-31", "2026-04-30", 0, []string{"2025-12-31", "2026-02-28", "2026-04-30"}},
		{calendar.FilingFourMonthly, "2026-01-01", "2026-12-30", 0, []string{"2026-04-30", "2026-08-31"}},
		{calendar.FilingSemiAnnually, "2026-06-30", "2026-12-31", 0, []string{"2026-06-30", "2026-12-31"}},
		{calendar.FilingAnnually, "2023-12-31", "2025-12-30", 0, []string{"2023-12-31", "2024-12-31"}},
		{
			calendar.FilingAnnualFiscalYear, "2024-01-01", "2026-02-28", 20230228,
			[]string{"2024-02-29", "2025-02-28", "2026-02-28"},
		},
		{calendar.FilingAnnualFiscalYear, "2026-01-01", "2026-12-31", 0, nil},
		{calendar.FilingUnknown, "2026-01-01", "2026-12-31", 0, nil},
	} {
		var ends []string
		for _, p := range test.frequency.PeriodsEnding(
			calendar.MustDate(test.from), calendar.MustDate(test.until), calendar.TaxYear{FiscalEnd: test.fiscalEnd}) {
			require.Equal(t, calendar.FilingRegular, p.Category)
			ends = append(ends, p.End.String())
		}
		require.Equal(t, test.ends, ends, "%s from %s to %s", test.frequency, test.from, test.until)
	}
}

func TestSpansOfValidity(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		span  calendar.Span
		day   calendar.Date
		holds bool
	}{
		{calendar.Span{From: 20260101, To: 20261231}, 20260101, true},
		{calendar.Span{From: 20260101, To: 20261231}, 20261231, true},
		{calendar.Span{From: 20260101, To: 20261231}, 20251231, false},
		{calendar.Span{From: 20260101, To: 20261231}, 20270101, false},
		{calendar.Span{From: 20260101}, 99991231, true},
		{calendar.Span{To: 20261231}, 10101, true},
		{calendar.Span{}, 20260515, true},
	} {
		require.Equal(t, test.holds, test.span.Holds(test.day), "%v on %s", test.span, test.day)
	}
	require.True(t, calendar.Period{}.IsZero())
	require.False(t, calendar.Period{Start: 20260101, End: 20260101}.IsZero())
}

// The seats of authorities: a clock that is an hour off files a return a day late.
func TestZonesOfAuthorities(t *testing.T) {
	t.Parallel()
	for zone, authorities := range map[string][][2]string{
		"America/New_York": {
			{"US", "NY"}, {"US", "FL"}, {"US", "OH"}, {"US", "DC"}, {"US", "ZZ"}, {"US", ""},
		},
		"America/Chicago": {
			{"US", "TX"}, {"US", "IL"}, {"US", "TN"}, {"US", "KS"}, {"US", "ND"}, {"US", "AL"},
		},
		"America/Denver":               {{"US", "CO"}, {"US", "UT"}, {"US", "NM"}, {"US", "WY"}, {"US", "MT"}},
		"America/Phoenix":              {{"US", "AZ"}},
		"America/Boise":                {{"US", "ID"}},
		"America/Detroit":              {{"US", "MI"}},
		"America/Indiana/Indianapolis": {{"US", "IN"}},
		"America/Los_Angeles":          {{"US", "CA"}, {"US", "NV"}, {"US", "WA"}, {"US", "OR"}},
		"America/Anchorage":            {{"US", "AK"}},
		"America/Puerto_Rico":          {{"US", "PR"}},
		"America/Toronto":              {{"CA", "ON"}, {"CA", ""}, {"CA", "QC"}},
		"America/St_Johns":             {{"CA", "NL"}},
		"America/Halifax":              {{"CA", "NS"}, {"CA", "PE"}},
		"America/Regina":               {{"CA", "SK"}},
		"America/Winnipeg":             {{"CA", "MB"}},
		"Europe/London":                {{"GB", "GB"}, {"GB", ""}},
		"Europe/Zurich":                {{"CH", "CH"}},
		"Europe/Athens":                {{"GR", "GR"}},
		"Europe/Lisbon":                {{"PT", ""}},
		"UTC":                          {{"EG", "EG"}, {"", ""}, {"us", "NY"}},
	} {
		for _, a := range authorities {
			require.Equal(t, zone, calendar.ZoneOf(a[0], a[1]), a)
		}
	}
}
