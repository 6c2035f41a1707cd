package tax_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax"
	"levy/tax/calendar"
)

func TestAuthoritiesAreFoundByCodeAndName(t *testing.T) {
	t.Parallel()
	c, err := tax.LoadContent()
	require.NoError(t, err)
	for _, found := range []struct {
		country, state string
		want           tax.NamedAuthority
	}{
		{"US", "NY", tax.NamedAuthority{Country: "US", State: "NY", Name: "New York"}},
		{"US", "new york", tax.NamedAuthority{Country: "US", State: "NY", Name: "New York"}},
		{"US", "pr", tax.NamedAuthority{Country: "US", State: "PR", Name: "Puerto Rico"}},
		{"PR", "PR", tax.NamedAuthority{Country: "US", State: "PR", Name: "Puerto Rico"}},
		{"CA", "CA", tax.NamedAuthority{Country: "CA", State: "CA", Name: "Canada"}},
		{"CA", "Quebec", tax.NamedAuthority{Country: "CA", State: "QC", Name: "Quebec"}},
		{"DE", "DE", tax.NamedAuthority{Country: "DE", State: "DE", Name: "Germany"}},
		{"GB", "United Kingdom", tax.NamedAuthority{Country: "GB", State: "GB", Name: "United Kingdom"}},
		{"ZZ_EU", "ZZ_EU", tax.NamedAuthority{Country: "ZZ_EU", State: "ZZ_EU", Name: "European Union"}},
	} {
		got, ok := c.AuthorityNamed(found.country, found.state)
		require.True(t, ok, "%s %s", found.country, found.state)
		require.Equal(t, found.want, got)
	}
	for _, unknown := range [][2]string{{"US", "US"}, {"US", "ON"}, {"US", ""}, {"CA", "NY"}, {"DE", "BY"}, {"EG", "EG"},
		{"ZZ_EU", "DE"}, {"PT", "PT-20"}, {"", ""}} {
		_, ok := c.AuthorityNamed(unknown[0], unknown[1])
		require.False(t, ok, "%v", unknown)
	}
}

func TestJurisdictionsAreFoundByWhatTaxItemsSay(t *testing.T) {
	t.Parallel()
	c := loaded(t)
	for _, test := range []struct {
		country, state string
		kind           tax.JurisdictionType
		name, want     string // id; empty: there is none
	}{
		{"US", "TX", tax.TypeCity, "Houston", "US-TX-M-houston"},
		{"US", " tx ", tax.TypeCity, "  HOUSTON ", "US-TX-M-houston"},
		{"US", "TX", tax.TypeState, "Texas", "US-TX"},
		{"DE", "", tax.TypeCountry, "Germany", "DE"},
		{"US", "TX", tax.TypeCounty, "Houston city", ""},
		{"US", "TX", tax.TypeState, "Houston", ""},   // of another level
		{"US", "NY", tax.TypeCity, "Houston", ""},    // of another state
		{"CA", "TX", tax.TypeCity, "Houston", ""},    // of another country
		{"DE", "DE", tax.TypeCountry, "Germany", ""}, // a country has no state
		{"", "", "", "", ""},
	} {
		j, ok := c.JurisdictionNamed(test.country, test.state, test.kind, test.name)
		require.Equal(t, test.want, j.ID, "%+v", test)
		require.Equal(t, test.want != "", ok, "%+v", test)
	}
}

// Five states have no sales tax of their own; in Alaska cities and boroughs have one.
func TestWhereSalesAreTaxed(t *testing.T) {
	t.Parallel()
	c := loaded(t)
	states := c.States()
	require.Len(t, states, 52, "with DC and Puerto Rico")
	day := calendar.MustDate("2026-05-01")
	var none []string
	for i, state := range states {
		require.Equal(t, "US", state.Country)
		require.True(t, i == 0 || states[i-1].State < state.State, "in the order of their codes")
		named, ok := c.AuthorityNamed("US", state.Name)
		require.True(t, ok)
		require.Equal(t, state, named)
		if !c.Taxes(state, day) {
			none = append(none, state.State)
		}
	}
	require.Equal(t, []string{"DE", "MT", "NH", "OR"}, none)
	require.True(t, c.Taxes(tax.NamedAuthority{Country: "DE", State: "DE"}, day))
}

// The name of another state, province or country contradicts the codes; the own name does not.
func TestNamesThatContradictAnAuthority(t *testing.T) {
	t.Parallel()
	c, err := tax.LoadContent()
	require.NoError(t, err)
	for _, of := range []struct {
		country, state, name string
		contradicts          bool
	}{
		{"US", "NY", "New York", false}, {"US", "NY", " new york ", false}, {"US", "NY", "NY State", false},
		{"US", "NY", "Texas", true}, {"US", "NY", "Canada", true}, {"US", "NY", "United States", false},
		{"US", "GA", "Georgia", false}, {"US", "CA", "California", false}, {"US", "CA", "Canada", true},
		{"CA", "ON", "Ontario", false}, {"CA", "ON", "Canada", true}, {"CA", "CA", "Ontario", true},
		{"CA", "CA", "Canada", false}, {"CA", "ON", "Texas", true},
		{"DE", "DE", "Germany", false}, {"DE", "DE", "Deutschland", false}, {"DE", "DE", "France", true},
		{"CH", "CH", "NE", false}, {"CA", "ON", "NY", true}, {"US", "NY", "CA", true},
		{"DE", "DE", "New York", true}, {"ZZ_EU", "ZZ_EU", "European Union", false}, {"ZZ_EU", "ZZ_EU", "France", true},
	} {
		authority, known := c.AuthorityNamed(of.country, of.state)
		require.True(t, known, of)
		require.Equal(t, of.contradicts, c.Contradicts(authority, of.name), of)
	}
}
