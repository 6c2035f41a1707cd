package web

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/contract"
)

func TestChangesOfAmountsAreExact(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"1.06", "0.99", "+0.07"}, {"0.99", "1.06", "-0.07"}, {"5.00", "5", "0.00"},
		{"9007199254740993.01", "9007199254740992.00", "+1.01"},
		{"0.1250", "0", "+0.125"}, {"", "1", ""},
	} {
		require.Equal(t, c[2], amountDifference(c[0], c[1]), c)
	}
}

func TestAMonthIsLaidOutInWeeks(t *testing.T) {
	t.Parallel()
	var counts []contract.DueCount
	require.NoError(t, contract.Decode([]byte(`[
		{"due_date":"2026-02-20","status":"UNFILED","count":2}, {"due_date":"2026-02-20","status":"FILED","count":3},
		{"due_date":"2026-02-28","status":"ISSUE","count":1}, {"due_date":"2026-03-01","status":"UNFILED","count":7}]`), &counts))
	m := monthOf(time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC), "2026-02-20", counts)
	require.Equal(t, []string{"February 2026", "2026-01", "2026-03"}, []string{m.Name, m.Before, m.After})
	require.Len(t, m.Weeks, 4) // its first day is a Sunday
	require.Equal(t, monthDay{Date: "2026-02-20", Day: 20, Today: true, Open: 2, Settled: 3}, m.Weeks[2][5])
	require.Equal(t, monthDay{Date: "2026-02-28", Day: 28, Issue: 1}, m.Weeks[3][6])
	m = monthOf(time.Date(2026, 8, 1, 0, 0, 0, 0, time.UTC), "", nil)
	require.Len(t, m.Weeks, 6)
	require.Equal(t, []int{0, 1, 2, 31}, []int{m.Weeks[0][5].Day, m.Weeks[0][6].Day, m.Weeks[1][0].Day, m.Weeks[5][1].Day})
}

func TestShareOfAThreshold(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		record nexusRecord
		share  int
		level  string
	}{
		"whichever is more": {nexusRecord{Counts: "EITHER", Amount: "50000.00", Number: 120}, 60, "half"},
		"both":              {nexusRecord{Counts: "BOTH", Amount: "50000.00", Number: 120}, 50, "half"},
		"rounded down":      {nexusRecord{Counts: "SALES", Amount: "99999.99", Number: 900}, 99, "half"},
		"nothing":           {nexusRecord{Counts: "SALES", Amount: "0.00"}, 0, "none"},
		"a little":          {nexusRecord{Counts: "TRANSACTIONS", Amount: "9.00", Number: 2}, 1, "some"},
		"of the period before": {nexusRecord{Counts: "SALES", Amount: "1.00", PreviousAmount: "90000",
			Model: "CURRENT_OR_PREVIOUS"}, 90, "half"},
		"that does not count": {nexusRecord{Counts: "SALES", Amount: "1000.00", PreviousAmount: "90000",
			Model: "CALENDAR_YEAR"}, 1, "some"},
		"what is refunded":        {nexusRecord{Counts: "SALES", Amount: "-5000.00"}, 0, "none"},
		"registered all the same": {nexusRecord{Counts: "SALES", Amount: "1000.00", Status: "REGISTERED"}, 1, "registered"},
	} {
		r := c.record
		r.ThresholdSales, r.ThresholdNumber = json.Number("100000"), 200
		if r.Status == "" {
			r.Status = "NOT_EXPOSED"
		}
		require.Equal(t, c.share, r.Share(), name)
		require.Equal(t, c.level, r.Level(), name)
	}
	require.Equal(t, -1, nexusRecord{Counts: "SALES", ThresholdSales: "0"}.Share(), "no threshold")
}

func TestEveryStateHasAnOutline(t *testing.T) {
	t.Parallel()
	require.Len(t, stateShapes, 51)
	for _, s := range stateShapes {
		require.Regexp(t, `^(M-?\d+ \d+(l-?\d+ -?\d+)+z)+$`, s.Path, s.Code)
	}
}
