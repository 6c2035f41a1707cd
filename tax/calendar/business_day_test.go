package calendar_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/tax/calendar"
)

func TestDaysOnWhichOfficesAreOpen(t *testing.T) {
	t.Parallel()
	c := published(t)
	for _, test := range []struct {
		state, day string
		open       bool
		why        string
	}{
		{"TX", "2026-05-15", true, "a Friday"},
		{"TX", "2026-05-16", false, "a Saturday"},
		{"TX", "2026-05-17", false, "a Sunday"},
		{"TX", "2026-01-01", false, "New Year's Day on a Thursday"},
		{"TX", "2023-01-02", false, "New Year's Day was a Sunday"},
		{"TX", "2021-12-31", false, "New Year's Day was a Saturday, observed in the year before"},
		{"TX", "2022-12-30", true, "New Year's Day was a Sunday: the Friday before is open"},
		{"TX", "2026-01-19", false, "the third Monday of January"},
		{"TX", "2026-01-12", true, "the second Monday of January"},
		{"TX", "1985-01-21", true, "Martin Luther King Day began in 1986"},
		{"TX", "1986-01-20", false, "the first Martin Luther King Day"},
		{"TX", "2026-02-16", false, "the third Monday of February"},
		{"TX", "2027-02-15", false, "the earliest that Washington's Birthday can be"},
		{"TX", "2026-05-25", false, "the last Monday of May"},
		{"TX", "2027-05-31", false, "the last Monday of May on its last day"},
		{"TX", "2027-05-24", true, "the fourth of five Mondays"},
		{"TX", "2020-06-19", true, "Juneteenth was no holiday in 2020"},
		{"TX", "2021-06-18", false, "the first Juneteenth was a Saturday, observed the day after its law"},
		{"TX", "2022-06-20", false, "Juneteenth was a Sunday"},
		{"TX", "2026-06-19", false, "Juneteenth on a Friday"},
		{"TX", "2026-07-03", false, "Independence Day is a Saturday"},
		{"TX", "2021-07-05", false, "Independence Day was a Sunday"},
		{"TX", "2026-07-06", true, "the Monday after a Saturday"},
		{"TX", "2026-09-07", false, "the first Monday of September"},
		{"TX", "2025-09-01", false, "the earliest that Labor Day can be"},
		{"TX", "2026-10-12", false, "the second Monday of October"},
		{"TX", "2026-11-11", false, "Veterans Day on a Wednesday"},
		{"TX", "2023-11-10", false, "Veterans Day was a Saturday"},
		{"TX", "1937-11-11", true, "Armistice Day began in 1938"},
		{"TX", "1938-11-11", false, "the first Armistice Day"},
		{"TX", "2026-11-26", false, "the fourth Thursday of November"},
		{"TX", "2023-11-30", true, "a fifth Thursday"},
		{"TX", "2026-11-27", true, "the Friday after Thanksgiving is no federal holiday"},
		{"TX", "2021-12-24", false, "Christmas was a Saturday"},
		{"TX", "2022-12-26", false, "Christmas was a Sunday"},
		{"TX", "2026-12-24", true, "Christmas Eve"},
		{"DC", "2026-04-16", false, "Emancipation Day"},
		{"MD", "2026-04-16", true, "of the District of Columbia only"},
		{"DC", "2022-04-15", false, "Emancipation Day was a Saturday"},
		{"DC", "2023-04-17", false, "Emancipation Day was a Sunday"},
		{"DC", "2004-04-16", true, "it began in 2005"},
		{"MA", "2026-04-20", false, "Patriots' Day"},
		{"ME", "2026-04-20", false, "Patriots' Day in Maine"},
		{"NH", "2026-04-20", true, "not in New Hampshire"},
		{"MA", "2026-04-13", true, "the second Monday of April"},
	} {
		require.Equal(
			t, test.open, c.IsBusinessDay("US", test.state, calendar.MustDate(test.day)), test.day+": "+test.why,
		)
	}
	require.True(t, c.IsBusinessDay("CA", "ON", 20261225), "the content has no holidays of Canada")
	require.False(t, c.IsBusinessDay("CA", "ON", 20261226), "but Saturdays")
	require.True(t, c.IsBusinessDay("DE", "", 20260703))
}

