package web

import (
	"net/http"
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

// A saved view has the parameters of the API, and the list selects its place again.
func TestAViewOfAPlaceHasItsCountry(t *testing.T) {
	t.Parallel()
	for _, query := range []string{"state_code=US-CA", "country_code=US&state_code=CA"} {
		shown := visitedWith(t, map[string]string{
			"GET /v1/session": anAdmin, "GET /v1/due_filings": `{"items":[],"total":0}`,
			"GET /v1/session/views": `{"items":[]}`,
		}, "/filings?status__in=ISSUE&"+query, nil)
		require.Equal(t, http.StatusOK, shown.Code, shown.Body)
		require.Contains(t, shown.Body.String(), `value="country_code=US&amp;state_code=CA&amp;status__in=ISSUE"`)
		require.Contains(t, shown.Body.String(), `<option value="US-CA" selected>`)
	}
}
