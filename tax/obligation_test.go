package tax_test

import (
	"encoding/csv"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
	"levy/tax/nexus"
)

// The result of each law for a sale a cent below and above the threshold, and on the days around a change.
func TestNexusAsTheLawsSay(t *testing.T) {
	t.Parallel()
	c := loaded(t)
	for _, test := range []struct {
		law, state, day string
		amount          string
		count           int
		met, begins     string // empty: no nexus
	}{
		{"California: more than 500,000", "CA", "2026-05-15", "500000.00", 9999, "", ""},
		{"California: begins the day of the excess", "CA", "2026-05-15", "500000.01", 1, "2026-05-15", "2026-05-15"},
		{
			"Texas: 500,000 or more in 12 months, fourth month after", "TX", "2026-05-15", "500000.00", 1,
			"2026-05-15", "2026-09-01",
		},
		{"Texas: a cent less", "TX", "2026-05-15", "499999.99", 1, "", ""},
		{"Georgia: 200 sales", "GA", "2026-05-15", "1.00", 200, "2026-05-15", "2026-05-16"},
		{"Georgia: 199 sales", "GA", "2026-05-15", "1.00", 199, "", ""},
		{"Georgia: exactly 100,000 is not more", "GA", "2026-05-15", "100000.00", 1, "", ""},
		{
			"South Dakota: the number of sales until June 2023", "SD", "2023-06-30", "1.00", 200, "2023-06-30",
			"2023-08-01",
		},
		{"South Dakota: no number since July 2023", "SD", "2023-07-01", "1.00", 200, "", ""},
		{"Utah: the number of sales until June 2025", "UT", "2025-06-30", "1.00", 200, "2025-06-30", "2025-07-01"},
		{"Utah: no number since July 2025", "UT", "2025-07-01", "1.00", 9999, "", ""},
		{"Illinois: the number of sales ended with 2025", "IL", "2026-01-01", "1.00", 9999, "", ""},
		{"Wisconsin: the last day of the number of sales", "WI", "2021-02-19", "1.00", 200, "2021-02-19", "2021-02-20"},
		{"Wisconsin: the day after", "WI", "2021-02-20", "1.00", 200, "", ""},
		{"Arizona: 150,000 in 2020", "AZ", "2020-12-31", "150000.00", 1, "", ""},
		{"Arizona: 100,000 from 2021", "AZ", "2021-01-01", "100000.01", 1, "2021-01-01", "2021-02-01"},
		{"South Carolina: second month after", "SC", "2026-05-31", "100000.01", 1, "2026-05-31", "2026-07-01"},
		{"North Carolina: 60 days", "NC", "2026-05-15", "100000.01", 1, "2026-05-15", "2026-07-14"},
		{"Florida: only the year before counts", "FL", "2026-05-15", "900000.00", 1, "", ""},
		{"New York: 500,000 without 101 sales", "NY", "2026-05-15", "900000.00", 100, "", ""},
	} {
		rule, ok := c.Nexus().Rule("US", test.state, true, calendar.MustDate(test.day))
		require.True(t, ok, test.law)
		sales := []nexus.DailySales{
			{Day: calendar.MustDate(test.day), Amount: decimal.MustParse(test.amount), Count: test.count},
		}
		e, err := nexus.Evaluate(&rule, calendar.MustDate(test.day), sales, false, nexus.ApproachingPercent)
		require.NoError(t, err)
		require.Equal(t, test.met, e.MetDate.String(), test.law)
		require.Equal(t, test.begins, e.ObligationStart.String(), test.law)
	}
	first := func(state, day, amount string, count int) string {
		sales := []nexus.DailySales{{Day: calendar.MustDate(day), Amount: decimal.MustParse(amount), Count: count}}
		e, ok, err := nexus.First(c.Nexus().Rules("US", state, true), 20271231, sales, false)
		require.NoError(t, err)
		if !ok {
			return "never"
		}
		return e.MetDate.String() + " " + e.ObligationStart.String()
	}
	require.Equal(
		t, "2026-05-31 2026-07-20", first("NY", "2026-05-15", "500000.01", 101),
		"the quarter to May, then 50 days",
	)
	require.Equal(t, "never", first("NY", "2026-05-15", "500000.01", 100), "more than 100 sales")
	require.Equal(t, "never", first("NY", "2026-05-15", "500000.00", 101), "more than 500,000")
	require.Equal(t, "2026-09-30 2026-10-01", first("CT", "2026-05-15", "100000.00", 200), "12 months to 30 September")
	require.Equal(t, "never", first("CT", "2026-05-15", "99999.99", 200))
	require.Equal(t, "never", first("CT", "2026-05-15", "100000.00", 199))
	require.Equal(t, "2025-12-31 2026-01-01", first("AL", "2025-05-15", "250000.01", 1), "the year after")
	require.Equal(t, "2025-12-31 2026-04-01", first("PA", "2025-05-15", "100000.01", 1), "April to March")
	require.Equal(
		t, "2026-06-30 2026-07-01", first("IL", "2026-05-15", "100000.00", 1), "tested at the end of a quarter",
	)
	require.Equal(
		t, "2026-06-30 2026-10-01", first("MO", "2026-05-15", "100000.00", 1), "three months after the quarter",
	)
}

