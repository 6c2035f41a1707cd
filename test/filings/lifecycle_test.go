package filings_test

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax/money"
	"levy/test/testbed"
)

// eventually waits until the answer of a path meets a condition, and returns it.
func (b *bed) eventually(path, what string, holds func(map[string]any) bool) map[string]any {
	b.t.Helper()
	var shown map[string]any
	b.Eventually(what, func(context.Context) (bool, error) {
		shown = b.Call(http.MethodGet, path, nil, 200)
		return holds(shown), fmt.Errorf("%v", shown)
	})
	return shown
}

// first is the first record of the list of a path.
func first(list map[string]any) map[string]any {
	items := list["items"].([]any)
	if len(items) == 0 {
		return map[string]any{}
	}
	return items[0].(map[string]any)
}

func is(member string, want any) func(map[string]any) bool {
	return func(m map[string]any) bool { return m[member] == want }
}

// toSeattle is the body of a sale on a day.
func toSeattle(externalID, day, amount string) map[string]any {
	sale := testbed.Sale(externalID, 1)
	date := day + "T10:00:00Z"
	sale["date"], sale["total_amount"] = date, json.Number(amount)
	sale["addresses"] = []any{map[string]any{"type": "SHIP_TO", "street_1": "400 Broad St", "city": "Seattle",
		"state": "WA", "postal_code": "98109", "country": "US"}}
	sale["transaction_items"] = []any{map[string]any{"external_id": "L1", "date": date,
		"external_product_id": testbed.Product, "amount": json.Number(amount)}}
	return sale
}

// sell posts a sale and waits until it is processed.
func (b *bed) sell(externalID, day, amount string) string {
	b.t.Helper()
	return b.post("/v1/transactions", toSeattle(externalID, day, amount))
}

// post posts a document and waits until it is processed.
func (b *bed) post(path string, document map[string]any) (id string) {
	b.t.Helper()
	answer := b.Post(path, document)
	require.Less(b.t, answer.Status, 300, string(answer.Body))
	id = answer.Field("id")
	b.eventually("/v1/transactions/"+id, path+" is processed", is("processing_status", "PROCESSED"))
	return id
}

// sumOf adds amounts up, exactly.
func sumOf(amounts ...string) string {
	var sum money.Total
	for _, amount := range amounts {
		plus, err := money.ParseTotal(amount)
		if err == nil {
			sum, err = sum.Plus(plus)
		}
		if err != nil {
			panic(err)
		}
	}
	return sum.String()
}

