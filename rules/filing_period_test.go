package rules_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/rules"
	"levy/tax/calendar"
)

func entry(from string, frequencies ...string) models.Registration {
	registered := calendar.MustDate(from).Time()
	e := models.Registration{Status: models.RegistrationRegistered, RegistrationDate: &registered}
	for i := 0; i < len(frequencies); i += 2 {
		e.Frequencies = append(e.Frequencies, models.RegistrationFrequency{
			FromDate: calendar.MustDate(frequencies[i]).Time(), FilingFrequency: calendar.FilingFrequency(frequencies[i+1])})
	}
	return e
}

func inCalifornia(e models.Registration) models.Registration {
	e.CountryCode, e.StateCode = "US", "CA"
	return e
}

func periods(e models.Registration, last string) []string {
	var texts []string
	for _, p := range rules.EndedPeriods(e, calendar.MustDate(last)) {
		texts = append(texts, p.Start.String()+" "+p.End.String()+" "+string(p.Category))
	}
	return texts
}

func TestPeriodsOfARegistration(t *testing.T) {
	t.Parallel()
	const first = "1900-01-01"
	for _, test := range []struct {
		rule  string
		entry models.Registration
		last  string
		want  []string
	}{
		{"a period ends with its last day", entry("2026-01-01", first, "MONTHLY"), "2026-02-28",
			[]string{"2026-01-01 2026-01-31 REGULAR", "2026-02-01 2026-02-28 REGULAR"}},
		{
			"a running period is not planned", entry("2026-01-01", first, "MONTHLY"), "2026-02-27",
			[]string{"2026-01-01 2026-01-31 REGULAR"},
		},
		{
			"February of a leap year has its day", entry("2024-02-01", first, "MONTHLY"), "2024-02-29",
			[]string{"2024-02-01 2024-02-29 REGULAR"},
		},
		{
			"the first period begins with the registration", entry("2026-02-10", first, "QUARTERLY"),
			"2026-03-31", []string{"2026-02-10 2026-03-31 REGULAR"},
		},
		{
			"half months", entry("2026-02-01", first, "SEMI_MONTHLY"), "2026-02-28",
			[]string{"2026-02-01 2026-02-15 REGULAR", "2026-02-16 2026-02-28 REGULAR"},
		},
		{
			"two months", entry("2026-03-01", first, "BI_MONTHLY"), "2026-04-30",
			[]string{"2026-03-01 2026-04-30 REGULAR"},
		},
		{
			"four months", entry("2026-05-01", first, "FOUR_MONTHLY"), "2026-08-31",
			[]string{"2026-05-01 2026-08-31 REGULAR"},
		},
		{
			"half years", entry("2025-07-01", first, "SEMI_ANNUALLY"), "2026-06-30",
			[]string{"2025-07-01 2025-12-31 REGULAR", "2026-01-01 2026-06-30 REGULAR"},
		},
		{
			"years", entry("2024-01-01", first, "ANNUALLY"), "2025-12-31",
			[]string{"2024-01-01 2024-12-31 REGULAR", "2025-01-01 2025-12-31 REGULAR"},
		},
		{"payments on account beside the quarter", inCalifornia(entry("2026-01-01", first, "QUARTERLY_PREPAYMENT")), "2026-03-31",
			[]string{
				"2026-01-01 2026-01-31 PREPAYMENT", "2026-02-01 2026-02-28 PREPAYMENT",
				"2026-01-01 2026-03-31 REGULAR",
			}},
		{"UNKNOWN has no periods", entry("2026-01-01", first, "UNKNOWN"), "2026-12-31", nil},
		{"a change of frequency leaves no day out and none twice", entry(
			"2026-01-01", first, "MONTHLY", "2026-03-01", "QUARTERLY",
		), "2026-06-30",
			[]string{
				"2026-01-01 2026-01-31 REGULAR", "2026-02-01 2026-02-28 REGULAR",
				"2026-03-01 2026-03-31 REGULAR", "2026-04-01 2026-06-30 REGULAR",
			}},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.want, periods(test.entry, test.last))
		})
	}

	t.Run("the fiscal year ends when the business says", func(t *testing.T) {
		t.Parallel()
		e := entry("2025-10-01", first, "ANNUAL_FISCAL_YEAR")
		require.Empty(t, periods(e, "2026-12-31"), "as long as it has not said")
		e.FiscalYearEnd = calendar.MustDate("2020-09-30")
		require.Equal(t, []string{"2025-10-01 2026-09-30 REGULAR"}, periods(e, "2026-12-31"))
	})
	t.Run("create_filings_from goes before the date of the registration", func(t *testing.T) {
		t.Parallel()
		e := entry("2026-01-01", first, "QUARTERLY")
		from := calendar.MustDate("2025-10-01").Time()
		e.CreateFilingsFrom = &from
		require.Equal(t, []string{
			"2025-10-01 2025-12-31 REGULAR", "2026-01-01 2026-03-31 REGULAR",
		}, periods(e, "2026-03-31"))
	})
	t.Run("the last period ends with the registration", func(t *testing.T) {
		t.Parallel()
		e := inCalifornia(entry("2026-01-01", first, "QUARTERLY_PREPAYMENT"))
		last := calendar.MustDate("2026-02-10").Time()
		e.Status, e.DeregistrationDate = models.RegistrationDeregistering, &last
		require.Equal(t, []string{
			"2026-01-01 2026-01-31 PREPAYMENT", "2026-02-01 2026-02-10 PREPAYMENT",
			"2026-01-01 2026-02-10 REGULAR",
		}, periods(e, "2027-12-31"))
		require.Equal(t, []string{"2026-01-01 2026-01-31 PREPAYMENT"}, periods(e, "2026-02-09"), "but not before")
		require.Equal(t, []string{
			"2026-01-01 2026-01-31 PREPAYMENT", "2026-02-01 2026-02-10 PREPAYMENT",
			"2026-01-01 2026-02-10 REGULAR",
		}, periods(e, "2026-02-10"), "from its last day on")
	})
	t.Run("a day is a period", func(t *testing.T) {
		t.Parallel()
		e := entry("2026-01-31", first, "MONTHLY")
		last := calendar.MustDate("2026-02-01").Time()
		e.Status, e.DeregistrationDate = models.RegistrationDeregistering, &last
		require.Equal(t, []string{
			"2026-01-31 2026-01-31 REGULAR", "2026-02-01 2026-02-01 REGULAR",
		}, periods(e, "2026-12-31"))
	})
	t.Run("also when the frequency was to change later", func(t *testing.T) {
		t.Parallel()
		e := entry("2026-01-01", first, "MONTHLY", "2026-04-01", "QUARTERLY")
		last := calendar.MustDate("2026-02-10").Time()
		e.Status, e.DeregistrationDate = models.RegistrationDeregistering, &last
		require.Equal(t, []string{
			"2026-01-01 2026-01-31 REGULAR", "2026-02-01 2026-02-10 REGULAR",
		}, periods(e, "2027-12-31"))
	})
	t.Run("one that was ended before its last period was planned has that period all the same", func(t *testing.T) {
		t.Parallel()
		e := entry("2026-01-01", first, "MONTHLY")
		last := calendar.MustDate("2026-02-10").Time()
		e.Status, e.DeregistrationDate = models.RegistrationDeregistered, &last
		require.Equal(t, []string{
			"2026-01-01 2026-01-31 REGULAR", "2026-02-01 2026-02-10 REGULAR",
		}, periods(e, "2027-12-31"))
	})
	t.Run("nothing is planned without a registration in force, or with do_not_file", func(t *testing.T) {
		t.Parallel()
		for _, status := range []models.RegistrationStatus{models.RegistrationProcessing, models.RegistrationCancelled} {
			e := entry("2026-01-01", first, "MONTHLY")
			e.Status = status
			require.Empty(t, periods(e, "2026-12-31"))
		}
		e := entry("2026-01-01", first, "MONTHLY")
		e.DoNotFile = true
		require.Empty(t, periods(e, "2026-12-31"))
	})
}