func TestEveryStateWithASalesTaxHasANexusRule(t *testing.T) {
	t.Parallel()
	c := loaded(t)
	for _, none := range []string{"DE", "MT", "NH", "OR"} {
		_, ok := c.Nexus().Rule("US", none, true, 20260515)
		require.False(t, ok, "%s has no sales tax", none)
	}
	_, ok := c.Nexus().Rule("US", "SD", true, 20181031)
	require.False(t, ok, "the day before the law")
	_, ok = c.Nexus().Rule("US", "SD", true, 20181101)
	require.True(t, ok)

	states, all := 0, map[string]bool{}
	for _, r := range rulesInForce(c, "US") {
		require.False(t, all[r.Country+r.State], "two rules of %s %s on one day", r.Country, r.State)
		all[r.Country+r.State] = true
		if r.Country == "US" {
			states++
		}
	}
	require.Equal(t, 48, states, "46 states, the District of Columbia and Puerto Rico")
	for _, of := range []string{"CA", "CAQC", "CABC", "CASK", "CAMB", "ZZ_EU", "GB", "CH", "NO"} {
		require.True(t, all[of], of)
	}
	amount := func(home, country string) string {
		for _, r := range rulesInForce(c, home) {
			if r.Country == country && r.State == "" {
				return money.Format(r.Amount)
			}
		}
		return ""
	}
	require.Equal(t, "10000.00", amount("DE", "ZZ_EU"), "established in a member state")
	require.Equal(t, "0.00", amount("US", "ZZ_EU"))
	require.Equal(t, "90000.00", amount("GB", "GB"))
	require.Equal(t, "0.00", amount("US", "GB"))
	eu, _ := c.Nexus().Rule("ZZ_EU", "", true, 20261121)
	sales := []nexus.DailySales{{Day: 20260515, Amount: decimal.MustParse("10000.01"), Count: 1}}
	e, err := nexus.Evaluate(&eu, 20260515, sales, false, nexus.ApproachingPercent)
	require.NoError(t, err)
	require.Equal(t, "2026-05-15", e.ObligationStart.String(), "the sale that crosses is taxed at its destination")
}

// The rules result in the days that the government publishes.
func TestHolidaysAsPublished(t *testing.T) {
	t.Parallel()
	c := loaded(t)
	file, err := os.Open("testdata/us_federal_holidays.csv")
	require.NoError(t, err)
	defer file.Close()
	lines, err := csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	published := map[string]map[calendar.Date]bool{}
	for _, line := range lines[1:] {
		for _, scope := range strings.Split(line[7], "|") {
			if published[scope] == nil {
				published[scope] = map[calendar.Date]bool{}
			}
			published[scope][calendar.MustDate(line[4])] = true
		}
	}
	for _, state := range []string{"TX", "DC", "MA", "ME"} {
		for day := calendar.MustDate("2024-01-01"); day < calendar.MustDate("2030-12-31"); day = day.AddDays(1) {
			weekday := day.Time().Weekday() != 0 && day.Time().Weekday() != 6
			open := weekday && !published["US"][day] && !published["US-"+state][day]
			require.Equal(t, open, c.Calendar().IsBusinessDay("US", state, day), "%s in %s", day, state)
		}
	}
	require.False(
		t, c.Calendar().IsBusinessDay("US", "TX", calendar.MustDate("2027-12-31")),
		"New Year's Day 2028 is a Saturday",
	)
	require.True(t, c.Calendar().IsBusinessDay("US", "TX", calendar.MustDate("2020-06-19")), "no holiday before 2021")
	require.True(
		t, c.Calendar().IsBusinessDay("CA", "ON", calendar.MustDate("2026-07-03")),
		"holidays of the United States only",
	)
}

