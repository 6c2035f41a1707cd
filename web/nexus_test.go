package web

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/contract"
)

// The list of nexus begins with active jurisdictions; a link leads to all of them.
func TestTheListOfNexusBeginsWithActivePlaces(t *testing.T) {
	t.Parallel()
	const none = `"country_code":"US","status":"NOT_EXPOSED","transactions_amount":"0.00"`
	answers := map[string]string{"GET /v1/session": anAdmin, "GET /v1/nexus": `{"items":[
		{"id":"n1","state_name":"Texas","state_code":"TX",` + none + `},
		{"id":"n2","state_name":"Ohio","state_code":"OH","country_code":"US","status":"EXPOSED"},
		{"id":"n3","state_name":"Iowa","state_code":"IA","country_code":"US","status":"APPROACHING"},
		{"id":"n4","state_name":"Utah","state_code":"UT","country_code":"US","status":"REGISTERED"},
		{"id":"n5","state_name":"Maine","state_code":"ME",` + none + `,"transaction_count":1},
		{"id":"n6","state_name":"Idaho","state_code":"ID",` + none + `,"previous_transaction_count":1},
		{"id":"n7","state_name":"Nevada","state_code":"NV",` + none + `,"predicted_month_from_today":3},
		{"id":"n8","state_name":"Kansas","state_code":"KS",` + none + `,"is_currently_disregarded":true},
		{"id":"n10","state_name":"New York","state_code":"NY",` + none + `,"most_recent_transaction_date":"2026-09-06T10:00:00Z"},
		{"id":"n9","state_name":"France","state_code":"FR","country_code":"FR","status":"NOT_EXPOSED"}]}`}
	const path = "/o/org_1/nexus"
	first, all := visitedWith(t, answers, path, nil), visitedWith(t, answers, path+"?show=all", nil)
	require.Equal(t, []int{http.StatusOK, http.StatusOK}, []int{first.Code, all.Code})
	for _, id := range []string{"n2", "n3", "n4", "n5", "n6", "n7", "n8", "n10"} {
		require.Contains(t, first.Body.String(), `/o/org_1/nexus/`+id+`"`)
	}
	for _, id := range []string{"n1", "n9"} {
		require.NotContains(t, first.Body.String(), `/o/org_1/nexus/`+id+`"`)
		require.Contains(t, all.Body.String(), `/o/org_1/nexus/`+id+`"`)
	}
	require.Contains(t, first.Body.String(), `<a href="?show=all#places">All 10 jurisdictions</a>`)
	require.Contains(t, first.Body.String(), `aria-current="true">With nexus or sales <b>8</b></a>`)
	require.Contains(t, first.Body.String(), `<title>Texas: Not exposed`, "the map has every state")
	require.Contains(t, all.Body.String(), `<a href="?show=all#places" aria-current="true">`)

	answers["GET /v1/nexus"] = `{"items":[{"id":"n1","state_code":"TX",` + none + `}]}`
	require.Contains(t, visitedWith(t, answers, path, nil).Body.String(), "neither nexus nor a sale anywhere yet")
}

func TestShareOfAThreshold(t *testing.T) {
	t.Parallel()
	type record = contract.NexusRecord
	for name, c := range map[string]struct {
		record record
		share  int
		level  string
	}{
		"whichever is more": {record{SalesOrTransactions: "EITHER", TransactionsAmount: "50000.00", TransactionCount: 120}, 60, "half"},
		"both":              {record{SalesOrTransactions: "BOTH", TransactionsAmount: "50000.00", TransactionCount: 120}, 50, "half"},
		"rounded down":      {record{SalesOrTransactions: "SALES", TransactionsAmount: "99999.99", TransactionCount: 900}, 99, "half"},
		"nothing":           {record{SalesOrTransactions: "SALES", TransactionsAmount: "0.00"}, 0, "none"},
		"a little":          {record{SalesOrTransactions: "TRANSACTIONS", TransactionsAmount: "9.00", TransactionCount: 2}, 1, "some"},
		"of the period before": {record{SalesOrTransactions: "SALES", TransactionsAmount: "1.00", PreviousTransactionsAmount: "90000",
			PeriodModel: "CURRENT_OR_PREVIOUS"}, 90, "half"},
		"that does not count": {record{SalesOrTransactions: "SALES", TransactionsAmount: "1000.00", PreviousTransactionsAmount: "90000",
			PeriodModel: "CALENDAR_YEAR"}, 1, "some"},
		"what is refunded": {record{SalesOrTransactions: "SALES", TransactionsAmount: "-5000.00"}, 0, "none"},
		"registered all the same": {record{SalesOrTransactions: "SALES", TransactionsAmount: "1000.00",
			Status: "REGISTERED"}, 1, "registered"},
	} {
		r := nexusRecord{NexusRecord: c.record}
		r.ThresholdSales, r.ThresholdTransactions = json.RawMessage("100000"), 200
		if r.Status == "" {
			r.Status = "NOT_EXPOSED"
		}
		require.Equal(t, c.share, r.Share(), name)
		require.Equal(t, c.level, r.Level(), name)
	}
	none := record{SalesOrTransactions: "SALES", ThresholdSales: json.RawMessage("0")}
	require.Equal(t, -1, nexusRecord{NexusRecord: none}.Share(), "no threshold")
}

func TestEveryStateHasAnOutline(t *testing.T) {
	t.Parallel()
	require.Len(t, stateShapes, 51)
	for _, s := range stateShapes {
		require.Regexp(t, `^(M-?\d+ \d+(l-?\d+ -?\d+)+z)+$`, s.Path, s.Code)
	}
}
