package nexus_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/tax/calendar"
	"levy/tax/content"
	"levy/tax/nexus"
)

// thresholds are those of the embedded tables.
func thresholds(t *testing.T) *nexus.Table {
	t.Helper()
	d, err := content.Parse(content.Packed())
	require.NoError(t, err)
	names := func(id string) string { return map[string]string{"US-NY": "New York"}[id] }
	return nexus.NewTable(d.Nexus, names, func(at fmt.Stringer, format string, args ...any) {
		t.Errorf("%s: "+format, append([]any{at}, args...)...)
	})
}

// first is the day of nexus and the first day of collecting after sales on 15 May 2026.
func first(t *testing.T, table *nexus.Table, place string, domestic bool, amount string, count int) string {
	t.Helper()
	country, state, _ := strings.Cut(place, "-")
	e, ok, err := nexus.First(table.Rules(country, state, domestic), 20271231, []nexus.DailySales{
		{Day: 20260515, Amount: decimal.MustParse(amount), Count: count},
	}, false)
	require.NoError(t, err)
	if !ok {
		return "never"
	}
	return e.MetDate.String() + " " + e.ObligationStart.String()
}

// A seller who sold nothing before makes one sale on 15 May 2026: the largest one that
// makes no nexus, and a cent more.
func TestTheAmountOfEveryPlace(t *testing.T) {
	t.Parallel()
	table := thresholds(t)
	for _, test := range []struct {
		place       string
		domestic    bool
		under, over string
		met, start  string
	}{
		{"US-AL", false, "250000.00", "250000.01", "2026-12-31", "2027-01-01"},
		{"US-AK", false, "99999.99", "100000.00", "2026-12-31", "2027-02-01"},
		{"US-AZ", false, "100000.00", "100000.01", "2026-05-15", "2026-07-01"},
		{"US-AR", false, "100000.00", "100000.01", "2026-05-15", "2026-05-16"},
		{"US-CA", false, "500000.00", "500000.01", "2026-05-15", "2026-05-15"},
		{"US-CO", false, "100000.00", "100000.01", "2026-05-15", "2026-09-01"},
		{"US-DC", false, "100000.00", "100000.01", "2026-05-15", "2026-05-16"},
		{"US-FL", false, "100000.00", "100000.01", "2026-12-31", "2027-01-01"},
		{"US-GA", false, "100000.00", "100000.01", "2026-05-15", "2026-05-16"},
		{"US-HI", false, "99999.99", "100000.00", "2026-05-15", "2026-06-01"},
		{"US-ID", false, "100000.00", "100000.01", "2026-05-15", "2026-05-16"},
		{"US-IL", false, "99999.99", "100000.00", "2026-06-30", "2026-07-01"},
		{"US-IN", false, "100000.00", "100000.01", "2026-05-15", "2026-05-16"},
		{"US-IA", false, "99999.99", "100000.00", "2026-05-15", "2026-07-01"},
		{"US-KS", false, "100000.00", "100000.01", "2026-05-15", "2026-05-16"},
		{"US-KY", false, "100000.00", "100000.01", "2026-05-15", "2026-07-01"},
		{"US-LA", false, "100000.00", "100000.01", "2026-05-15", "2026-07-14"},
		{"US-ME", false, "100000.00", "100000.01", "2026-05-15", "2026-07-01"},
		{"US-MD", false, "100000.00", "100000.01", "2026-05-15", "2026-06-01"},
		{"US-MA", false, "100000.00", "100000.01", "2026-05-15", "2026-08-01"},
		{"US-MI", false, "100000.00", "100000.01", "2026-12-31", "2027-01-01"},
		{"US-MN", false, "100000.00", "100000.01", "2026-05-15", "2026-08-01"},
		{"US-MS", false, "250000.00", "250000.01", "2026-05-15", "2026-07-01"},
		{"US-MO", false, "99999.99", "100000.00", "2026-06-30", "2026-10-01"},
		{"US-NE", false, "100000.00", "100000.01", "2026-05-15", "2026-07-01"},
		{"US-NV", false, "100000.00", "100000.01", "2026-05-15", "2026-07-01"},
		{"US-NJ", false, "100000.00", "100000.01", "2026-05-15", "2026-06-14"},
		{"US-NM", false, "99999.99", "100000.00", "2026-12-31", "2027-01-01"},
		{"US-NC", false, "100000.00", "100000.01", "2026-05-15", "2026-07-14"},
		{"US-ND", false, "100000.00", "100000.01", "2026-05-15", "2026-07-14"},
		{"US-OH", false, "100000.00", "100000.01", "2026-05-15", "2026-05-16"},
		{"US-OK", false, "99999.99", "100000.00", "2026-05-15", "2026-06-01"},
		{"US-PA", false, "100000.00", "100000.01", "2026-12-31", "2027-04-01"},
		{"US-PR", false, "99999.99", "100000.00", "2026-05-15", "2026-06-01"},
		{"US-RI", false, "99999.99", "100000.00", "2026-12-31", "2027-01-01"},
		{"US-SC", false, "100000.00", "100000.01", "2026-05-15", "2026-07-01"},
		{"US-SD", false, "100000.00", "100000.01", "2026-05-15", "2026-07-01"},
		{"US-TN", false, "100000.00", "100000.01", "2026-05-15", "2026-08-01"},
		{"US-TX", false, "499999.99", "500000.00", "2026-05-15", "2026-09-01"},
		{"US-UT", false, "100000.00", "100000.01", "2026-05-15", "2026-05-16"},
		{"US-VT", false, "99999.99", "100000.00", "2026-06-30", "2026-08-01"},
		{"US-VA", false, "100000.00", "100000.01", "2026-05-15", "2026-05-16"},
		{"US-WA", false, "100000.00", "100000.01", "2026-05-15", "2026-07-01"},
		{"US-WV", false, "100000.00", "100000.01", "2026-05-15", "2026-05-16"},
		{"US-WI", false, "100000.00", "100000.01", "2026-05-15", "2026-05-16"},
		{"US-WY", false, "100000.00", "100000.01", "2026-05-15", "2026-05-16"},
		{"CA", false, "30000.00", "30000.01", "2026-05-15", "2026-05-15"},
		{"CA-QC", false, "30000.00", "30000.01", "2026-05-15", "2026-05-16"},
		{"CA-BC", false, "10000.00", "10000.01", "2026-05-15", "2026-05-16"},
		{"CA-SK", false, "0.00", "0.01", "2026-05-15", "2026-05-15"},
		{"CA-MB", false, "30000.00", "30000.01", "2026-05-15", "2026-05-16"},
		{"ZZ_EU", true, "10000.00", "10000.01", "2026-05-15", "2026-05-15"},
		{"ZZ_EU", false, "0.00", "0.01", "2026-05-15", "2026-05-15"},
		{"GB", true, "90000.00", "90000.01", "2026-05-15", "2026-07-01"},
		{"GB", false, "0.00", "0.01", "2026-05-15", "2026-05-15"},
		{"CH", false, "99999.99", "100000.00", "2026-05-15", "2026-05-16"},
		{"NO", false, "50000.00", "50000.01", "2026-05-15", "2026-05-16"},
		{"NO", true, "50000.00", "50000.01", "2026-05-15", "2026-05-16"},
	} {
		require.Equal(t, "never", first(t, table, test.place, test.domestic, test.under, 1), test.place)
		require.Equal(t, test.met+" "+test.start, first(t, table, test.place, test.domestic, test.over, 1), test.place)
	}
}

