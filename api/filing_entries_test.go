package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// An entry moves what is to be paid, is in the worksheet and in the history, and goes with all of that.
func TestEntriesOfAFiling(t *testing.T) {
	t.Parallel()
	in := install(t)
	client, other := in.client("Shop"), in.client("Other shop")
	filing := in.filing(client, in.registration(client, inNewYork), "UNFILED")
	path := filing + "/entries"
	amounts := func() string {
		f := in.do(client, http.MethodGet, filing, "").expect(200)
		return f.text("amount_adjusted") + " " + f.text("amount_penalties") + " " + f.text("amount")
	}
	bought := in.do(client, http.MethodPost, path, `{"kind":"PURCHASE","amount":4,"taxable":"100","line":"D","note":"Chairs",
		"jurisdiction_type":"STATE","jurisdiction_name":"new york"}`).expect(200)
	require.Equal(t, "4.00 100.00 US-NY New York", strings.Join([]string{bought.text("amount"), bought.text("taxable"),
		bought.text("jurisdiction_id"), bought.text("jurisdiction_name")}, " "))
	require.Equal(t, "4.00 0.00 4.00", amounts())
	in.do(client, http.MethodPost, path, `{"kind":"INTEREST","amount":"2.50","note":"A notice"}`).expect(200)
	in.do(client, http.MethodPost, path, `{"kind":"PRIOR_PAYMENT","amount":"1","note":"At the counter"}`).expect(200)
	require.Equal(t, "3.00 2.50 5.50", amounts())
	list := in.do(client, http.MethodGet, path, "").expect(200).Body.String()
	require.Contains(t, list, `"kind":"PRIOR_PAYMENT"`)
	require.NotContains(t, list, "null")
	sheet := in.do(client, http.MethodGet, filing+"/worksheet", "").expect(200).Body.String()
	require.Contains(t, sheet, `"amount":"100.00","confidence":"HIGH","figures":[],"line":"7.1b","name":"Base of the entry: purchase, New York"`)
	require.Contains(t, sheet, `"amount":"-1.00","confidence":"HIGH","figures":[],"line":"7.3","name":"Entry in line 7: prior payment"`)

	in.do(client, http.MethodPut, filing, `{"amount_penalties":"9.00"}`).expect(400, "validation_failed")
	require.Equal(t, []string{"not_allowed body.amount_penalties"},
		in.do(client, http.MethodPut, filing, `{"amount_penalties":"9.00"}`).bodyFaults())
	in.do(client, http.MethodPut, filing, `{"amount_penalties":"2.50"}`).expect(200)
	in.execute(`UPDATE filings SET amount_penalties = 9 WHERE organization_id = $1`, client.organizationID) // the release before
	in.do(client, http.MethodPut, filing, `{"amount_penalties":"2.50"}`).expect(200)

	one := path + "/" + bought.text("id")
	in.do(other, http.MethodDelete, one, "").expect(404, "resource_not_found")
	in.do(other, http.MethodGet, path, "").expect(404, "resource_not_found")
	require.Equal(t, bought.Body.String(), in.do(client, http.MethodDelete, one, "").expect(200).Body.String())
	in.do(client, http.MethodDelete, one, "").expect(404, "resource_not_found")
	require.Equal(t, "-1.00 2.50 1.50", amounts())
	history := in.do(client, http.MethodGet, filing+"/history", "").expect(200).Body.String()
	require.Contains(t, history, `"ENTRY_ADDED"`)
	require.Contains(t, history, "PURCHASE 4.00: Chairs")

	in.do(client, http.MethodPut, filing, `{"status":"CANCELLED","cancelled_reason":"test"}`).expect(200)
	in.do(client, http.MethodPost, path, `{"kind":"CREDIT","amount":"1","note":"Late"}`).expect(409, "filing_immutable")
}

// A repetition with one key adds one entry.
func TestAnEntryIsAddedOnceByItsKey(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Shop")
	filing := in.filing(client, in.registration(client, inNewYork), "PAUSED")
	onceByKey := func(r *http.Request) { r.Header.Set("Idempotency-Key", "once") }
	const body = `{"kind":"CREDIT","amount":"1","note":"Letter of May"}`
	first := in.do(client, http.MethodPost, filing+"/entries", body, onceByKey).expect(200)
	require.Equal(t, first.text("id"), in.do(client, http.MethodPost, filing+"/entries", body, onceByKey).expect(200).text("id"))
	require.Equal(t, "-1.00", in.do(client, http.MethodGet, filing, "").expect(200).text("amount_adjusted"))
}

// All faults of an entry are reported at once, each where it is.
func TestFaultsOfEntries(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Shop")
	filing := in.filing(client, in.registration(client, inNewYork), "UNFILED")
	in.do(client, http.MethodPut, filing, `{"amount_penalties":"3.00"}`).expect(200)
	for _, c := range []struct {
		body string
		want []string
	}{
		{`{"kind":"PURCHASE","amount":"1","jurisdiction_id":"US-TX"}`,
			[]string{"missing_field body.note", "invalid_enum body.jurisdiction_id", "missing_field body.taxable"}},
		{`{"kind":"CREDIT","amount":"0","note":"x","jurisdiction_type":"CITY"}`,
			[]string{"missing_field body.jurisdiction_name", "out_of_range body.amount"}},
		{`{"kind":"CREDIT","amount":"1","note":"x","jurisdiction_name":"Albany"}`, []string{"missing_field body.jurisdiction_type"}},
		{`{"kind":"CREDIT","amount":"1","note":"x","jurisdiction_name":"Nowhere","jurisdiction_type":"CITY"}`,
			[]string{"invalid_enum body.jurisdiction_name"}},
		{`{"kind":"INTEREST","amount":"-1","taxable":"5","note":"x"}`,
			[]string{"not_allowed body.kind", "not_allowed body.taxable", "out_of_range body.amount"}},
		{`{"kind":"INTEREST","amount":"1","note":"x"}`, []string{"not_allowed body.kind"}},
		{`{"kind":"RENT","amount":"1","note":"x"}`, []string{"invalid_enum body.kind"}},
	} {
		require.ElementsMatch(t, c.want, in.do(client, http.MethodPost, filing+"/entries", c.body).bodyFaults(), c.body)
	}
	in.do(client, http.MethodPut, filing, `{"amount_adjusted":"999999999999999996.99"}`).expect(200)
	require.Equal(t, []string{"out_of_range body.amount"},
		in.do(client, http.MethodPost, filing+"/entries", `{"kind":"EXCESS_TAX","amount":"1","note":"x"}`).bodyFaults())
	in.execute(`INSERT INTO filing_entries SELECT organization_id, id, 'fent_' || n, 'CREDIT', 0, 0, NULL, NULL, NULL, NULL, 'x', 'x'
		FROM filings, generate_series(1, $2) n WHERE organization_id = $1`, client.organizationID, models.MostFilingEntries)
	in.do(client, http.MethodPost, filing+"/entries", `{"kind":"CREDIT","amount":"1","note":"x"}`).expect(409, "filing_entry_limit_reached")
}
