package tax_test

import (
	"cmp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every authority with registrations has a site for returns.
func TestEveryAuthorityHasASiteForReturns(t *testing.T) {
	t.Parallel()
	c := loaded(t)
	for _, place := range c.Nexus().Places() {
		site := c.FilingSite(place.Country, cmp.Or(place.State, place.Country))
		require.True(t, strings.HasPrefix(site, "https://"), "%s %s: %q", place.Country, place.State, site)
	}
	for _, state := range []string{"DE", "MT", "NH", "OR"} { // without a sales tax, but with a register
		require.NotEmpty(t, c.FilingSite("US", state), state)
	}
	require.Equal(t, "https://comptroller.texas.gov", c.FilingSite("US", "TX"))
	require.Equal(t, "https://www.revenuquebec.ca", c.FilingSite("CA", "QC"))
	require.Equal(t, c.FilingSite("CA", "CA"), c.FilingSite("CA", "ON"), "the federal authority collects the HST")
	require.Empty(t, c.FilingSite("US", "GU"))
	require.Empty(t, c.FilingSite("EG", "EG"))
}
