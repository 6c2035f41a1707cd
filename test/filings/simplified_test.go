package filings_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// inMichigan has a sale of last month in Detroit, whose return goes to the sandbox of the state. The organization lacks its
// federal number.
func inMichigan(t *testing.T, o testbed.Options, environment ...string) *bed {
	t.Helper()
	b := newBed(t, o)
	b.Set("LEVY_SIMPLIFIED_RETURNS", "MI")
	for _, setting := range environment {
		name, value, _ := strings.Cut(setting, "=")
		b.Set(name, value)
	}
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

// The sandbox is reached by its web service. The first answer breaks off and the acknowledgement is lost once, so the same bytes are
// sent again, the acknowledgement is asked for again, and the state has one return.
func TestAReturnIsSentByTheWebService(t *testing.T) {
	t.Parallel()
	b := inMichigan(t, testbed.Options{}, "LEVY_SIMPLIFIED_SOAP=true")
	b.complete()
	b.Exec("UPDATE filings SET internal_notes = 'SIMULATE_SOAP_HALF SIMULATE_ANSWER_CUT'")
	id := b.filingOf("MI")
	b.Call("PUT", "/v1/filings/"+id+"/approve", map[string]any{}, http.StatusOK)
	b.waitLocked(1)
	kept := b.documents()
	require.Len(t, kept, 1)
	require.Equal(t, 1, b.Count("SELECT count(*) FROM sandbox_submissions WHERE contacts > 1 AND handed_out > 0"))
	require.Equal(t, 1, b.Count("SELECT count(*) FROM sandbox_submissions"))
	require.Equal(t, 1, b.Count("SELECT count(*) FROM filings WHERE return_confirmation_id = $1", kept[0]["document_id"]))
}

// acknowledgement is what the site of a state gives for a document. change spoils it.
func acknowledgement(transmission, document any, status string) string {
	return `<?xml version="1.0" encoding="UTF-8"?>
<SSTPAcknowledgement xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" acknowledgementVersion="SST2015V01">
  <AcknowledgementHeader>
    <AcknowledgementTimestamp>2026-11-20T06:00:00Z</AcknowledgementTimestamp><AcknowledgementCount>1</AcknowledgementCount>
  </AcknowledgementHeader>
  <TransmissionAcknowledgement>
    <TransmissionId>` + transmission.(string) + `</TransmissionId><TransmissionStatus>A</TransmissionStatus>
  </TransmissionAcknowledgement>
  <DocumentAcknowledgement>
    <DocumentId>` + document.(string) + `</DocumentId><SSTPID>S00004711</SSTPID><DocumentType>SEROnly</DocumentType>
    <DocumentStatus>` + status + `</DocumentStatus><PaymentIndicator>N</PaymentIndicator>
  </DocumentAcknowledgement>
</SSTPAcknowledgement>
`
}

// At the web site of a state people upload the stored bytes and bring its acknowledgement. One that is none of this attempt changes
// nothing. A refused return is an issue, and the next attempt, with ids of its own, is filed.
func TestPeopleUploadAReturnAndBringItsAcknowledgement(t *testing.T) {
	t.Parallel()
	b := inMichigan(t, testbed.Options{}, "LEVY_SIMPLIFIED_SERVICES=MI=UPLOAD")
	b.Exec("UPDATE organizations SET is_test = false WHERE id = $1", b.OrganizationID)
	b.complete()
	id := b.filingOf("MI")
	b.Call("PUT", "/v1/filings/"+id+"/approve", map[string]any{}, http.StatusOK)
	waits := func(attempt int) map[string]any {
		b.Eventually("a person has to file it", func(context.Context) (bool, error) {
			return b.Count("SELECT count(*) FROM filings WHERE manual_since IS NOT NULL AND attempt = $1", attempt) == 1, nil
		})
		kept := b.documents()
		require.Len(t, kept, attempt)
		return kept[attempt-1]
	}
	first := waits(1)
	path := "/v1/filings/" + id + "/acknowledgement"
	document := string(b.Get("/v1/filings/" + id + "/return").Body)
	upload := string(b.Get("/v1/filings/" + id + "/return?format=upload").Body)
	require.Contains(t, document, first["transmission_id"])
	require.Contains(t, document, "<ProcessType>P</ProcessType>")
	_, root, _ := strings.Cut(document, "<SSTSimplifiedReturnTransmission")
	require.Contains(t, upload, strings.TrimSpace(root), "the same bytes")
	before := b.Get("/v1/filings/" + id).Body
	for words, content := range map[string]string{
		"is no XML":                     "<SSTPAcknowledgement",
		"no acknowledgement of this":    acknowledgement("S0000471126323000009", first["document_id"], "A"),
		"says nothing about the return": acknowledgement(first["transmission_id"], "S0000471126323000009", "A"),
		"choose the file that the site": upload,
	} {
		refused := b.Call("POST", path, map[string]any{"content": content}, http.StatusBadRequest)
		fault := refused["errors"].([]any)[0].(map[string]any)
		require.Equal(t, "body.content", fault["location"])
		require.Contains(t, fault["message"], words)
		require.Equal(t, string(before), string(b.Get("/v1/filings/"+id).Body))
	}
	require.Zero(t, b.Count("SELECT count(*) FROM acknowledgements"))
	rejected := map[string]any{"content": acknowledgement(first["transmission_id"], first["document_id"], "R")}
	require.Equal(t, "ISSUE", b.Call("POST", path, rejected, http.StatusOK)["status"])
	b.retry(id)
	second := waits(2)
	require.NotEqual(t, first["transmission_id"], second["transmission_id"])
	refused := b.Call("POST", path, rejected, http.StatusBadRequest)
	require.Equal(t, "validation_failed", refused["code"], "it is of the attempt before")
	accepted := map[string]any{"content": acknowledgement(second["transmission_id"], second["document_id"], "A")}
	require.Equal(t, "FILED", b.Call("POST", path, accepted, http.StatusOK)["status"])
	require.Equal(t, "invalid_status_transition", b.Call("POST", path, accepted, http.StatusConflict)["code"])
	b.waitLocked(1)
	require.Equal(t, 1, b.Count("SELECT count(*) FROM filings WHERE return_confirmation_id = $1", second["document_id"]))
	require.Equal(t, 2, b.Count("SELECT count(*) FROM acknowledgements WHERE authority = 'streamlined-MI-live'"))
	require.Zero(t, b.Count("SELECT count(*) FROM sandbox_submissions"))
}