func TestTheNextBusinessDay(t *testing.T) {
	t.Parallel()
	c := published(t)
	for _, test := range []struct{ state, day, next string }{
		{"TX", "2026-05-15", "2026-05-15"}, // the day itself
		{"TX", "2026-05-16", "2026-05-18"}, // over a weekend
		{"TX", "2026-05-23", "2026-05-26"}, // over a weekend and Memorial Day
		{"TX", "2026-07-03", "2026-07-06"}, // a Friday on which a Saturday is observed
		{"TX", "2021-12-31", "2022-01-03"}, // into the next year
		{"TX", "2022-12-31", "2023-01-03"}, // over a weekend and the Monday after a Sunday
		{"TX", "2023-11-10", "2023-11-13"},
		{"TX", "2026-11-26", "2026-11-27"},
		{"TX", "2024-02-29", "2024-02-29"}, // a leap day is a Thursday like any other
		{"TX", "2020-02-29", "2020-03-02"}, // a leap day on a Saturday
		{"DC", "2022-04-15", "2022-04-18"},
		{"MD", "2022-04-15", "2022-04-15"},
		{"MA", "2026-04-18", "2026-04-21"}, // over a weekend and Patriots' Day
		{"NH", "2026-04-18", "2026-04-20"},
	} {
		require.Equal(t, test.next, c.NextBusinessDay("US", test.state, calendar.MustDate(test.day)).String(),
			"%s in %s", test.day, test.state)
	}
}

// row is the place of a row in a test.
type row int

// String implements fmt.Stringer.
func (r row) String() string { return fmt.Sprintf("row %d", int(r)) }

func TestFaultsOfRowsAreReportedWithTheirPlace(t *testing.T) {
	t.Parallel()
	var faults []string
	c := calendar.New([]calendar.HolidayRow{
		{At: row(1), Name: "New Year", Rule: "FIXED:01-01", Observed: "NEAREST", Scope: []string{"US"}},
		{At: row(2), Name: "nowhere", Rule: "FIXED:01-02", Observed: "NONE"},
		{At: row(3), Name: "a fifth Monday", Rule: "NTH:01:MON:5", Observed: "NONE", Scope: []string{"US"}},
		{At: row(4), Name: "observed at times", Rule: "FIXED:01-03", Observed: "SOMETIMES", Scope: []string{"US"}},
	}, []calendar.DueRow{
		{At: row(5), State: "TX", Frequency: calendar.FilingMonthly, Rule: "DAY:20", Default: true},
		{At: row(6), State: "TX", Frequency: calendar.FilingMonthly, Rule: "DAY:25"},
		{At: row(7), State: "TX", Frequency: calendar.FilingQuarterly, Rule: "DAY:20", Default: true},
		{At: row(8), State: "TX", Frequency: "WEEKLY", Rule: "DAY:20"},
		{At: row(9), State: "TX", Frequency: calendar.FilingAnnually, Rule: "DAY:30"},
		{At: row(10), State: "NY", Frequency: calendar.FilingSemiMonthly, Rule: "LAST", Default: true},
		{At: row(11), State: "NY", Frequency: calendar.FilingAnnualFiscalYear, Rule: "PLUS_DAYS:45"},
	}, func(at fmt.Stringer, format string, args ...any) {
		faults = append(faults, at.String()+": "+fmt.Sprintf(format, args...))
	})
	require.Equal(t, []string{
		`row 2: holiday rule "FIXED:01-02", observed "NONE"`, `row 3: holiday rule "NTH:01:MON:5", observed "NONE"`,
		`row 4: holiday rule "FIXED:01-03", observed "SOMETIMES"`, "row 6: a second rule of TX for MONTHLY",
		"row 7: a second default of TX", `row 8: unknown frequency "WEEKLY"`, `row 9: due rule "DAY:30"`,
	}, faults)
	require.False(t, c.IsBusinessDay("US", "TX", 20260101), "valid rows apply")
	require.True(t, c.IsBusinessDay("US", "TX", 20260102))
}

// California and Canada, Delaware and Germany share their codes: rules of one do not apply to the other.
func TestStatesAndCountriesWithTheSameCodeAreDistinguished(t *testing.T) {
	t.Parallel()
	const monthly, quarterly = calendar.FilingMonthly, calendar.FilingQuarterly
	due := func(n int, country, state, rule string, frequency calendar.FilingFrequency, usual bool) calendar.DueRow {
		return calendar.DueRow{
			At: row(n), Country: country, State: state, Frequency: frequency, Rule: rule, Default: usual, Source: "law",
		}
	}
	var faults []string
	c := calendar.New(nil, []calendar.DueRow{
		due(1, "", "CA", "LAST", quarterly, true), due(2, "CA", "CA", "DAY:15", quarterly, true),
		due(3, "CA", "CA", "DAY:10", monthly, true), due(4, "CA", "CA", "DAY:11", monthly, false),
		due(5, "DE", "DE", "DAY:10", monthly, true), due(6, "", "DE", "DAY:20", monthly, true),
	}, func(at fmt.Stringer, format string, args ...any) {
		faults = append(faults, at.String()+": "+fmt.Sprintf(format, args...))
	})
	require.Equal(t, []string{"row 3: a second default of CA", "row 4: a second rule of CA for MONTHLY"}, faults)
	quarter := calendar.FilingPeriod{
		Period: calendar.Period{Start: 20260101, End: 20260331}, Category: calendar.FilingRegular,
	}
	for _, test := range []struct {
		country, state string
		frequency      calendar.FilingFrequency
		due            string // empty: there is no rule
	}{
		{"US", "CA", quarterly, "2026-04-30"}, {"CA", "CA", quarterly, "2026-04-15"},
		{"US", "CA", monthly, ""}, {"CA", "CA", monthly, "2026-04-11"},
		{"US", "DE", quarterly, "2026-04-20"}, {"DE", "DE", quarterly, ""},
		{"DE", "DE", monthly, "2026-04-10"}, {"CA", "DE", monthly, ""},
	} {
		got, ok := c.DueIn(test.country, test.state, test.frequency, quarter)
		require.Equal(t, test.due != "", ok, "%+v", test)
		require.Equal(t, test.due, got.Date.String(), "%+v", test)
		require.Equal(t, test.due, got.Nominal.String(), "%+v", test)
	}
	for state, frequency := range map[string]calendar.FilingFrequency{
		"CA": quarterly, "DE": monthly,
	} {
		usual, ok := c.DefaultFrequency(state)
		require.True(t, ok, state)
		require.Equal(t, frequency, usual, state)
	}
}

