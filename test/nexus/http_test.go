package nexus_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// record reads the nexus record of a state over HTTP.
func (s *seller) record(state string) map[string]any {
	s.t.Helper()
	answer := s.bed.Get("/v1/nexus?state_code=" + state)
	require.Equal(s.t, http.StatusOK, answer.Status, "%s", answer.Body)
	var list struct {
		Items []map[string]any `json:"items"`
	}
	require.NoError(s.t, json.Unmarshal(answer.Body, &list))
	require.Len(s.t, list.Items, 1)
	return list.Items[0]
}

// shows waits until the record of a state meets a condition, and returns it.
func (s *seller) shows(state, what string, holds func(map[string]any) bool) map[string]any {
	s.t.Helper()
	var record map[string]any
	s.bed.Eventually(state+": "+what, func(context.Context) (bool, error) {
		record = s.record(state)
		return record["processing_status"] == "UP_TO_DATE" && holds(record), fmt.Errorf("%v", record)
	})
	return record
}

// stateOfNexus is everything that a simulation must not change.
const stateOfNexus = `
	SELECT (SELECT md5(jsonb_agg(r ORDER BY id)::text) FROM nexus_records r) AS records,
	       (SELECT md5(jsonb_agg(c ORDER BY country_code, state_code)::text) FROM nexus_changes c) AS changes`

// settled waits until every sale is processed and every record is up to date.
func (s *seller) settled() {
	s.t.Helper()
	s.bed.Eventually("everything is settled", func(context.Context) (bool, error) {
		left := s.bed.Count(`SELECT (SELECT count(*) FROM transactions
			   WHERE processing_status NOT IN ('PROCESSED', 'ARCHIVED'))
			+ (SELECT count(*) FROM nexus_changes WHERE pending)`)
		for _, r := range s.bed.Call("GET", "/v1/nexus?without_pagination=true", nil, 200)["items"].([]any) {
			if r.(map[string]any)["processing_status"] != "UP_TO_DATE" {
				left++
			}
		}
		return left == 0, fmt.Errorf("%d left", left)
	})
}

func status(want string) func(map[string]any) bool {
	return func(r map[string]any) bool { return r["status"] == want }
}