// Whatever the changes of frequency, every day from the first on is in exactly one REGULAR period.
func TestEveryDayBelongsToOneRegularPeriod(t *testing.T) {
	t.Parallel()
	words := []string{
		"MONTHLY", "QUARTERLY", "SEMI_MONTHLY", "BI_MONTHLY", "FOUR_MONTHLY", "SEMI_ANNUALLY", "ANNUALLY",
		"ANNUAL_FISCAL_YEAR", "QUARTERLY_PREPAYMENT",
	}
	for _, before := range words {
		for _, after := range words {
			everyDayIsFiledOnce(t, "TX", before, after)
			everyDayIsFiledOnce(t, "NY", before, after)
		}
	}
}

func everyDayIsFiledOnce(t *testing.T, state, before, after string) {
	t.Helper()
	e := entry("2023-05-17", "1900-01-01", before)
	e.CountryCode, e.StateCode = "US", state
	e.FiscalYearEnd = calendar.MustDate("2024-02-29")
	e.FilingFrequency = calendar.FilingFrequency(before)
	rules.ChangeFrequency(&e, calendar.FilingFrequency(after), calendar.MustDate("2024-02-20"))
	covered := map[calendar.Date]int{}
	for _, p := range rules.EndedPeriods(e, calendar.MustDate("2027-12-31")) {
		for day := p.Start; p.Category == calendar.FilingRegular && day <= p.End; day = day.AddDays(1) {
			covered[day]++
		}
	}
	for day := calendar.MustDate("2023-05-17"); day <= calendar.MustDate("2026-12-31"); day = day.AddDays(1) {
		require.Equal(t, 1, covered[day], "%s: %s then %s: %s", state, before, after, day)
	}
}
