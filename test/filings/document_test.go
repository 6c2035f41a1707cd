package filings_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"

	"levy/internal/secret"
	"levy/test/testbed"
	"levy/worker"
	"levy/workflows"
)

// Numbers and names of the taxpayer, which stand in the document alone.
var private = []string{"601078051", "Ann Canary", "ann.canary@chairs.example"}

// inWashington has a sale of last month in Seattle, and a registration with all that the file of the state wants.
func (b *bed) inWashington() {
	b.t.Helper()
	sale := testbed.Sale("S-WA", 1)
	sale["date"] = monthBefore(1) + "T12:00:00Z"
	sale["addresses"] = []any{map[string]any{
		"type": "SHIP_TO", "street_1": "1000 4th Ave", "city": "Seattle", "state": "WA", "postal_code": "98104", "country": "US",
	}}
	b.post("/v1/transactions", sale)
	b.Worker.Stop() // a registration is planned at once
	b.register("WA")
	b.Exec("UPDATE registrations SET sales_tax_id = $1", private[0])
	b.Exec(`UPDATE organization_details SET business_contact = jsonb_build_object('business_contact_name', $1::text,
		'business_contact_email', $2::text, 'business_contact_phone', '360-555-0142')`, private[1], private[2])
}

// Workers die before the document of an attempt is stored, after it, and after it was handed over; the authority rejects
// the first attempt. Each attempt has one document with ids of its own, its bytes never change, and one return is accepted.
func TestTheDocumentOfAnAttemptIsTheSameWhenWorkersAreKilled(t *testing.T) {
	t.Parallel()
	testbed.Kills(t)
	b := newBed(t, testbed.Options{Failpoints: true})
	b.API.Start()
	b.Worker.Start()
	b.inWashington()
	b.Worker.Start()
	b.plan()
	b.waitFilings(1, "UNFILED")
	id := b.filingOf("WA")
	var preview testbed.Answer
	b.Eventually("the sale is in the return", func(context.Context) (bool, error) {
		preview = b.Get("/v1/filings/" + id + "/return?format=document")
		return preview.Status == http.StatusOK, errors.New(string(preview.Body))
	})
	require.Contains(t, string(preview.Body), "ACCOUNT, "+private[0])
	b.Worker.Stop()
	b.API.Stop() // it has a relay too
	b.Exec("UPDATE filings SET internal_notes = 'SIMULATE_REJECT'")
	b.autoFile()
	documents := func() []map[string]any {
		return b.Rows(`SELECT attempt, transmission_id, document_id, sha256, encode(content, 'hex') AS content
			FROM filing_documents ORDER BY attempt`)
	}
	var first []map[string]any
	for _, point := range []string{"before_document=kill", "after_document_commit=kill", "after_submission=kill"} {
		b.Exec("UPDATE filings SET next_check_at = now() WHERE next_check_at IS NOT NULL")
		b.Worker.Launch(point)
		b.Worker.WaitKilled()
		b.reportDeath()
		switch kept := documents(); {
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
	b.waitFilings(1, "ISSUE")
	require.Equal(t, first, documents())
	b.Exec("UPDATE filings SET internal_notes = NULL")
	b.retry(id)
	b.waitLocked(1)
	kept := documents()
	require.Len(t, kept, 2)
	require.Equal(t, first[0], kept[0])
	for _, column := range []string{"transmission_id", "document_id"} {
		require.NotEqual(t, kept[0][column], kept[1][column])
	}
	require.Equal(t, 2, b.Count("SELECT count(*) FROM sandbox_submissions"), "one for each attempt")
	require.Equal(t, 1, b.Count("SELECT count(*) FROM filings WHERE return_confirmation_id LIKE 'SIM-%' AND attempt = 2"))

	b.API.Start()
	filing := b.Call("GET", "/v1/filings/"+id, nil, http.StatusOK)
	require.Equal(t, "US-WA-E-FILE/1.0", filing["return_layout"])
	require.Equal(t, kept[1]["sha256"], filing["return_document_hash"])
	var err error
	document := b.Get("/v1/filings/" + id + "/return?format=document")
	sum := sha256.Sum256(document.Body)
	require.Equal(t, kept[1]["sha256"], hex.EncodeToString(sum[:]))
	require.Equal(t, string(preview.Body), string(document.Body), "the file of Washington has no ids")
	b.requirePrivate(id)

	var proofs [2][]byte
	for i := range proofs {
		to := filepath.Join(t.TempDir(), "proof.zip")
		b.Run("return", "proof", b.OrganizationID, id, "--to", to)
		proofs[i], err = os.ReadFile(to)
		require.NoError(t, err)
	}
	require.Equal(t, proofs[0], proofs[1])
	require.Contains(t, string(proofs[0]), string(document.Body), "files are stored as they are")
}

// requirePrivate requires that no log, history, search attribute or row in clear text names the taxpayer.
func (b *bed) requirePrivate(filingID string) {
	b.t.Helper()
	ring, err := secret.ParseRing(b.MasterKeys)
	require.NoError(b.t, err)
	payloads := ring.Derive(secret.PurposePayloads)[0]
	codec, err := worker.NewCodec(map[string][]byte{payloads.ID: payloads.Bytes}, payloads.ID)
	require.NoError(b.t, err)
	var said []byte
	decode := func(p *commonpb.Payloads) {
		opened, err := codec.Decode(p.GetPayloads())
		require.NoError(b.t, err)
		for _, payload := range opened {
			said = append(said, payload.GetData()...)
		}
	}
	built := 0
	history := b.temporal.GetWorkflowHistory(b.t.Context(), workflows.FilingID(filingID), "", false,
		enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for history.HasNext() {
		e, err := history.Next()
		require.NoError(b.t, err)
		if e.GetActivityTaskScheduledEventAttributes().GetActivityType().GetName() == "BuildDocument" {
			built++
		}
		decode(e.GetActivityTaskScheduledEventAttributes().GetInput())
		decode(e.GetActivityTaskCompletedEventAttributes().GetResult())
		said = append(said, e.String()...)
	}
	require.Equal(b.t, 2, built)
	require.Contains(b.t, string(said), "US-WA-E-FILE/1.0", "the results were decoded")
	for _, service := range []*testbed.Service{b.API, b.Worker} {
		said = append(said, service.Log()...)
	}
	for _, row := range b.Rows(`SELECT to_jsonb(d)::text AS text FROM filing_documents d
		UNION ALL SELECT to_jsonb(h)::text FROM filing_history h UNION ALL SELECT to_jsonb(s)::text FROM sandbox_submissions s`) {
		said = append(said, row["text"].(string)...)
	}
	for _, canary := range private {
		require.NotContains(b.t, string(said), canary)
	}
}
