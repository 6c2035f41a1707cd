package returns

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
)

// Sandboxes get returns of test organizations alone. Others go where the operator has configured it, and what people upload has the
// document, and no adapter that refuses an approval.
func TestWhichReturnsAreSent(t *testing.T) {
	t.Parallel()
	content, err := tax.LoadContent()
	require.NoError(t, err)
	to := AdapterAuthorities{Tests: []string{"MI", "GB"}, Live: []string{"OH"}, Upload: []string{"TN"}}
	for _, c := range []struct {
		test                  bool
		country, state        string
		sends, takes, refuses bool
	}{
		{true, "US", "MI", true, true, true},
		{false, "US", "MI", false, false, false},
		{true, "US", "OH", false, false, false},
		{false, "US", "OH", true, true, true},
		{false, "US", "TN", false, true, false},
		{true, "US", "TN", false, false, false},
		{false, "GB", "GB", false, false, false},
		{false, "CA", "OH", false, false, false},
	} {
		require.Equal(t, c.sends, to.Sends(c.test, c.country, c.state), c)
		require.Equal(t, c.takes, to.Takes(c.test, c.country, c.state), c)
		facts := models.ReturnFacts{Test: c.test, Filing: models.Filing{
			CountryCode: c.country, StateCode: c.state, FilingCategory: calendar.FilingRegular, EndDate: calendar.MustDate("2026-08-31").Time(),
		}}
		require.Equal(t, c.takes, to.Of(facts).Simplified, c)
		require.Equal(t, c.refuses, len(to.Refuses(content, facts, 20260910)) > 0, c)
	}
	require.True(t, AdapterAuthorities{Upload: []string{"TN"}}.None())
	require.False(t, AdapterAuthorities{Live: []string{"TN"}}.None())
}