// The same with many sales that are worth little.
func TestTheNumberOfSalesOfEveryState(t *testing.T) {
	t.Parallel()
	table := thresholds(t)
	for _, test := range []struct {
		state       string
		under, over int
		met, start  string
	}{
		{"AR", 199, 200, "2026-05-15", "2026-05-16"},
		{"DC", 199, 200, "2026-05-15", "2026-05-16"},
		{"GA", 199, 200, "2026-05-15", "2026-05-16"},
		{"HI", 199, 200, "2026-05-15", "2026-06-01"},
		{"KY", 199, 200, "2026-05-15", "2026-07-01"},
		{"MD", 199, 200, "2026-05-15", "2026-06-01"},
		{"MI", 199, 200, "2026-12-31", "2027-01-01"},
		{"MN", 199, 200, "2026-05-15", "2026-08-01"},
		{"NE", 199, 200, "2026-05-15", "2026-07-01"},
		{"NV", 199, 200, "2026-05-15", "2026-07-01"},
		{"NJ", 199, 200, "2026-05-15", "2026-06-14"},
		{"OH", 199, 200, "2026-05-15", "2026-05-16"},
		{"PR", 199, 200, "2026-05-15", "2026-06-01"},
		{"RI", 199, 200, "2026-12-31", "2027-01-01"},
		{"VT", 199, 200, "2026-06-30", "2026-08-01"},
		{"VA", 199, 200, "2026-05-15", "2026-05-16"},
		{"WV", 199, 200, "2026-05-15", "2026-05-16"},
	} {
		require.Equal(t, "never", first(t, table, "US-"+test.state, false, "2.00", test.under), test.state)
		require.Equal(
			t, test.met+" "+test.start, first(t, table, "US-"+test.state, false, "2.00", test.over), test.state,
		)
	}
	for _, amountOnly := range []string{
		"AL", "AK", "AZ", "CA", "CO", "FL", "ID", "IL", "IN", "IA", "KS", "LA", "ME", "MA", "MS", "MO", "NM", "NC", "ND",
		"OK", "PA", "SC", "SD", "TN", "TX", "UT", "WA", "WI", "WY",
	} {
		require.Equal(t, "never", first(t, table, "US-"+amountOnly, false, "2.00", 100_000), amountOnly)
	}
	require.Equal(t, "never", first(t, table, "US-CT", false, "100000.00", 199), "Connecticut wants both")
	require.Equal(t, "never", first(t, table, "US-CT", false, "99999.99", 200))
	require.Equal(t, "2026-09-30 2026-10-01", first(t, table, "US-CT", false, "100000.00", 200))
	require.Equal(t, "never", first(t, table, "US-NY", false, "500000.01", 100), "New York wants both")
	require.Equal(t, "never", first(t, table, "US-NY", false, "500000.00", 101))
	require.Equal(t, "2026-05-31 2026-07-20", first(t, table, "US-NY", false, "500000.01", 101))
}

