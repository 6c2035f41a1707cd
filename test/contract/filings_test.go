package contract_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// filingBody asks for a filing of January 2026 of a registration of its own.
func (in *installation) filingBody(as credentials, category string) string {
	in.t.Helper()
	return in.filingOf(in.registration(as), category, "UNFILED")
}

// openAfterFiling is the state of a filed return of which 25.00 are not paid.
const openAfterFiling = "status = 'FILED', claimed_at = now(), filed_at = now(), date_filed = '2026-02-01', amount_penalties = 25, " +
	"tax_remitted = 0"

func (in *installation) filingOf(registration, category, status string) string {
	in.t.Helper()
	var state string
	in.query(&state, fmt.Sprintf("SELECT state_code FROM registrations WHERE id = '%s'", registration))
	return fmt.Sprintf(`{"registration_id":%q,"status":%q,"start_date":"2026-01-01","end_date":"2026-01-31",`+
		`"country_code":"US","state_code":%q,"state_name":%[3]q,"filing_category":%[4]q}`,
		registration, status, state, category)
}

// readyToChange brings a filing to a status from which an operation can change it.
func (in *installation) readyToChange(op operation, filing string) {
	in.t.Helper()
	if op.OperationID == "acknowledgeFiling" {
		in.handOver(filing)
		return
	}
	state := map[string]string{"approveFiling": "status = 'UNFILED', claimed_at = NULL",
		"createFilingEntry": "status = 'UNFILED', claimed_at = NULL", "deleteFilingEntry": "status = 'UNFILED', claimed_at = NULL",
		"retryFiling":         "status = 'ISSUE', claimed_at = now()",
		"recordFilingPayment": openAfterFiling, "deleteFilingPayment": openAfterFiling,
		"amendFiling": "filing_category = 'AMENDMENT', status = 'FILED', claimed_at = now(), filed_at = now(), " +
			"date_filed = '2026-02-01'"}[op.OperationID]
	if state != "" {
		in.execute(fmt.Sprintf(`SET session_replication_role = replica;
			DELETE FROM outbox; UPDATE filings SET status = 'CANCELLED' WHERE on_demand AND status = 'UNFILED'; UPDATE filings
			SET %s
			WHERE id = '%s'`, state, filing))
		in.obligationsDecided()
	}
}

// acknowledgementBody accepts the document that handOver stores.
var acknowledgementBody = func() string {
	message := `<SSTPAcknowledgement acknowledgementVersion="SST2015V01"><AcknowledgementHeader>` +
		`<AcknowledgementTimestamp>2026-11-20T06:00:00Z</AcknowledgementTimestamp><AcknowledgementCount>1</AcknowledgementCount>` +
		`</AcknowledgementHeader><TransmissionAcknowledgement><TransmissionId>` + handedOver.TransmissionID +
		`</TransmissionId><TransmissionStatus>A</TransmissionStatus></TransmissionAcknowledgement><DocumentAcknowledgement><DocumentId>` +
		handedOver.DocumentID + `</DocumentId><SSTPID>S00004711</SSTPID><DocumentType>SEROnly</DocumentType>` +
		`<DocumentStatus>A</DocumentStatus><PaymentIndicator>N</PaymentIndicator></DocumentAcknowledgement></SSTPAcknowledgement>`
	body, _ := json.Marshal(map[string]string{"content": message})
	return string(body)
}()

// handedOver is the document of a return that a state may acknowledge.
var handedOver = models.FilingDocument{
	Attempt: 1, Layout: "US-SER/SST2015V01", MediaType: "application/xml", FileName: "return.xml", Transmitter: "S00004711",
	TransmissionID: "S0000471126323000001", DocumentID: "S0000471126323000002", Day: 20261119, Content: []byte("<return/>"),
}

// handOver brings a filing to the status of a return that a person has uploaded at the site of a state.
func (in *installation) handOver(filing string) {
	in.t.Helper()
	in.execute(fmt.Sprintf(`SET session_replication_role = replica;
		DELETE FROM outbox; DELETE FROM acknowledgements; DELETE FROM filing_documents; UPDATE filings
		SET status = 'FILING', attempt = 1, claimed_at = now(), date_filed = NULL, filed_at = NULL, return_confirmation_id = NULL
		WHERE id = '%s'`, filing))
	var organization string
	if in.behind.QueryRow(in.t.Context(), "SELECT organization_id FROM filings WHERE id = $1", filing).Scan(&organization) != nil {
		return
	}
	_, err := in.store.Filings.KeepDocument(in.t.Context(), models.Scope{OrganizationID: organization},
		models.Attempt{RecordID: filing, Number: 1}, handedOver)
	require.NoError(in.t, err)
}

