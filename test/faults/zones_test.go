package faults_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// The API runs where the day begins 14 hours earlier than in UTC, and the worker where clocks are off by half an hour and
// the day begins later: the same sales have the same days, taxes and places.
func TestZonesOfProcessesChangeNothing(t *testing.T) {
	t.Parallel()
	type zone struct{ name, offset string }
	utc := zone{"UTC", "Z\""}
	run := func(api, worker zone) string {
		bed := testbed.New(t, testbed.Options{})
		bed.Set("TZ", api.name)
		bed.API.Start()
		bed.Set("TZ", worker.name)
		bed.Worker.Start()
		result := sellAroundMidnight(t, bed)
		require.Positive(t, bed.API.Logged(api.offset), "the API is not in its zone")
		require.Positive(t, bed.Worker.Logged(worker.offset), "the worker is not in its zone")
		return result
	}
	require.Equal(t, run(utc, utc), run(zone{"Pacific/Kiritimati", "+14:00"}, zone{"America/St_Johns", "-03:30"}))
}

// sellAroundMidnight sells before and after the ends of days, of a month, of a quarter and
// of a year, with an offset and without, and returns the results as text.
func sellAroundMidnight(t *testing.T, bed *testbed.Bed) string {
	t.Helper()
	dates := []string{
		"2025-12-31T23:59:59.999999Z", "2026-01-01T00:00:00Z", "2026-03-31T23:30:00Z", "2026-03-31T20:00:00-04:00",
		"2026-04-01T02:30:00Z",
		"2026-03-08T06:59:59Z", "2026-03-08T07:00:00Z", "2026-02-28T12:00:00+14:00", "2026-05-31T10:00:00Z",
		"2026-05-31T14:00:00Z",
	}
	for i, date := range dates {
		sale := testbed.Sale(fmt.Sprintf("ORDER-%d", i), i)
		sale["date"] = date
		sale["transaction_items"].([]any)[0].(map[string]any)["date"] = date
		answer := bed.Post("/v1/transactions", sale)
		require.Equal(t, 202, answer.Status, "%s", answer.Body)
	}
	requireProcessed(t, bed, len(dates))
	var results strings.Builder
	for i := range dates {
		var sale any
		require.NoError(t, json.Unmarshal(bed.Get(fmt.Sprintf("/v1/transactions/external/ORDER-%d", i)).Body, &sale))
		removeVolatile(sale)
		text, err := json.Marshal(sale)
		require.NoError(t, err)
		fmt.Fprintf(&results, "%s\n", text)
	}
	for _, day := range []string{"2025-12-31", "2026-01-01", "2026-03-31", "2026-04-01", "2026-05-31"} {
		var list struct {
			Items []any `json:"items"`
		}
		answer := bed.Get("/v1/transactions?date__gte=" + day + "&date__lte=" + day)
		require.Equal(t, 200, answer.Status, "%s", answer.Body)
		require.NoError(t, json.Unmarshal(answer.Body, &list))
		require.NotEmpty(t, list.Items, "%s", answer.Body)
		fmt.Fprintf(&results, "%s: %d\n", day, len(list.Items))
	}
	fmt.Fprintln(&results, bed.Rows(`SELECT day::text, state_code, n, amount::text, collected_tax::text
		FROM nexus_contributions ORDER BY 1, 2, 4`))
	return results.String()
}

// removeVolatile removes random ids and the times of writing.
func removeVolatile(value any) {
	switch v := value.(type) {
	case map[string]any:
		for key, inner := range v {
			random := key == "id" || strings.HasSuffix(key, "_id") && !strings.HasPrefix(key, "external")
			if random || strings.HasSuffix(key, "_at") {
				delete(v, key)
			}
			removeVolatile(inner)
		}
	case []any:
		for _, inner := range v {
			removeVolatile(inner)
		}
	}
}
