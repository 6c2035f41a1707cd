package tax_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax"
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
	for _, unknown := range [][2]string{{"US", "US"}, {"US", "ON"}, {"US", ""}, {"CA", "NY"}, {"DE", "BY"}, {"JP", "JP"},
		{"ZZ_EU", "DE"}, {"PT", "PT-20"}, {"", ""}} {
		_, ok := c.AuthorityNamed(unknown[0], unknown[1])
		require.False(t, ok, "%v", unknown)
	}
}