// A client sees everything from the first sale to the filed return and its amendment.
func TestFromTheFirstSaleToTheFiledReturn(t *testing.T) {
	t.Parallel()
	b := newBed(t, testbed.Options{})
	b.API.Start()
	b.Worker.Start()
	in := func(month string, day int) string { return fmt.Sprintf("%s-%02d", month[:7], day) }
	before, period, after := monthBefore(3), monthBefore(2), monthBefore(1)
	estimate := map[string]any{
		"amount": 100, "date": in(period, 20) + "T10:00:00Z",
		"shipping_address": map[string]any{"street_1": "400 Broad St", "city": "Seattle", "state": "WA",
			"postal_code": "98109", "country": "US"},
	}

	b.sell("S-1", in(before, 3), "100000.01")
	nexus := first(b.eventually("/v1/nexus?state_code=WA", "the first sale crosses the threshold",
		func(list map[string]any) bool { return first(list)["status"] == "EXPOSED" }))
	require.Equal(t, in(before, 3), nexus["economic_nexus_met_date"])
	require.Equal(t, "0.00", b.Call(http.MethodPost, "/v1/tax/estimate", estimate, 200)["tax_to_collect"],
		"no tax is collected before the registration")

	registered := b.Call(http.MethodPut, "/v1/nexus/"+nexus["id"].(string)+"/register",
		map[string]any{"filing_frequency": "MONTHLY", "registration_date": period, "imported": true}, 200)
	require.Equal(t, "REGISTERED", registered["status"])
	estimated := b.Call(http.MethodPost, "/v1/tax/estimate", estimate, 200)
	require.Equal(t, estimated["total_tax_amount"], estimated["tax_to_collect"])
	require.NotEqual(t, "0.00", estimated["tax_to_collect"])

	sold := b.sell("S-2", in(period, 5), "1234.56")
	b.sell("S-3", in(period, 28), "0.07")
	note := testbed.CreditNote("N-1", "34.56")
	note["date"] = in(period, 28) + "T12:00:00Z"
	b.post("/v1/transactions/"+sold+"/credit_notes", note)
	b.sell("S-4", in(after, 5), "999.00")

	b.plan()
	filings := "/v1/filings?order_by=start_date&registration_id=" + registered["id"].(string)
	filing := first(b.eventually(filings, "the return is planned, and its transactions follow the obligation",
		func(list map[string]any) bool { return first(list)["can_approve"] == true }))
	path := "/v1/filings/" + filing["id"].(string)
	require.Equal(t, []any{period, "1200.07", 3.0, []any{}},
		[]any{filing["start_date"], filing["amount_sales"], filing["transaction_count"], filing["approval_blockers"]})

	signed := b.Call(http.MethodGet, path+"/review", nil, 200)["attestation"]
	require.Contains(t, signed, filing["amount"])
	approved := b.Call(http.MethodPut, path+"/approve", map[string]any{"approved_by": "Ann", "attestation": signed}, 200)
	require.Equal(t, []any{"FILING", "Ann", "1200.07"},
		[]any{approved["status"], approved["approved_by"], approved["amount_sales"]})
	filed := b.eventually(path, "it is filed", is("status", "FILED"))
	require.Len(t, filed["report_hash"], 64)
	require.Contains(t, filed["return_confirmation_id"], "SIM-")
	require.Equal(t, filed["amount"], filed["tax_remitted"])

	t.Run("the history has what was signed, and the next return is compared with this one", func(t *testing.T) {
		said := map[any]any{} // by the status that a step reached
		for _, each := range b.Call(http.MethodGet, path+"/history", nil, 200)["items"].([]any) {
			if step := each.(map[string]any); step["attestation"] != nil {
				said[step["to"]] = step["attestation"]
			}
		}
		require.Equal(t, map[any]any{"FILING": signed}, said)
		list := b.Call(http.MethodGet, filings+"&start_date="+after, nil, 200)
		next := "/v1/filings/" + first(list)["id"].(string)
		b.eventually(next, "it has its sale", is("can_approve", true))
		review := b.Call(http.MethodGet, next+"/review", nil, 200)
		require.Equal(t, filing["id"], review["before_filing_id"])
		require.Equal(t, "LESS_TAXABLE", review["places"].([]any)[0].(map[string]any)["cause"])
	})

	t.Run("the CSV adds up to the return, to the cent", func(t *testing.T) {
		rows, err := csv.NewReader(strings.NewReader(string(b.Get(path + "/report?format=csv").Body))).ReadAll()
		require.NoError(t, err)
		require.Len(t, rows, 4)
		sums, places := map[string]string{}, []string{}
		for i, column := range rows[0] {
			switch column {
			case "net_amount", "taxable_amount", "tax_calculated", "tax_collected", "tax_liability":
			default:
				if !strings.HasPrefix(column, "tax:") {
					continue
				}
			}
			var amounts []string
			for _, row := range rows[1:] {
				if row[i] != "" {
					amounts = append(amounts, row[i])
				}
			}
			if sums[column] = sumOf(amounts...); strings.HasPrefix(column, "tax:") {
				places = append(places, sums[column])
			}
		}
		require.Equal(t, []any{filed["amount_sales"], filed["total_taxable_sales"], filed["amount_calculated"],
			filed["amount_tax_collected"], filed["total_tax_liability"]},
			[]any{sums["net_amount"], sums["taxable_amount"], sums["tax_calculated"], sums["tax_collected"],
				sums["tax_liability"]})
		require.GreaterOrEqual(t, len(places), 2, "the state and those within it")
		require.Equal(t, filed["amount_calculated"], sumOf(places...))
	})
	require.Equal(t, "SAME", b.Call(http.MethodPost, path+"/verify", nil, 200)["verdict"])

	late := b.sell("S-5", in(period, 9), "50.00")
	amendment := first(b.eventually("/v1/filings?filing_category__in=AMENDMENT", "the late sale is amended",
		func(list map[string]any) bool { return list["total"] == 1.0 }))
	require.Equal(t, []any{filing["id"], "UNFILED", "50.00", 1.0},
		[]any{amendment["amends_filing_id"], amendment["status"], amendment["amount_sales"],
			amendment["transaction_count"]})
	require.Equal(t, []any{map[string]any{"reason": "LATE", "transactions": 1.0}}, amendment["amendment_causes"])
	members := b.Call(http.MethodGet, "/v1/filings/"+amendment["id"].(string)+"/transactions", nil, 200)
	require.Equal(t, late, first(members)["id"])

	b.eventually("/v1/transactions/"+sold, "filed transactions are locked", is("processing_status", "LOCKED"))
	refused := b.Call(http.MethodPut, "/v1/transactions/"+sold, toSeattle("S-2", in(period, 5), "1.00"), 409)
	require.Equal(t, []any{"transaction_locked", filing["id"]}, []any{refused["code"], refused["filing_id"]})
	require.Equal(t, "SAME", b.Call(http.MethodPost, path+"/verify", nil, 200)["verdict"], "nothing of it has changed")
	b.VerifyAudit()
}

// The returns of an organization with auto_file are filed without people.
func TestReturnsAreFiledAutomatically(t *testing.T) {
	t.Parallel()
	b := newBed(t, testbed.Options{})
	b.API.Start()
	b.Worker.Start()
	details := map[string]any{"entity_type": "C_CORPORATION", "incorporation_country": "US",
		"company_country_code": "US", "auto_file": true}
	b.Eventually("the organization has set auto_file",
		func(ctx context.Context) (bool, error) { // a step that was not answered in time is sent again
			answer, err := b.Send(ctx, b.API, http.MethodPut, "/v1/organization_details/business_details", details)
			return answer.Status == http.StatusOK, errors.Join(err, fmt.Errorf("%s", answer.Body))
		})
	period := monthBefore(2) // its lookback is over on any day of this month
	registered := b.Call(http.MethodPost, "/v1/registrations", map[string]any{
		"country_code": "US", "state_code": "WA", "filing_frequency": "MONTHLY", "imported": true,
		"registration_date": period,
	}, 200)
	b.sell("S-1", period, "100.00")
	b.plan()
	filed := first(b.eventually("/v1/filings?order_by=start_date&registration_id="+registered["id"].(string),
		"it is filed",
		func(list map[string]any) bool { return first(list)["status"] == "FILED" }))
	require.Equal(t, []any{true, "auto", false, "100.00"},
		[]any{filed["auto_approved"], filed["approved_by"], filed["is_manual"], filed["amount_sales"]})
	require.NotNil(t, filed["report_hash"])
}
