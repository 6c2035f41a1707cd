package nexus_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// seller is an organization that sells through the real service.
type seller struct {
	t   *testing.T
	bed *testbed.Bed
}

func newSeller(t *testing.T) *seller {
	t.Helper()
	bed := testbed.New(t, testbed.Options{})
	bed.API.Start()
	bed.Worker.Start()
	return &seller{t: t, bed: bed}
}

// places are addresses by state.
var places = map[string]map[string]any{
	"NY": {"type": "SHIP_TO", "street_1": "350 5th Ave", "city": "New York", "state": "NY", "postal_code": "10118",
		"country": "US"},
	"WA": {"type": "SHIP_TO", "street_1": "400 Broad St", "city": "Seattle", "state": "WA", "postal_code": "98109",
		"country": "US"},
	"TX": {"type": "SHIP_TO", "street_1": "1100 Congress Ave", "city": "Austin", "state": "TX", "postal_code": "78701",
		"country": "US"},
}

// sell posts a sale and returns its id.
func (s *seller) sell(externalID, state, day, amount string, change func(map[string]any)) string {
	s.t.Helper()
	date := day + "T10:00:00Z"
	body := map[string]any{
		"external_id": externalID, "type": "SALE", "date": date, "total_amount": json.Number(amount), "currency": "USD",
		"customer": map[string]any{"external_id": "C-1", "name": "Ada"}, "addresses": []any{places[state]},
		"transaction_items": []any{map[string]any{"date": date, "external_product_id": testbed.Product,
			"amount": json.Number(amount)}},
	}
	if change != nil {
		change(body)
	}
	answer := s.bed.Post("/v1/transactions", body)
	require.Equal(s.t, http.StatusAccepted, answer.Status, "%s", answer.Body)
	return answer.Field("id")
}

// owed is the tax liability of a processed transaction.
func (s *seller) owed(id string) string {
	s.t.Helper()
	var owed string
	s.bed.Eventually(id+" is processed", func(context.Context) (bool, error) {
		answer := s.bed.Get("/v1/transactions/" + id)
		owed = answer.Field("total_tax_liability_amount")
		return answer.Field("processing_status") == "PROCESSED", fmt.Errorf("%s", answer.Body)
	})
	return owed
}

// eventually waits until the record of a state meets a condition, and returns it.
func (s *seller) eventually(state, what string, holds func(map[string]any) bool) map[string]any {
	s.t.Helper()
	var record map[string]any
	s.bed.Eventually(state+": "+what, func(context.Context) (bool, error) {
		rows := s.bed.Rows(`SELECT to_jsonb(r) AS record FROM nexus_records r WHERE state_code = $1`, state)
		record, _ = rows[0]["record"].(map[string]any)
		return holds(record), fmt.Errorf("%v", record)
	})
	return record
}

func TestNexusFollowsTheSales(t *testing.T) {
	t.Parallel()
	s := newSeller(t)
	s.eventually("WA", "is evaluated without a sale", func(r map[string]any) bool { return r["evaluated"] != nil })
	later := s.sell("S-0", "WA", "2026-05-01", "100.00", nil)
	before := s.sell("S-9", "WA", "2026-03-31", "0.01", nil)
	s.eventually("WA", "has both", func(r map[string]any) bool { return r["transaction_count"] == 2.0 })
	require.Equal(t, "0.00", s.owed(later), "without an obligation nothing is owed")
	s.sell("S-1", "WA", "2026-02-01", "79899.98", nil)
	s.eventually("WA", "below 80 %",
		func(r map[string]any) bool { return r["transaction_count"] == 3.0 && r["status"] == "NOT_EXPOSED" })
	s.sell("S-2", "WA", "2026-02-02", "0.01", nil) // with those of spring
	s.eventually("WA", "is approached", func(r map[string]any) bool { return r["status"] == "APPROACHING" })
	crossing := s.sell("S-3", "WA", "2026-02-03", "20100.02", nil)
	met := s.eventually("WA", "is exposed", func(r map[string]any) bool { return r["status"] == "EXPOSED" })
	require.Equal(t, "2026-02-03", met["economic_nexus_met_date"])
	require.Equal(t, "2026-04-01", met["obligation_start_date"], "the first of the month that begins 30 days later")
	require.Equal(t, crossing, met["crossing"].(map[string]any)["transaction_id"])
	require.Equal(t, "100000.01", met["crossing"].(map[string]any)["running_sales_total"])
	s.bed.Eventually("the sale after the obligation began owes its tax", func(context.Context) (bool, error) {
		owed := s.owed(later)
		return owed != "0.00", fmt.Errorf("owed: %s", owed)
	})
	require.Equal(t, "0.00", s.owed(before), "the sale before does not")
	s.eventually("WA", "liabilities are summed up", func(r map[string]any) bool {
		return r["applied_from"] == "2026-04-01" && fmt.Sprint(r["tax_liability"]) == s.owed(later)
	})
	s.eventually("WA", "stays exposed while sales are processed again",
		func(r map[string]any) bool { return r["status"] == "EXPOSED" })
}
