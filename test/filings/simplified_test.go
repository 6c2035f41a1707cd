package filings_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// inMichigan has a sale of last month in Detroit, whose return goes to the sandbox of the state. The organization lacks its
// federal number.
func inMichigan(t *testing.T, o testbed.Options) *bed {
	t.Helper()
	b := newBed(t, o)
	b.Set("LEVY_SIMPLIFIED_RETURNS", "MI")
	b.API.Start()
	b.Worker.Start()
	sale := testbed.Sale("S-MI", 1)
	sale["date"] = monthBefore(1) + "T12:00:00Z"
	sale["addresses"] = []any{
		map[string]any{
			"type": "SHIP_TO", "street_1": "2 Woodward Ave", "city": "Detroit", "state": "MI", "postal_code": "48226", "country": "US",
		},
		map[string]any{
			"type": "SHIP_FROM", "street_1": "90 W Broad St", "city": "Columbus", "state": "OH", "postal_code": "43215", "country": "US",
		},
	}
	b.post("/v1/transactions", sale)
	settings := b.Post("/v1/organizations/"+b.OrganizationID+"/settings", map[string]any{"sst_id": "S00004711"})
	require.Equal(t, http.StatusOK, settings.Status, string(settings.Body))
	b.register("MI")
	b.waitIncomplete("MI")
	return b
}

// complete enters the federal number.
func (b *bed) complete() {
	b.t.Helper()
	b.Exec(`UPDATE organization_details SET business_details = coalesce(business_details, '{}') || '{"ein": "98-7654321"}'
		WHERE organization_id = $1`, b.OrganizationID)
}

// documents are those that are stored, the oldest first.
func (b *bed) documents() []map[string]any {
	return b.Rows(`SELECT attempt, layout, transmission_id, document_id, sha256, encode(content, 'hex') AS content
		FROM filing_documents ORDER BY attempt`)
}

// A return without a number that its state wants is not approved. With it the state rejects the first attempt, loses its
// answer to the second, which two workers may send, and accepts one return.
func TestASimplifiedReturnIsCompletedCorrectedAndAcceptedOnce(t *testing.T) {
	t.Parallel()
	b := inMichigan(t, testbed.Options{})
	b.NewWorker().Start()
	id := b.filingOf("MI")
	filing := b.Call("GET", "/v1/filings/"+id, nil, http.StatusOK)
	require.Equal(t, false, filing["can_approve"])
	refused := b.Call("PUT", "/v1/filings/"+id+"/approve", map[string]any{}, http.StatusConflict)
	require.Equal(t, "filing_without_document", refused["code"])
	require.Equal(t, []any{"ID_MISSING"}, refused["findings"])
	b.complete()
	require.Empty(t, b.Call("GET", "/v1/filings/"+id, nil, http.StatusOK)["approval_blockers"])

	b.Exec("UPDATE filings SET internal_notes = 'SIMULATE_SER_14'")
	b.Call("PUT", "/v1/filings/"+id+"/approve", map[string]any{}, http.StatusOK)
	b.waitFilings(1, "ISSUE")
	require.Equal(t, 1, b.Count("SELECT count(*) FROM filings WHERE issue_reason = 'SER_14'"))
	b.Exec("UPDATE filings SET internal_notes = 'SIMULATE_TIMEOUT SIMULATE_PAYMENT_REFUSED'")
	b.retry(id)
	b.waitLocked(1)
	kept := b.documents()
	require.Len(t, kept, 2)
	for _, column := range []string{"transmission_id", "document_id"} {
		require.NotEqual(t, kept[0][column], kept[1][column])
	}
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM filings
		WHERE return_confirmation_id = $1 AND payment_confirmation_id IS NULL AND tax_remitted = 0`, kept[1]["document_id"]))
	require.Equal(t, 1, b.Count("SELECT count(*) FROM sandbox_submissions WHERE attempt = 2 AND contacts > 1"))
	history := string(b.Get("/v1/filings/" + id + "/history").Body)
	require.Contains(t, history, `"streamlined-MI"`)
	require.Contains(t, history, `"PAYMENT_REFUSED"`)
	require.Equal(t, "US-SER/SST2015V01", b.Call("GET", "/v1/filings/"+id, nil, http.StatusOK)["return_layout"])
}

// An answer that cannot be read files nothing, and the filing shows that its authority does not answer.
func TestAnAcknowledgementThatCannotBeReadIsSeen(t *testing.T) {
	t.Parallel()
	b := inMichigan(t, testbed.Options{})
	b.complete()
	b.Exec("UPDATE filings SET internal_notes = 'SIMULATE_ANSWER_DOUBLED'")
	id := b.filingOf("MI")
	b.Call("PUT", "/v1/filings/"+id+"/approve", map[string]any{}, http.StatusOK)
	b.Eventually("the filing shows it", func(context.Context) (bool, error) {
		return b.Call("GET", "/v1/filings/"+id, nil, http.StatusOK)["authority_unanswered_since"] != nil, nil
	})
	require.Equal(t, "FILING", b.Call("GET", "/v1/filings/"+id, nil, http.StatusOK)["status"])
}

// Workers die before the document is stored, after it, and after it was sent. Its bytes stay the same, and the state has one
// return.
func TestASimplifiedReturnIsTheSameWhenWorkersAreKilled(t *testing.T) {
	t.Parallel()
	testbed.Kills(t)
	b := inMichigan(t, testbed.Options{Failpoints: true})
	b.complete()
	b.Worker.Stop()
	b.API.Stop() // it has a relay too
	b.autoFile()
	var first []map[string]any
	for _, point := range []string{"before_document=kill", "after_document_commit=kill", "after_submission=kill"} {
		b.Exec("UPDATE filings SET next_check_at = now() WHERE next_check_at IS NOT NULL")
		b.Worker.Launch(point)
		b.Worker.WaitKilled()
		b.reportDeath()
		switch kept := b.documents(); {
		case point == "before_document=kill":
			require.Empty(t, kept)
		case first == nil:
			first = kept
			require.Len(t, first, 1)
		default:
			require.Equal(t, first, kept)
		}
	}
	b.Worker.Start()
	b.waitLocked(1)
	require.Equal(t, first, b.documents())
	require.Equal(t, 1, b.Count("SELECT count(*) FROM sandbox_submissions WHERE contacts > 1"), b.Rows("SELECT * FROM sandbox_submissions"))
	require.Equal(t, 1, b.Count("SELECT count(*) FROM filings WHERE return_confirmation_id = $1 AND attempt = 1", first[0]["document_id"]))
}
