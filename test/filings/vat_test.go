package filings_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// inBritain has a sale of last month in London, whose return goes to the sandbox of the VAT API. The registration lacks its
// number.
func inBritain(t *testing.T) *bed {
	t.Helper()
	b := newBed(t, testbed.Options{})
	b.Set("LEVY_VAT_RETURNS", "true")
	b.API.Start()
	b.Worker.Start()
	answer := b.Post("/v1/registrations", map[string]any{
		"country_code": "GB", "state_code": "GB", "filing_frequency": "MONTHLY", "imported": true, "registration_date": monthBefore(1),
	})
	require.Equal(t, http.StatusOK, answer.Status, string(answer.Body))
	sale := testbed.Sale("S-GB", 1)
	sale["date"], sale["currency"] = monthBefore(1)+"T12:00:00Z", "GBP"
	sale["addresses"] = []any{map[string]any{
		"type": "SHIP_TO", "street_1": "10 Downing Street", "city": "London", "postal_code": "SW1A 2AA", "country": "GB",
	}, map[string]any{
		"type": "SHIP_FROM", "street_1": "1 Piccadilly", "city": "Manchester", "postal_code": "M1 1RG", "country": "GB",
	}}
	b.post("/v1/transactions", sale)
	b.waitIncomplete("GB")
	return b
}

// A return without its number is not approved. With it the authority refuses the first attempt, the answer to the second is
// lost, and the authority has one return.
func TestAVATReturnIsCorrectedAndTakenOnce(t *testing.T) {
	t.Parallel()
	b := inBritain(t)
	b.NewWorker().Start()
	id := b.filingOf("GB")
	refused := b.Call("PUT", "/v1/filings/"+id+"/approve", map[string]any{}, http.StatusConflict)
	require.Equal(t, []any{"ID_MISSING"}, refused["findings"])
	registration := b.Rows("SELECT id FROM registrations WHERE country_code = 'GB'")[0]["id"].(string)
	b.Call("PUT", "/v1/registrations/"+registration, map[string]any{"tax_id": "GB 123 4567 89"}, http.StatusOK)
	require.Empty(t, b.Call("GET", "/v1/filings/"+id, nil, http.StatusOK)["approval_blockers"])
	b.Exec("UPDATE filings SET internal_notes = 'SIMULATE_WRONG_TOTALS'")
	b.Call("PUT", "/v1/filings/"+id+"/approve", map[string]any{}, http.StatusOK)
	b.waitFilings(1, "ISSUE")
	require.Zero(t, b.Count("SELECT count(*) FROM filing_connections"))
	require.Equal(t, 1, b.Count("SELECT count(*) FROM filings WHERE issue_reason = 'VAT_TOTAL_VALUE'"))
	b.Exec("UPDATE filings SET internal_notes = 'SIMULATE_TIMEOUT'")
	// A retry in Temporal has no call that can be described to the authority.
	b.Call("POST", "/v1/filings/"+id+"/retry", nil, http.StatusOK)
	b.waitLocked(1)
	require.Len(t, b.documents(), 2)
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM filings WHERE return_confirmation_id LIKE 'PERIOD #M%' AND tax_remitted = 0`))
	require.Equal(t, 1, b.Count("SELECT count(*) FROM sandbox_submissions WHERE record_id LIKE 'hmrc%' AND contacts = 1"))
	require.Zero(t, b.Count("SELECT count(*) FROM filing_connections"), "the call is forgotten with the answer")
	require.Equal(t, 1, b.Count("SELECT count(*) FROM authority_grants WHERE authority = 'hmrc'"))
	history := string(b.Get("/v1/filings/" + id + "/history").Body)
	require.Contains(t, history, `"hmrc"`)
	require.Contains(t, history, `"PAYMENT_NOT_TAKEN"`)
	require.NotContains(t, history, "123456789")
	require.Equal(t, "GB-VAT-MTD/1.0", b.Call("GET", "/v1/filings/"+id, nil, http.StatusOK)["return_layout"])
}