// obligationsDecided does the work that the workers of an installation do within a second after a registration: until
// then no return can be approved.
func (in *installation) obligationsDecided() {
	in.t.Helper()
	in.execute(`UPDATE nexus_records SET evaluated = coalesce(nullif(evaluated, 0), 1), applying = NULL,
		applied_from = obliged_from, applied_until = obliged_until, applied_gaps = obliged_gaps`)
}

// settleFiling makes a body fit the filing or the registration that it is for.
func (in *installation) settleFiling(op operation, n *node) {
	id := in.objects[op.OperationID].id
	if op.OperationID == "createFiling" {
		var state string
		in.registered(id)
		in.query(&state, fmt.Sprintf("SELECT state_code FROM registrations WHERE id = '%s'", id))
		n.put(map[string]string{
			"registration_id": id, "status": "UNFILED", "start_date": "2026-01-01", "end_date": "2026-12-31",
			"country_code": "US", "state_code": state,
			"filing_category": in.next("CATEGORY"),
		})
		n.drop("date_filed")
		return
	}
	if op.OperationID == "amendFiling" {
		in.readyToChange(op, id)
		return
	}
	in.execute(fmt.Sprintf(`SET session_replication_role = replica; DELETE FROM outbox; DELETE FROM filing_transactions;
		UPDATE filings
		SET status = 'UNFILED', claimed_at = NULL, date_filed = NULL, filed_at = NULL, block_approval = false
		WHERE id = '%s'`, id))
	in.obligationsDecided()
	n.drop("status", "date_filed", "paused_until_date", "amount_discounts", "amount_fees", "amount_penalties")
}

// provokeFilingConflicts causes the refusals of a filing.
func (in *installation) provokeFilingConflicts(client credentials) {
	t := in.t
	t.Helper()
	refused := func(method, target, body, code string) answer {
		t.Helper()
		a := in.call(client, method, target, body, 409)
		require.Equal(t, code, a.problem(t).Code, "%s %s", method, target)
		return a
	}
	registration := in.registration(client)
	id := in.call(client, "POST", "/v1/filings", in.filingOf(registration, "REGULAR", "UNFILED"), 200).text(t, "id")
	filing, blocked := "/v1/filings/"+id, false
	require.Equal(t, id, refused("POST", "/v1/filings", in.filingOf(registration, "REGULAR", "PAUSED"),
		"duplicate_filing").text(t, "existing_id"))
	require.Equal(t, "UNFILED", refused("POST", filing+"/retry", "", "invalid_status_transition").text(t, "from"))
	refused("POST", filing+"/amend", `{"reason":"A letter"}`, "invalid_status_transition")
	refused("POST", filing+"/acknowledgement", acknowledgementBody, "invalid_status_transition")
	lawful := in.call(client, "GET", filing, "", 200).member(t, "due_date")
	require.Equal(t, "2026-12-24", in.call(client, "PUT", filing, `{"due_date":"2026-12-24"}`, 200).text(t, "due_date"))
	require.Equal(t, lawful, in.call(client, "PUT", filing, `{"due_date":null}`, 200).member(t, "due_date"))
	in.call(client, "PUT", filing, `{"block_approval":true}`, 200)
	refused("PUT", filing+"/approve", "", "filing_approval_blocked")
	for _, e := range in.get(client, "/v1/exceptions").list("items") {
		if about := e.(map[string]any); about["object_id"] == id {
			require.Contains(t, about["reason"], "pproval is blocked.")
			require.Equal(t, []any{"updateFiling"}, about["actions"])
			blocked = true
		}
	}
	require.True(t, blocked, "a return whose approval is blocked is an exception")
	in.call(client, "PUT", filing, `{"block_approval":null}`, 200)
	require.Contains(t, refused("PUT", filing+"/approve", "", "filing_not_ready").problem(t).Detail,
		"has just changed", "its registration is new")
	in.obligationsDecided()
	approved := in.call(client, "PUT", filing+"/approve", "", 200)
	var key string
	in.query(&key, "SELECT id FROM api_keys WHERE hash = $1", in.hasher.Hash(client.key))
	require.Equal(t, []string{"FILING", key}, []string{approved.text(t, "status"), approved.text(t, "approved_by")},
		"no other person is named")
	frozen := refused("PUT", filing, `{"due_date":"2026-03-20","amount_fees":"1.00"}`, "filing_immutable")
	require.Equal(t, "In this status these cannot change: due_date, amount_fees.", frozen.problem(t).Detail)
	in.call(client, "PUT", filing, `{"status":"ISSUE","issue_reason":"Rejected"}`, 200)
	refused("PUT", filing, `{"status":"FILING"}`, "invalid_status_transition")
	require.Equal(t, "FILING", in.call(client, "POST", filing+"/retry", "", 200).text(t, "status"))
	in.call(client, "PUT", filing, `{"status":"FILED","return_confirmation_id":"C-1"}`, 200)
	refused("PUT", filing, `{"internal_notes":"too late"}`, "filing_immutable")
	refused("PUT", filing+"/approve", "", "invalid_status_transition")

	open := fmt.Sprintf(`{"registration_id":%q,"status":"FILED","start_date":"2100-01-01","end_date":"2100-01-31",`+
		`"country_code":"US","state_code":%q,"state_name":"x"}`,
		registration, in.call(client, "GET", filing, "", 200).text(t, "state_code"))
	require.Equal(t, "2100-02-01T12:00:00Z",
		refused("POST", "/v1/filings", open, "filing_period_open").text(t, "available_at"))
	in.execute(fmt.Sprintf("SET session_replication_role = replica; UPDATE registrations SET status = 'CANCELLED' "+
		"WHERE id = '%s'", registration))
	require.Equal(t, "CANCELLED",
		refused("POST", "/v1/filings", in.filingOf(registration, "OTHER", "UNFILED"), "registration_not_active").text(t,
			"current_status"))
	stranger := strings.Replace(in.filingOf(registration, "OTHER", "UNFILED"), registration,
		models.NewID(models.PrefixRegistration), 1)
	require.Equal(t, "reference_not_found", in.call(client, "POST", "/v1/filings", stranger, 404).problem(t).Code)
}