func TestPlacesAndTheirNames(t *testing.T) {
	t.Parallel()
	table := thresholds(t)
	names := map[string]string{}
	for _, p := range table.Places() {
		names[p.Country+" "+p.State] = p.Name
	}
	require.Equal(t, "New York", names["US NY"])
	require.Equal(t, "US-TX", names["US TX"], "the id where there is no name")
	require.Equal(t, "European Union", names["ZZ_EU "])
	require.Contains(t, names, "HR ", "members of the Union")
	require.NotContains(t, names, "US OR")
	require.NotContains(t, names, "EG ")
}

func TestRulesBySeller(t *testing.T) {
	t.Parallel()
	table := thresholds(t)
	for _, test := range []struct {
		place    nexus.Place
		home     string
		day      calendar.Date
		amount   string
		presence bool
	}{
		{nexus.Place{Country: "ZZ_EU"}, "FR", 20260515, "10000", false},
		{nexus.Place{Country: "ZZ_EU"}, "GB", 20260515, "0", false},
		{nexus.Place{Country: "ZZ_EU"}, "GB", 20201231, "0", true}, // a member before the rule for members began
		{nexus.Place{Country: "GB"}, "GB", 20240331, "85000", false},
		{nexus.Place{Country: "GB"}, "GB", 20240401, "90000", false},
		{nexus.Place{Country: "US", State: "SD"}, "US", 20181031, "0", true},
		{nexus.Place{Country: "US", State: "SD"}, "US", 20181101, "100000", false},
		{nexus.Place{Country: "US", State: "OK"}, "US", 20191031, "10000", false},
		{nexus.Place{Country: "US", State: "OK"}, "US", 20191101, "100000", false},
		{nexus.Place{Country: "US", State: "TN"}, "", 20200930, "500000", false},
		{nexus.Place{Country: "US", State: "TN"}, "", 20201001, "100000", false},
	} {
		terms := table.Terms(test.place, test.home, test.day)
		require.Equal(t, test.presence, terms.Presence, "%v for %s on %s", test.place, test.home, test.day)
		if !test.presence {
			require.Equal(t, test.amount, terms.Amount.String(), "%v for %s on %s", test.place, test.home, test.day)
			require.True(t, terms.Holds(test.day))
		}
	}
	require.Len(t, table.History(nexus.Place{Country: "GB"}, "GB", 20260515), 2)
	require.Len(t, table.History(nexus.Place{Country: "GB"}, "US", 20260515), 1)
	require.Len(t, table.History(nexus.Place{Country: "US", State: "AZ"}, "US", 20260515), 4)
	require.Empty(t, table.History(nexus.Place{Country: "DE"}, "DE", 20260515), "presence alone")
}