func TestNexusOverHTTP(t *testing.T) {
	t.Parallel()
	s := newSeller(t)
	year := time.Now().UTC().AddDate(0, -3, 0).Year() // its first three months are over
	on := func(monthDay string) string { return fmt.Sprintf("%d-%s", year, monthDay) }

	all := s.bed.Call("GET", "/v1/nexus?without_pagination=true", nil, 200)
	require.EqualValues(t, 1, all["pages"])
	require.Len(t, all["items"], int(all["total"].(float64)), "every jurisdiction has a record on the first day")
	require.Len(t, s.bed.Call("GET", "/v1/nexus", nil, 200)["items"], 50)

	// Washington: more than 100,000 in this year or the last.
	s.sell("W-1", "WA", on("01-05"), "79999.99", nil)
	s.shows("WA", "a cent below 80 %", func(r map[string]any) bool {
		return r["transactions_amount"] == "79999.99" && r["status"] == "NOT_EXPOSED"
	})
	s.sell("W-2", "WA", on("01-06"), "0.01", nil)
	approached := s.shows("WA", "80 %", status("APPROACHING"))
	require.EqualValues(t, 100000, approached["threshold_sales"])
	require.EqualValues(t, 0, approached["threshold_transactions"], "a number, also where the number is not tested")
	s.sell("W-3", "WA", on("01-07"), "20000.00", nil)
	s.shows("WA", "the threshold itself is not enough", func(r map[string]any) bool {
		return r["transactions_amount"] == "100000.00" && r["status"] == "APPROACHING"
	})
	crossing := s.sell("W-4", "WA", on("01-08"), "0.01", nil)
	met := s.shows("WA", "a cent more", status("EXPOSED"))
	require.Equal(t, on("01-08"), met["economic_nexus_met_date"])
	require.Equal(t, on("03-01"), met["obligation_start_date"], "the first month that begins 30 days later or more")
	proof := met["crossing"].(map[string]any)
	require.Equal(t, crossing, proof["transaction_id"])
	require.Equal(t, "100000.01", proof["running_sales_total"])
	require.EqualValues(t, 4, proof["running_transaction_count"])
	require.Equal(t, crossing, met["periods"].([]any)[0].(map[string]any)["crossing_transaction_id"])

	// Corrected data: nexus has ended.
	s.bed.Call("POST", "/v1/transactions/archive", map[string]any{"transaction_ids": []string{crossing}}, 200)
	s.shows("WA", "the sale that crossed is gone",
		func(r map[string]any) bool { return r["status"] == "APPROACHING" && r["crossing"] == nil })
	s.sell("W-5", "WA", on("01-09"), "1.00", nil)
	s.shows("WA", "again", status("EXPOSED"))

	// Disregarded: nexus and the obligation, but not the status.
	id := s.record("WA")["id"].(string)
	disregarded := s.bed.Call("POST", "/v1/nexus/"+id+"/disregard",
		map[string]any{"reason": "Resale only", "nexus_types": []string{"ECONOMIC"}}, 200)
	require.Equal(t, "EXPOSED", disregarded["status"])
	require.Equal(t, false, disregarded["nexus_met"])
	require.Equal(t, true, disregarded["is_currently_disregarded"])
	s.shows("WA", "no obligation while it is disregarded",
		func(r map[string]any) bool { return r["obligation_start_date"] == nil })
	require.EqualValues(t, 1, s.bed.Call("GET", "/v1/nexus?disregard_view=disregarded", nil, 200)["total"])
	require.EqualValues(t, 0, s.bed.Call("GET", "/v1/nexus?disregard_view=exposed", nil, 200)["total"])
	s.bed.Call("POST", "/v1/nexus/"+id+"/undisregard", nil, 200)
	s.shows("WA", "regarded again",
		func(r map[string]any) bool { return r["obligation_start_date"] != nil && r["nexus_met"] == true })
	require.EqualValues(t, 1, s.bed.Call("GET", "/v1/nexus?disregard_view=exposed", nil, 200)["total"])

	// Collected tax: exposed, with no obligation except to remit it.
	s.sell("N-1", "NY", on("02-01"), "10.00", func(body map[string]any) {
		body["transaction_items"].([]any)[0].(map[string]any)["tax_amount_imported"] = 0.89
		body["total_amount"] = 10.89
	})
	// Nexus is known one stage before the tax is.
	collected := s.shows("NY", "tax was collected",
		func(r map[string]any) bool { return r["status"] == "EXPOSED" && r["tax_liability"] == "0.89" })
	require.Equal(t, true, collected["collected_tax_nexus_met"])
	require.Nil(t, collected["obligation_start_date"])
	require.Equal(t, "0.00", collected["calculated_tax_liability"])

	// Presence: from its first day on, also for sales of the past.
	before := s.sell("T-1", "TX", on("01-10"), "100.00", nil)
	after := s.sell("T-2", "TX", on("02-10"), "100.00", nil)
	require.Equal(t, "0.00", s.owed(before))
	require.Equal(t, "0.00", s.owed(after))
	presence := s.bed.Call("POST", "/v1/nexus/physical_nexus", map[string]any{
		"country_code": "US", "state_code": "texas", "start_date": on("02-01"),
		"category": "WAREHOUSE_AND_INVENTORY_PRESENCE",
	}, 200)
	require.Equal(t, "TX", presence["state_code"])
	there := s.shows("TX", "presence", status("EXPOSED"))
	require.Equal(t, on("02-01"), there["obligation_start_date"])
	s.bed.Eventually("the sale after it owes its tax",
		func(context.Context) (bool, error) { return s.owed(after) == "8.25", fmt.Errorf("%s", s.owed(after)) })
	require.Equal(t, "0.00", s.owed(before))
	explained := s.bed.Call("GET", "/v1/transactions/"+after+"/explanation", nil, 200)["liability"].(map[string]any)
	require.Equal(t, there["id"], explained["nexus_id"])
	require.Equal(t, "EXPOSED", explained["nexus_status_on_tax_date"])
	require.Equal(t, on("02-01"), explained["obligation_start_date"])
	require.Equal(t, presence, s.bed.Call("DELETE", "/v1/nexus/physical_nexus/"+presence["id"].(string), nil, 200),
		"as it was")
	s.shows("TX", "no presence any more", status("NOT_EXPOSED"))
	s.bed.Eventually("and nothing is owed",
		func(context.Context) (bool, error) { return s.owed(after) == "0.00", fmt.Errorf("%s", s.owed(after)) })

	// A simulation changes nothing. Transactions that an obligation queued again may still be counted meanwhile: then
	// the check is repeated.
	var outcome map[string]any
	s.bed.Eventually("nothing changes while it is simulated", func(context.Context) (bool, error) {
		s.settled()
		snapshot := s.bed.Rows(stateOfNexus)
		outcome = s.bed.Call("POST", "/v1/nexus/simulate", map[string]any{
			"jurisdictions": []any{map[string]any{"country_code": "US", "state_code": "TX"},
				map[string]any{"country_code": "US", "state_code": "WA"}},
			"additional_sales": []any{map[string]any{"country_code": "US", "state_code": "TX", "date": on("02-20"),
				"amount": 500000}},
			"thresholds": []any{map[string]any{"country_code": "US", "state_code": "WA", "threshold_sales": 200000}},
		}, 200)
		return reflect.DeepEqual(snapshot, s.bed.Rows(stateOfNexus)), nil
	})
	require.EqualValues(t, 2, outcome["changed"])
	items := outcome["items"].([]any)
	require.Equal(t, "EXPOSED", items[0].(map[string]any)["simulated"].(map[string]any)["status"])
	require.Equal(t, "NOT_EXPOSED", items[0].(map[string]any)["present"].(map[string]any)["status"])
	require.Equal(t, false, items[1].(map[string]any)["simulated"].(map[string]any)["economic_nexus_met"])

	t.Logf("GET /v1/nexus with all jurisdictions: p50 %s, p99 %s", s.latency(200, 0.50), s.latency(200, 0.99))
	t.Logf("from the answer to a sale until its nexus shows it: %s", s.freshness(20))
}

// latency is that of the list with all jurisdictions.
func (s *seller) latency(n int, share float64) time.Duration {
	s.t.Helper()
	took := make([]time.Duration, n)
	for i := range took {
		begun := time.Now()
		s.bed.Call("GET", "/v1/nexus?without_pagination=true", nil, 200)
		took[i] = time.Since(begun)
	}
	slices.Sort(took)
	return took[int(float64(n-1)*share)].Round(100 * time.Microsecond)
}

// freshness measures the time until nexus includes each of n sales.
func (s *seller) freshness(n int) string {
	s.t.Helper()
	took := make([]time.Duration, n)
	for i := range took {
		had := s.record("WA")["transaction_count"].(float64)
		s.sell(fmt.Sprintf("F-%d", i), "WA", "2026-02-02", "1.00", nil)
		begun := time.Now()
		for s.record("WA")["transaction_count"].(float64) == had && time.Since(begun) < testbed.WaitLimit {
		}
		took[i] = time.Since(begun).Round(time.Millisecond)
	}
	slices.Sort(took)
	return fmt.Sprintf("p50 %s, worst %s of %d", took[n/2], took[n-1], n)
}
