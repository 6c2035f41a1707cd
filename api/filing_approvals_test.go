package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// A bulk approval decides each filing on its own: one that is blocked, unknown or of another amount is refused with its
// reason. The rest is approved. A dry run approves nothing, and sending the approval again changes nothing more.
func TestABulkApprovalDecidesEachFiling(t *testing.T) {
	t.Parallel()
	in := install(t)
	client, other := in.client("Client"), in.client("Other")
	registered := in.registration(client, inNewYork)
	first := in.filing(client, registered, "UNFILED")
	another := strings.NewReplacer("2026-01-01", "2026-02-01", "2026-01-31", "2026-02-28")
	create := func(as credentials, registration answer) string {
		return in.do(as, "POST", "/v1/filings", another.Replace(`{"registration_id":"`+registration.text("id")+`",
			"status":"UNFILED","start_date":"2026-01-01","end_date":"2026-01-31","country_code":"US","state_code":"NY",
			"state_name":"New York"}`)).expect(200).text("id")
	}
	second, foreign := create(client, registered), create(other, in.registration(other, inNewYork))
	id := strings.TrimPrefix(first, "/v1/filings/")
	in.do(client, "PUT", first, `{"amount_fees":"5.00"}`).expect(200)
	in.do(client, "PUT", "/v1/filings/"+second, `{"amount_fees":"7.00"}`).expect(200)
	in.execute(`UPDATE nexus_records SET evaluated = coalesce(nullif(evaluated, 0), 1), applying = NULL,
		applied_from = obliged_from, applied_until = obliged_until, applied_gaps = obliged_gaps`)

	const path = "/v1/filing_approvals"
	body := func(more string, rows ...string) string {
		all := make([]string, len(rows)/2)
		for i := range all {
			all[i] = fmt.Sprintf(`{"filing_id":%q,"expected_amount":%q}`, rows[2*i], rows[2*i+1])
		}
		return `{"filings":[` + strings.Join(all, ",") + `]` + more + `}`
	}
	rows := func(a answer) (all []string) {
		for _, each := range a.expect(200).member("items").([]any) {
			row := each.(map[string]any)
			all = append(all, fmt.Sprint(row["status"], " ", row["code"]))
		}
		return all
	}
	unknown := models.NewID(models.PrefixFiling)
	dry := in.do(client, "POST", path, fmt.Sprintf(`{"dry_run":true,"filings":[{"filing_id":%q},{"filing_id":%q},{"filing_id":%q}]}`,
		id, second, unknown))
	require.Equal(t, []string{"READY <nil>", "READY <nil>", "REFUSED resource_not_found"}, rows(dry))
	require.Equal(t, "I have reviewed these 2 returns, and approve that they are filed and paid with 12.00 USD in all.",
		dry.text("attestation"))
	require.Equal(t, "UNFILED", in.do(client, "GET", first, "").expect(200).text("status"), "a dry run approves nothing")

	require.Equal(t, []string{"missing_field body.filings[1].expected_amount"}, in.do(client, "POST", path,
		fmt.Sprintf(`{"filings":[{"filing_id":%q,"expected_amount":"5.00"},{"filing_id":%q}]}`, id, second)).bodyFaults())

	in.execute(`UPDATE filings SET block_approval = true WHERE id = $1`, second)
	signed := `,"attestation":"I have reviewed them.","approved_by":"Ann"`
	once := func(r *http.Request) { r.Header.Set("Idempotency-Key", "once") }
	for range 2 { // with its key, the answer is repeated
		require.Equal(t, []string{"REFUSED amount_changed", "REFUSED resource_not_found", "REFUSED filing_approval_blocked"},
			rows(in.do(client, "POST", path, body(signed, id, "4.00", foreign, "0.00", second, "7.00"), once)))
	}
	in.execute(`UPDATE filings SET block_approval = false WHERE id = $1`, second)
	for range 2 { // without a key, what was done stays done
		require.Equal(t, []string{"DONE <nil>", "REFUSED resource_not_found", "DONE <nil>"},
			rows(in.do(client, "POST", path, body(signed, id, "5.00", foreign, "0.00", second, "7.00"))))
	}
	filed := in.do(client, "GET", first, "").expect(200)
	require.Equal(t, "FILING Ann", filed.text("status")+" "+filed.text("approved_by"))
	history := in.do(client, "GET", first+"/history", "").expect(200).Body.String()
	require.Equal(t, 1, strings.Count(history, "I have reviewed them."), history)
	require.Equal(t, "UNFILED", in.do(other, "GET", "/v1/filings/"+foreign, "").expect(200).text("status"))

	in.do(client, "PUT", first, `{"status":"FILED","return_confirmation_id":"C-1"}`).expect(200)
	require.Equal(t, []string{"DONE <nil>"}, rows(in.do(client, "POST", path, body(signed, id, "5.00"))), "it was filed since")

	// An approver decides, a preparer does not.
	pat := in.memberOf(client, "pat@example.com", "preparer")
	in.asPerson(pat, client.organizationID, "POST", path, body("", id, "5.00")).expect(403, "forbidden_for_key")
	in.do(client, "POST", path, `{"filings":[]}`).expect(400, "validation_failed")
}
