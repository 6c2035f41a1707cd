package tax_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/nexus"
)

func TestPlacesWithNexus(t *testing.T) {
	t.Parallel()
	c, err := tax.LoadContent()
	require.NoError(t, err)
	byCountry := map[string]int{}
	names := map[string]string{}
	for _, p := range c.Nexus().Places() {
		byCountry[p.Country]++
		names[p.Country+p.State] = p.Name
	}
	require.Equal(t, 5, byCountry["CA"])
	require.Equal(t, 1, byCountry[nexus.EuropeanUnion])
	require.Equal(t, 1, byCountry["DE"], "members of the Union have records of their own")
	require.Equal(t, 1, byCountry["GB"])
	require.Equal(t, 48, byCountry["US"], "with a sales tax, Washington and Puerto Rico included")
	require.Equal(t, "New York", names["USNY"])
	require.Equal(t, "European Union", names["ZZ_EU"])
	require.Equal(t, "Germany", names["DE"])
	require.Equal(t, "Canada", names["CA"])
}

func TestTermsOfSellers(t *testing.T) {
	t.Parallel()
	c, err := tax.LoadContent()
	require.NoError(t, err)
	for _, test := range []struct {
		rule, country, state, home, day string
		presence                        bool
		currency, amount                string
		kind                            nexus.Type
	}{
		{"by the day", "US", "WA", "", "2019-03-13", false, "USD", "100000", nexus.TypeState},
		{"sellers from abroad need no threshold", "GB", "", "US", "2026-01-01", false, "GBP", "0", nexus.TypeCountry},
		{"sellers at home have one", "GB", "", "GB", "2026-01-01", false, "GBP", "90000", nexus.TypeCountry},
		{
			"sellers in a member have the one of the Union", "ZZ_EU", "", "DE", "2026-01-01", false, "EUR",
			"10000", nexus.TypeEUAggregator,
		},
		{"in a member only presence counts", "FR", "", "DE", "2026-01-01", true, "EUR", "", nexus.TypeEUMemberState},
		{"sellers at home in Norway", "NO", "", "NO", "2026-01-01", false, "NOK", "50000", nexus.TypeCountry},
		{"nor was there a rule for them before", "NO", "", "NO", "2009-12-31", true, "NOK", "", nexus.TypeCountry},
		{"before the law began", "US", "FL", "", "2020-01-01", true, "USD", "", nexus.TypeState},
	} {
		terms := c.Nexus().Terms(nexus.Place{
			Country: test.country, State: test.state,
		}, test.home, calendar.MustDate(test.day))
		require.Equal(t, test.presence, terms.Presence, test.rule)
		require.Equal(t, test.currency, terms.Currency, test.rule)
		require.Equal(t, test.kind, terms.Type, test.rule)
		require.Equal(t, test.country, terms.Country, test.rule)
		if test.presence {
			require.False(t, terms.HasAmount() || terms.HasCount(), test.rule)
		} else {
			require.Equal(t, test.amount, terms.Amount.String(), test.rule)
		}
	}
}

func TestWhichSalesCountForAJurisdiction(t *testing.T) {
	t.Parallel()
	day := calendar.MustDate("2026-01-01")
	for _, test := range []struct {
		place          nexus.Place
		country, state string
		home           string
		counts         bool
	}{
		{nexus.Place{Country: "US", State: "NY"}, "US", "NY", "", true},
		{nexus.Place{Country: "US", State: "NY"}, "US", "NJ", "", false},
		{nexus.Place{Country: "CA"}, "CA", "QC", "", true},
		{nexus.Place{Country: "CA", State: "QC"}, "CA", "ON", "", false},
		{nexus.Place{Country: nexus.EuropeanUnion}, "FR", "", "DE", true},
		{nexus.Place{Country: nexus.EuropeanUnion}, "DE", "", "DE", false},
		{nexus.Place{Country: nexus.EuropeanUnion}, "GB", "", "DE", false},
		{nexus.Place{Country: "DE"}, "DE", "", "DE", true},
	} {
		require.Equal(
			t, test.counts, test.place.Counts(test.country, test.state, test.home, day), "%v of %s-%s",
			test.place, test.country, test.state,
		)
	}
}

// The kinds of sales that alone count towards a threshold, by the laws that its row cites; elsewhere all kinds count.
// Sales before the first rule are measured by it, since they can count when it begins.
func TestTheKindsOfSalesThatCountForAThreshold(t *testing.T) {
	t.Parallel()
	table := loaded(t).Nexus()
	const goods = nexus.KindTangible
	want := map[string]nexus.Kinds{
		"CA": goods, "FL": goods, "MO": goods, "NV": goods, "OK": goods,
		"AL": goods | nexus.KindSoftware, "IL": goods | nexus.KindSoftware,
		"GA": goods | nexus.KindSoftware | nexus.KindDigital,
		"NY": goods | nexus.KindSoftware | nexus.KindSaaS,
	}
	for _, p := range table.Places() {
		require.Equal(t, want[p.State], table.Only(p.Country, p.State, calendar.MustDate("2026-05-15")), p.State)
	}
	require.Equal(t, goods, table.Only("US", "FL", calendar.MustDate("2020-05-15")))
	require.Zero(t, table.Only("US", "OR", calendar.MustDate("2026-05-15")))
	require.Equal(t, "Only sales of tangible personal property, digital goods and software that is delivered "+
		"electronically count; those of software as a service and services do not.", want["GA"].Sentence())
	require.Equal(t, "Sales of goods and services count.", want["TX"].Sentence())
}