func TestDaysAndMonthsOfTheCalendar(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		day    string
		months int
		want   string
	}{
		{"2026-01-31", 1, "2026-02-28"}, {"2024-01-31", 1, "2024-02-29"}, {"2026-01-28", 1, "2026-02-28"},
		{"2024-02-29", 12, "2025-02-28"}, {"2024-02-29", 48, "2028-02-29"}, {"2025-02-28", -12, "2024-02-28"},
		{"2026-03-31", -1, "2026-02-28"}, {"2026-05-31", 1, "2026-06-30"}, {"2026-12-31", 2, "2027-02-28"},
		{"2026-01-15", -1, "2025-12-15"}, {"2026-10-31", 4, "2027-02-28"}, {"2026-05-15", 0, "2026-05-15"},
	} {
		require.Equal(t, test.want, calendar.MustDate(test.day).AddMonths(test.months).String(),
			"%s and %d months", test.day, test.months)
	}
	for day, last := range map[string]string{
		"2026-02-01": "2026-02-28", "2024-02-29": "2024-02-29", "2000-02-10": "2000-02-29", "1900-02-10": "1900-02-28",
		"2026-04-30": "2026-04-30", "2026-12-01": "2026-12-31",
	} {
		require.Equal(t, last, calendar.MustDate(day).LastOfMonth().String())
	}
	for day, first := range map[string]string{
		"2026-05-01": "2026-05-01", "2026-05-02": "2026-06-01", "2026-12-31": "2027-01-01", "2024-02-29": "2024-03-01",
	} {
		require.Equal(t, first, calendar.FirstOfMonthFrom(calendar.MustDate(day)).String())
	}
	for _, wrong := range [][3]int{
		{0, 1, 1}, {10000, 1, 1}, {2026, 0, 1}, {2026, 13, 1}, {2026, 2, 29}, {2026, 4, 31}, {2026, 4, 0},
	} {
		_, err := calendar.NewDate(wrong[0], time.Month(wrong[1]), wrong[2])
		require.ErrorIs(t, err, calendar.ErrDate, wrong)
	}
	require.Panics(t, func() { calendar.MustDate("2026-02-30") })
	require.Equal(t, "2025-12-31", calendar.DateOn(2026, time.January, 0).String())
	require.Equal(t, "2027-02-01", calendar.DateOn(2026, 14, 1).String())
}

// At one moment the day in Honolulu differs from that in Auckland.
func TestADayIsThatOfTheTimeZone(t *testing.T) {
	t.Parallel()
	moment := time.Date(2026, time.January, 1, 10, 30, 0, 0, time.UTC)
	for zone, day := range map[string]string{
		"UTC": "2026-01-01", "Pacific/Auckland": "2026-01-01", "Pacific/Kiritimati": "2026-01-02",
		"America/New_York": "2026-01-01", "Pacific/Honolulu": "2026-01-01", "Pacific/Pago_Pago": "2025-12-31",
	} {
		place, err := time.LoadLocation(zone)
		require.NoError(t, err)
		require.Equal(t, day, calendar.DateOf(moment.In(place)).String(), zone)
	}
	var d calendar.Date
	require.NoError(t, d.UnmarshalText([]byte("2024-02-29")))
	require.Equal(t, calendar.Date(20240229), d)
	text, err := d.MarshalText()
	require.NoError(t, err)
	require.Equal(t, "2024-02-29", string(text))
	require.NoError(t, d.UnmarshalText(nil))
	require.True(t, d.IsZero())
	require.ErrorIs(t, d.UnmarshalText([]byte("2023-02-29")), calendar.ErrDate)
}
