package tax_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax/calendar"
	"levy/tax/money"
)

// Each amount was worked out by hand from the rates, tiers and caps of the state.
func TestAllowancesOfStates(t *testing.T) {
	t.Parallel()
	c := loaded(t)
	for _, test := range []struct {
		state     string
		frequency calendar.FilingFrequency
		end, day  calendar.Date
		months    int
		tax, want string
	}{
		{"TX", calendar.FilingMonthly, 20260731, 20260820, 1, "2627.38", "13.14"},
		{"FL", calendar.FilingMonthly, 20260731, 20260820, 1, "1000.00", "25.00"},
		{"FL", calendar.FilingMonthly, 20260731, 20260820, 1, "2887.00", "30.00"},
		{"GA", calendar.FilingMonthly, 20260731, 20260820, 1, "3000.00", "90.00"},
		{"GA", calendar.FilingMonthly, 20260731, 20260820, 1, "5000.00", "100.00"},
		{"AL", calendar.FilingMonthly, 20260731, 20260820, 1, "200.00", "7.00"},
		{"AL", calendar.FilingMonthly, 20260731, 20260820, 1, "90000.00", "400.00"},
		{"MD", calendar.FilingMonthly, 20260731, 20260820, 1, "10000.00", "108.00"},
		{"KY", calendar.FilingMonthly, 20260731, 20260820, 1, "2000.00", "32.50"},
		{"WY", calendar.FilingMonthly, 20260731, 20260820, 1, "7121.60", "130.59"}, // its tiers alone are 121.88 and 8.72
		{"NY", calendar.FilingQuarterly, 20260831, 20260921, 3, "1728.03", "86.40"},
		{"NY", calendar.FilingQuarterly, 20260831, 20260921, 3, "9000.00", "200.00"},
		{"PA", calendar.FilingMonthly, 20260731, 20260820, 1, "1686.00", "16.86"},
		{"PA", calendar.FilingMonthly, 20260731, 20260820, 1, "9000.00", "25.00"},
		{"PA", calendar.FilingQuarterly, 20260930, 20261020, 3, "9000.00", "75.00"},
		{"IL", calendar.FilingMonthly, 20260731, 20260820, 1, "100000.00", "1000.00"},
		{"IL", calendar.FilingQuarterly, 20260930, 20261020, 3, "200000.00", "3000.00"},
		{"NE", calendar.FilingMonthly, 20260731, 20260820, 1, "5000.00", "75.00"},
		{"WI", calendar.FilingMonthly, 20260731, 20260820, 1, "7.50", "7.50"},
		{"WI", calendar.FilingMonthly, 20260731, 20260820, 1, "900.00", "10.00"},
		{"WI", calendar.FilingMonthly, 20260731, 20260820, 1, "2000.00", "15.00"},
		{"MI", calendar.FilingMonthly, 20260731, 20260812, 1, "1200.00", "6.00"},
		{"MI", calendar.FilingMonthly, 20260731, 20260812, 1, "3000.00", "15.00"},
		{"MI", calendar.FilingMonthly, 20260731, 20260813, 1, "3000.00", "10.00"},
		{"MI", calendar.FilingMonthly, 20260731, 20260812, 1, "9.00", "6.00"},
		{"SC", calendar.FilingMonthly, 20260731, 20260820, 1, "100.00", "3.00"},
		{"SC", calendar.FilingMonthly, 20260731, 20260820, 1, "101.00", "2.02"},
		{"TX", calendar.FilingMonthly, 20260731, 20260820, 1, "-5.00", "0.00"},
	} {
		due := test.end.LastOfMonth().AddDays(20)
		a, ok := c.VendorAllowance(test.state, test.frequency, test.end, due, test.day)
		require.True(t, ok, test.state)
		require.True(t, a.Computable(), test.state)
		whole, err := money.ParseTotal(test.tax)
		require.NoError(t, err)
		amount, err := a.Of(whole, test.months)
		require.NoError(t, err)
		require.Equal(t, test.want, amount.String(), "%s of %s", test.state, test.tax)
	}
}

func TestAllowancesThatAReturnDoesNotGet(t *testing.T) {
	t.Parallel()
	c := loaded(t)
	_, ok := c.VendorAllowance("NY", calendar.FilingMonthly, 20260731, 20260820, 20260820)
	require.False(t, ok, "it is for quarterly and annual filers")
	_, ok = c.VendorAllowance("MI", calendar.FilingMonthly, 20260731, 20260820, 20260821)
	require.False(t, ok, "the 20th is over")
	a, ok := c.VendorAllowance("CO", calendar.FilingMonthly, 20260131, 20260220, 20260220)
	require.True(t, ok)
	require.True(t, a.None(), "ended with 2025")
	a, ok = c.VendorAllowance("CO", calendar.FilingMonthly, 20251231, 20260120, 20260120)
	require.True(t, ok)
	require.False(t, a.None())
	a, ok = c.VendorAllowance("IL", calendar.FilingMonthly, 20241231, 20250121, 20250121)
	require.True(t, ok)
	require.Equal(t, "1000.00", a.Tiers[0].Cap.String(), "the days are those on which returns are due")
	a, ok = c.VendorAllowance("IN", calendar.FilingMonthly, 20260731, 20260820, 20260820)
	require.True(t, ok)
	require.False(t, a.Computable(), "the tier is that of another year")
}

// Every state has a row, and every row says where it comes from and how sure it is.
func TestEveryStateHasAnAllowance(t *testing.T) {
	t.Parallel()
	c := loaded(t)
	states := map[string]bool{}
	for _, a := range c.VendorAllowances() {
		states[a.State] = true
		require.NotEmpty(t, a.Source, a.State)
		require.NotEmpty(t, a.Confidence, a.State)
		if !a.None() {
			require.NotEmpty(t, a.Condition, a.State)
		}
	}
	require.Len(t, states, 51, "with the District of Columbia")
}
