package calendar_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax"
	"levy/tax/calendar"
)

// A return that is due on a holiday of its state is due on the business day after it. Other states work on those days.
// Sources: NRS 236.015 (Nevada Day), W. Va. Code 2-2-1 (West Virginia Day), HRS 8-1 (Statehood Day).
func TestHolidaysOfStatesMoveDueDays(t *testing.T) {
	t.Parallel()
	taxes, err := tax.LoadContent()
	require.NoError(t, err)
	for _, test := range []struct{ state, day, next string }{
		{"NV", "2025-10-31", "2025-11-03"}, // a Friday
		{"UT", "2025-10-31", "2025-10-31"},
		{"NV", "2026-10-30", "2026-11-02"},
		{"WV", "2025-06-20", "2025-06-23"}, // a Friday
		{"PA", "2025-06-20", "2025-06-20"},
		{"WV", "2027-06-21", "2027-06-22"}, // 20 June is a Sunday
		{"HI", "2027-08-20", "2027-08-23"}, // the third Friday of August
		{"CA", "2027-08-20", "2027-08-20"},
	} {
		got := taxes.Calendar().NextBusinessDay("US", test.state, calendar.MustDate(test.day))
		require.Equal(t, test.next, got.String(), "%s %s", test.state, test.day)
	}
}