func TestDueDates(t *testing.T) {
	t.Parallel()
	c := loaded(t)
	for _, test := range []struct {
		rule, state string
		frequency   calendar.FilingFrequency
		day, due    string
		assumed     bool
	}{
		{"the 20th", "TX", calendar.FilingMonthly, "2026-04-15", "2026-05-20", false},
		{"the 20th is a Saturday", "TX", calendar.FilingMonthly, "2026-05-15", "2026-06-22", false},
		{"the 20th is a Sunday", "TX", calendar.FilingMonthly, "2026-08-15", "2026-09-21", false},
		{"the 20th is Martin Luther King Day", "TX", calendar.FilingMonthly, "2024-12-15", "2025-01-21", false},
		{"the last day", "CA", calendar.FilingQuarterly, "2026-05-15", "2026-07-31", false},
		{"the last day is a Saturday", "CA", calendar.FilingQuarterly, "2025-11-15", "2026-02-02", false},
		{"a payment on account", "CA", calendar.FilingQuarterlyPrepayment, "2026-05-15", "2026-06-24", false},
		{"30 days", "MA", calendar.FilingMonthly, "2026-01-15", "2026-03-02", false},
		{"30 days, and Patriots' Day", "MA", calendar.FilingQuarterly, "2024-01-15", "2024-04-30", false},
		{"a date of the year after", "MN", calendar.FilingAnnually, "2026-05-15", "2027-02-05", false},
		{"the 25th", "KS", calendar.FilingQuarterly, "2026-11-15", "2027-01-25", false},
		{"Hawaii, 20 April for the year", "HI", calendar.FilingSemiAnnually, "2026-05-15", "2026-07-20", false},
		{
			"Pennsylvania, 20 August for the first half", "PA", calendar.FilingSemiAnnually, "2026-05-15",
			"2026-08-20", false,
		},
		{"no rule of its own", "TX", calendar.FilingBiMonthly, "2026-03-15", "2026-05-20", true},
		{"half a month is due with the month", "TX", calendar.FilingSemiMonthly, "2026-04-10", "2026-05-20", true},
	} {
		p, ok := test.frequency.PeriodOn(calendar.MustDate(test.day), calendar.TaxYear{Country: "US", State: test.state})
		require.True(t, ok, test.rule)
		period := calendar.FilingPeriod{Period: p, Category: calendar.FilingRegular}
		if test.frequency == calendar.FilingQuarterlyPrepayment {
			periods := test.frequency.PeriodsEnding(calendar.MustDate("2026-06-15"), calendar.MustDate("2026-06-15"),
				calendar.TaxYear{Country: "US", State: test.state})
			require.Len(t, periods, 1)
			period = periods[0]
		}
		due, ok := c.Calendar().Due(test.state, test.frequency, period)
		require.True(t, ok, test.rule)
		require.Equal(t, test.due, due.Date.String(), test.rule)
		require.Equal(t, test.assumed, due.Assumed, test.rule)
		require.LessOrEqual(t, due.Nominal, due.Date)
	}
	quarter, _ := calendar.FilingQuarterly.PeriodOn(20260515, calendar.TaxYear{})
	regular, ok := c.Calendar().Due("CA", calendar.FilingQuarterlyPrepayment, calendar.FilingPeriod{
		Period: quarter, Category: calendar.FilingRegular,
	})
	require.True(t, ok)
	require.Equal(t, "2026-07-31", regular.Date.String(), "the quarter itself is due as a quarter")
	_, ok = c.Calendar().Due("OR", calendar.FilingMonthly, calendar.FilingPeriod{Period: quarter})
	require.False(t, ok)
	f, ok := c.Calendar().DefaultFrequency("NY")
	require.True(t, ok)
	require.Equal(t, calendar.FilingQuarterly, f)
	_, ok = c.Calendar().DefaultFrequency("OR")
	require.False(t, ok)
}

// rulesInForce are the rules on 2026-11-21 for a business that is established in home.
func rulesInForce(c *tax.Content, home string) []nexus.Rule {
	const day calendar.Date = 20261121
	var rules []nexus.Rule
	for _, p := range c.Nexus().Places() {
		domestic := p.Country == home || p.Country == nexus.EuropeanUnion && nexus.UnionMember(home, day)
		for _, r := range c.Nexus().Rules(p.Country, p.State, domestic) {
			if r.Holds(day) {
				rules = append(rules, r)
			}
		}
	}
	return rules
}

