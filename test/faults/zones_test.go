package faults_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// The processes run where the day begins 14 hours earlier than in UTC, and where clocks are
// off by half an hour: the same sales have the same days, taxes and places.
func TestZonesOfProcessesChangeNothing(t *testing.T) {
	t.Parallel()
	zones := map[string]string{"UTC": "Z\"", "Pacific/Kiritimati": "+14:00", "America/St_Johns": "-03:30"}
	var mu sync.Mutex
	results := map[string]string{}
	t.Run("zones", func(t *testing.T) {
		for zone, offset := range zones {
			t.Run(zone, func(t *testing.T) {
				t.Parallel()
				bed := testbed.New(t, testbed.Options{})
				bed.Set("TZ", zone)
				bed.API.Start()
				bed.Worker.Start()
				result := sellAroundMidnight(t, bed)
				require.Positive(t, bed.API.Logged(offset), "the process is not in that zone")
				mu.Lock()
				defer mu.Unlock()
				results[zone] = result
			})
		}
	})
	for zone := range zones {
		require.Equal(t, results["UTC"], results[zone], zone)
	}
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