// A return goes from the sale to its end over HTTP alone.
func TestAFilingFromItsSaleToItsEnd(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client()
	sale, _ := in.transaction(client)
	filing := "/v1/filings/" + in.filing(client)
	waiting := in.call(client, "PUT", filing+"/approve", "", 409)
	require.Equal(t, "filing_not_ready", waiting.problem(t).Code)
	require.EqualValues(t, 1, waiting.member(t, "pending_transactions"))
	require.Regexp(t, "^One transaction of the period is still being processed. .* has just changed", waiting.problem(t).Detail,
		"it names all that is missing")
	require.Equal(t, "5", waiting.header.Get("Retry-After"))
	in.processed(client, sale)
	in.obligationsDecided()
	live := in.call(client, "GET", filing, "", 200)
	require.Equal(t, true, live.member(t, "can_approve"))
	require.EqualValues(t, 1, live.member(t, "transaction_count"))
	in.call(client, "PUT", filing, `{"amount_adjusted":"-1.00","amount_fees":2.5}`, 200)
	claimed := in.call(client, "PUT", filing+"/approve", `{"approved_by":"controller"}`, 200)
	require.Equal(t, "controller", claimed.text(t, "approved_by"))
	again := in.call(client, "PUT", filing+"/approve", `{"approved_by":"somebody else"}`, 200)
	require.Equal(t, "controller", again.text(t, "approved_by"), "the second one gets the name of the first")
	require.Equal(t, live.text(t, "amount_sales"), claimed.text(t, "amount_sales"))
	require.Equal(t, "transaction_locked",
		in.call(client, "PUT", "/v1/transactions/"+sale, versionBody(in.next("ORDER"), "P-1", 1), 409).problem(t).Code)
	filed := in.call(client, "PUT", filing, `{"status":"FILED","return_confirmation_id":"NY-1"}`, 200)
	require.Equal(t, filed.text(t, "amount"), filed.text(t, "tax_remitted"))
	require.Equal(t, true, filed.member(t, "is_manual"))
	require.NotEmpty(t, filed.text(t, "date_filed"))
}

func TestFilingsAndRegistrationsAreFoundByTheCodeOrTheNameOfTheState(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client()
	in.filing(client) // of New York
	for state, want := range map[string]int{"NY": 1, "ny": 1, "New+York": 1, "%20new%20york": 1,
		"District+of+Columbia": 0, "NJ": 0} {
		for _, path := range []string{"/v1/filings", "/v1/registrations"} {
			require.EqualValues(t, want, in.call(client, "GET", path+"?state_code="+state, "", 200).member(t, "total"),
				"%s of %s", path, state)
		}
	}
}
