package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestPercentileIsTheSmallestLatencyThatEnoughDoNotExceed(t *testing.T) {
	t.Parallel()
	var l latencies
	for i := 100; i >= 1; i-- {
		l = append(l, time.Duration(i)*time.Millisecond)
	}
	require.InDelta(t, 50, l.percentile(50), 0)
	require.InDelta(t, 99, l.percentile(99), 0)
	require.InDelta(t, 1, latencies{time.Millisecond}.percentile(99), 0)
	require.InDelta(t, 0, latencies(nil).percentile(99), 0)
}

func TestEverySaleIsAWholeRequestWithANumberOfItsOwn(t *testing.T) {
	t.Parallel()
	s := newSales("http://127.0.0.1:8080", "key", "org")
	require.Len(t, s.templates, kinds)
	for number, sale := range s.clone() {
		raw := sale.fill(int64(number + 1))
		request, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(raw)))
		require.NoError(t, err)
		var body struct {
			ExternalID string `json:"external_id"`
			Customer   struct {
				ExternalID string `json:"external_id"`
			} `json:"customer"`
			Addresses        []any `json:"addresses"`
			TransactionItems []any `json:"transaction_items"`
		}
		require.NoError(t, json.NewDecoder(request.Body).Decode(&body))
		require.Len(t, body.Addresses, 2)
		require.Len(t, body.TransactionItems, 2)
		require.NotContains(t, body.ExternalID, "#")
		require.Equal(t, "CUSTOMER"+body.ExternalID[len("ORDER"):], body.Customer.ExternalID)
	}
}

func TestInsertWritesTheSameRowsWithOtherIdentifiers(t *testing.T) {
	t.Parallel()
	id := "txn_01jx0000000000000000000001"
	statement := insert("things", [][]field{
		{{name: "id", value: id}, {name: "note", value: `it's 10:30, a\b`}},
		{{name: "id", value: id}, {name: "at", value: "2026-01-01T00:00:00Z", isTime: true}},
	}, map[string]bool{id: true})
	require.Equal(t, `INSERT INTO things (id, note, at) VALUES `+
		`(E'txn_01jx0000000' || $1::text, E'it\'s 10\x3a30, a\\b', NULL), `+
		`(E'txn_01jx0000000' || $1::text, NULL, now())`, withKey(statement, "$1"))
}

func TestAFigureBelowItsAimIsNotMet(t *testing.T) {
	t.Parallel()
	r := newReport()
	r.plain = r.add("pgbench", phase{Count: 100, Seconds: 1, PerSecond: 100})
	r.accepted = r.add("accept", phase{Count: 119, Seconds: 1, PerSecond: 119})
	r.processed = r.add("end to end", phase{Count: 60, Seconds: 1, PerSecond: 60})
	r.conclude()
	require.False(t, *r.Figures[0].Met, "1.19 of 1.2")
	require.True(t, *r.Figures[1].Met, "0.6 of 0.6")
	require.Contains(t, r.markdown(), "| accepted, 1/s | 119 | 100 (pgbench, same rows) | 1.19 | >= 1.2x | NO |")
}

func TestGrowthIsTheLastSizeOverTheFirst(t *testing.T) {
	t.Parallel()
	g := &growth{Sizes: []int{10, 100}}
	g.put("lists, ms", 2)
	g.put("lists, ms", 3)
	g.put("cut off, ms", 5)
	require.Contains(t, g.markdown(), "| figure | 10 | 100 | last over first |\n")
	require.Contains(t, g.markdown(), "| lists, ms | 2.00 | 3.00 | 1.50 |\n")
	require.Contains(t, g.markdown(), "| cut off, ms | 5.00 |", "a step that failed has no ratio")
	require.Empty(t, (*growth)(nil).markdown())
}
