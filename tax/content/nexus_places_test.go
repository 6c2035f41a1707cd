package content_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax"
	"levy/tax/content"
)

func TestPlacesWithNexus(t *testing.T) {
	t.Parallel()
	c, err := content.Load()
	require.NoError(t, err)
	byCountry := map[string]int{}
	names := map[string]string{}
	for _, p := range c.NexusPlaces() {
		byCountry[p.Country]++
		names[p.Country+p.State] = p.Name
	}
	require.Equal(t, 5, byCountry["CA"])
	require.Equal(t, 1, byCountry[tax.EuropeanUnion])
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
	c, err := content.Load()
	require.NoError(t, err)
	for _, test := range []struct {
		rule, country, state, home, day string
		presence                        bool
		currency, amount                string
		kind                            tax.NexusType
	}{
		{"by the day", "US", "WA", "", "2019-03-13", false, "USD", "100000", tax.NexusState},
		{"sellers from abroad need no threshold", "GB", "", "US", "2026-01-01", false, "GBP", "0", tax.NexusCountry},
		{"sellers at home have one", "GB", "", "GB", "2026-01-01", false, "GBP", "90000", tax.NexusCountry},
		{"sellers in a member have the one of the Union", "ZZ_EU", "", "DE", "2026-01-01", false, "EUR", "10000", tax.NexusEUAggregator},
		{"in a member only presence counts", "FR", "", "DE", "2026-01-01", true, "EUR", "", tax.NexusEUMemberState},
		{"nor is there a rule for sellers at home", "NO", "", "NO", "2026-01-01", true, "NOK", "", tax.NexusCountry},
		{"before the law began", "US", "FL", "", "2020-01-01", true, "USD", "", tax.NexusState},
	} {
		terms := c.NexusTerms(tax.NexusPlace{Country: test.country, State: test.state}, test.home, tax.MustDate(test.day))
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

func TestWhatCountsWhere(t *testing.T) {
	t.Parallel()
	day := tax.MustDate("2026-01-01")
	for _, test := range []struct {
		place          tax.NexusPlace
		country, state string
		home           string
		counts         bool
	}{
		{tax.NexusPlace{Country: "US", State: "NY"}, "US", "NY", "", true},
		{tax.NexusPlace{Country: "US", State: "NY"}, "US", "NJ", "", false},
		{tax.NexusPlace{Country: "CA"}, "CA", "QC", "", true},
		{tax.NexusPlace{Country: "CA", State: "QC"}, "CA", "ON", "", false},
		{tax.NexusPlace{Country: tax.EuropeanUnion}, "FR", "", "DE", true},
		{tax.NexusPlace{Country: tax.EuropeanUnion}, "DE", "", "DE", false},
		{tax.NexusPlace{Country: tax.EuropeanUnion}, "GB", "", "DE", false},
		{tax.NexusPlace{Country: "DE"}, "DE", "", "DE", true},
	} {
		require.Equal(t, test.counts, test.place.Counts(test.country, test.state, test.home, day), "%v of %s-%s", test.place, test.country, test.state)
	}
}
