package tax

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax/calendar"
)

// The file of a return is that of the end of its period and of its frequency; what was not read is given to nobody.
func TestTheFileOfAPeriod(t *testing.T) {
	t.Parallel()
	c, err := LoadContent()
	require.NoError(t, err)
	id := func(state, frequency string, end calendar.Date) string {
		f, _ := c.ReturnFile("US", state, frequency, end)
		if f.Given() {
			return f.ID
		}
		return "not " + f.ID
	}
	require.Equal(t, "US-WA-E-FILE/1.0", id("WA", "MONTHLY", 20260731))
	require.Equal(t, "not US-WA-E-FILE-QUARTERLY/1.0", id("WA", "QUARTERLY", 20260930))
	require.Equal(t, "not ", id("WA", "ANNUALLY", 20261231))
	require.Equal(t, "not ", id("WA", "MONTHLY", 20240630), "before the edition")
	require.Equal(t, "US-NE-SCHEDULE-I/2012", id("NE", "ANNUALLY", 20261231), "for every frequency")
	require.Equal(t, "not US-PA-MYPATH/2021", id("PA", "MONTHLY", 20260731))
	f, _ := c.ReturnFile("US", "WA", "MONTHLY", 20260731)
	code, ok := f.Code("King County, Seattle")
	require.True(t, ok)
	require.Equal(t, "1726", code)
	_, ok = f.Code("King County")
	require.False(t, ok, "a place has all of its jurisdictions")
	for _, f := range c.ReturnFiles() {
		require.NotEmpty(t, f.Source, f.ID)
		require.Contains(t, []Confidence{ConfidenceHigh, ConfidenceMedium, ConfidenceLow}, f.Confidence, f.ID)
	}
}