// Thresholds whose days depend on the year or the quarter of the sales, by the law of the time.
func TestThresholdsOfTheirOwnYearsAndQuarters(t *testing.T) {
	t.Parallel()
	table := thresholds(t)
	sold := func(day calendar.Date, amount string) nexus.DailySales {
		return nexus.DailySales{Day: day, Amount: decimal.MustParse(amount), Count: 1}
	}
	for _, test := range []struct {
		law, country, state string
		sales               []nexus.DailySales
		want                string
	}{
		{
			"A.R.S. 42-5044: more than 200,000 in 2019", "US", "AZ",
			[]nexus.DailySales{sold(20191115, "200000.01")}, "2019-11-15 2020-01-01",
		},
		{
			"2019 is not measured by the threshold of 2020", "US", "AZ",
			[]nexus.DailySales{sold(20191115, "160000.00"), sold(20200515, "1.00")}, "never",
		},
		{
			"A.R.S. 42-5044: more than 150,000 in 2020", "US", "AZ",
			[]nexus.DailySales{sold(20200515, "150000.01")}, "2020-05-15 2020-07-01",
		},
		{
			"2020 is not measured by the threshold of 2021", "US", "AZ",
			[]nexus.DailySales{sold(20200515, "120000.00"), sold(20210515, "1.00")}, "never",
		},
		{
			"A.R.S. 42-5044: more than 100,000 in 2021", "US", "AZ",
			[]nexus.DailySales{sold(20210515, "100000.01")}, "2021-05-15 2021-07-01",
		},
		{
			"Excise Tax Act 240(2.1): the supply that exceeds in one quarter", "CA", "",
			[]nexus.DailySales{sold(20260401, "30000.00"), sold(20260630, "0.01")}, "2026-06-30 2026-06-30",
		},
		{
			"Excise Tax Act 148(1): four quarters, from the second month after", "CA", "",
			[]nexus.DailySales{sold(20260331, "20000.00"), sold(20260401, "20000.00")}, "2026-06-30 2026-08-01",
		},
		{
			"148(2): the supply that exceeds in one quarter, though four quarters oblige only later", "CA", "",
			[]nexus.DailySales{
				sold(20260331, "20000.00"), sold(20260401, "20000.00"), sold(20260710, "30000.00"), sold(20260731, "0.01"),
			}, "2026-06-30 2026-07-31",
		},
		{
			"when four quarters oblige, a single one changes nothing", "CA", "",
			[]nexus.DailySales{sold(20260331, "20000.00"), sold(20260401, "20000.00"), sold(20260801, "30000.01")},
			"2026-06-30 2026-08-01",
		},
		{
			"the last day of a quarter belongs to it", "CA", "",
			[]nexus.DailySales{sold(20260331, "30000.00"), sold(20260701, "0.01")}, "2026-09-30 2026-11-01",
		},
		{
			"four quarters, not five", "CA", "",
			[]nexus.DailySales{sold(20250331, "20000.00"), sold(20260115, "20000.00")}, "never",
		},
	} {
		e, ok, err := nexus.First(table.Rules(test.country, test.state, false), 20271231, test.sales, false)
		require.NoError(t, err)
		got := "never"
		if ok {
			got = e.MetDate.String() + " " + e.ObligationStart.String()
		}
		require.Equal(t, test.want, got, test.law)
	}
	a, err := nexus.Assess(&nexus.Facts{
		Day: 20260515, Terms: table.Terms(nexus.Place{Country: "CA"}, "US", 20260515), Approaching: 80,
		Rules: table.Rules("CA", "", false), Sales: []nexus.DailySales{sold(20260401, "20000.00"),
			sold(20260511, "10000.01")},
	})
	require.NoError(t, err)
	require.Equal(t, calendar.MustDate("2026-05-11"), a.Crossed.Crossing, "the supply is the proof")
	require.Equal(t, "30000.01", a.Crossed.CrossingAmount.String())
	for amount, want := range map[string]bool{"23999.99": false, "24000.00": true, "30000.00": true, "30000.01": false} {
		rule := table.Terms(nexus.Place{Country: "CA"}, "US", 20260515)
		e, err := nexus.Evaluate(&rule, 20260515, []nexus.DailySales{sold(20260511, amount)}, false, 80)
		require.NoError(t, err)
		require.Equal(t, want, e.Approaching, "%s in the running quarter alone", amount)
	}
	for today, want := range map[calendar.Date]string{20260709: "20260801", 20260715: "20260710"} {
		e, _, err := nexus.First(table.Rules("CA", "", false), today, []nexus.DailySales{
			sold(20260331, "20000.00"), sold(20260401, "20000.00"), sold(20260710, "30000.01"),
		}, false)
		require.NoError(t, err)
		require.Equal(t, want, e.ObligationStart.Time().Format("20060102"), "sales of later days are not made yet")
	}
}