// Every state with nexus has returns, with one usual frequency, due on a business day.
func TestEveryStateHasReturns(t *testing.T) {
	t.Parallel()
	c := loaded(t)
	for _, r := range rulesInForce(c, "US") {
		if r.Country != "US" {
			continue
		}
		f, ok := c.Calendar().DefaultFrequency(r.State)
		require.True(t, ok, r.State)
		for _, p := range f.PeriodsEnding(20250101, 20281231, calendar.TaxYear{Country: "US", State: r.State}) {
			due, ok := c.Calendar().Due(r.State, f, p)
			require.True(t, ok, r.State)
			require.Greater(t, due.Date, p.End)
			require.True(t, c.Calendar().IsBusinessDay("US", r.State, due.Date))
		}
	}
}

func TestFaultsInTablesOfObligations(t *testing.T) {
	t.Parallel()
	nexus := func(from, to string, change ...string) string {
		cells := []string{
			"US", "SD", "STATE", "ANY", "USD", "100000", "EXCEEDED", "", "", "SALES", "CURRENT_OR_PREVIOUS",
			"TANGIBLE", "INCLUDED", "Y", "NEXT_TRANSACTION", from, to, "law", "HIGH", "",
		}
		for i := 0; i < len(change); i += 2 {
			cells[slices.Index(cells, change[i])] = change[i+1]
		}
		return strings.Join(cells, ",")
	}
	const thresholds = "us_nexus_thresholds.csv"
	for name, test := range map[string]struct{ file, line, want string }{
		"an overlap": {
			thresholds, nexus("2018-11-01", "2023-06-30"), "overlaps with us_nexus_thresholds.csv:",
		},
		"an open row before": {thresholds, nexus("2030-01-01", ""), "overlaps with us_nexus_thresholds.csv:"},
		"a gap": {
			thresholds, nexus("2017-01-01", "2018-10-30"), "leaves a gap after us_nexus_thresholds.csv:",
		},
		"an unknown model": {
			thresholds, nexus("2017-01-01", "2018-10-31", "CURRENT_OR_PREVIOUS", "WEEKLY"),
			`unknown period_model "WEEKLY"`,
		},
		"an unknown trigger": {
			thresholds, nexus("2017-01-01", "2018-10-31", "NEXT_TRANSACTION", "SOON"), `unknown trigger "SOON"`,
		},
		"an unknown test": {
			thresholds, nexus("2017-01-01", "2018-10-31", "SALES", "SOME"), `unknown test "SOME"`,
		},
		"a comparison": {
			thresholds, nexus("2017-01-01", "2018-10-31", "EXCEEDED", ">"),
			"amount_test: not one of the allowed values",
		},
		"what counts": {
			thresholds, nexus("2017-01-01", "2018-10-31", "TANGIBLE", "TANGIBLE|SOME"),
			"counts_only: not one of the allowed values",
		},
		"a number without a test": {
			thresholds, nexus("2017-01-01", "2018-10-31", "SALES", "BOTH"), "threshold out of range",
		},
		"a negative threshold": {
			thresholds, nexus("2017-01-01", "2018-10-31", "100000", "-1"), "threshold out of range",
		},
		"no start":                {thresholds, nexus("", "2018-10-31"), "no start"},
		"an end before the start": {thresholds, nexus("2018-10-31", "2018-10-30"), "ends before it starts"},
		"an unknown state":        {thresholds, nexus("2017-01-01", "2018-10-31", "SD", "XX"), `unknown state "XX"`},
		"a due rule":              {"us_filing_due.csv", "TX,SEMI_ANNUALLY,N,DAY:31,law,HIGH,,", `due rule "DAY:31"`},
		"a frequency":             {"us_filing_due.csv", "TX,WEEKLY,N,DAY:20,law,HIGH,,", `unknown frequency "WEEKLY"`},
		"a second due rule": {
			"us_filing_due.csv", "TX,MONTHLY,N,DAY:25,law,HIGH,,", "a second rule of TX for MONTHLY",
		},
		"a second default": {
			"us_filing_due.csv", "TX,SEMI_ANNUALLY,Y,DAY:20,law,HIGH,,", "a second default of TX",
		},
		"a holiday rule": {
			"us_holiday_rules.csv", "Easter,EASTER:1,NONE,US,1900-01-01", `holiday rule "EASTER:1"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := tax.ReadContent(with(t, test.file, test.line))
			require.ErrorContains(t, err, test.want)
			require.ErrorContains(t, err, test.file+":")
		})
	}
}
