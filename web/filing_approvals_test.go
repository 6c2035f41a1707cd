package web

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The review lists what would be approved with its amount, and what is left out with the reason. The approval sends the
// amounts and the statement that the page shows, and shows what became of each.
func TestReturnsAreReviewedBeforeTheyAreApprovedTogether(t *testing.T) {
	t.Parallel()
	const one = `{"filing_id":"file_1","status":"READY","filing":{"id":"file_1","status":"UNFILED","amount":"1140.42","currency":"USD",
		"country_code":"US","state_code":"TX","state_name":"Texas","start_date":"2026-01-01","end_date":"2026-01-31"}}`
	const two = `{"filing_id":"file_2","status":"REFUSED","code":"filing_needs_review","message":"2 findings have to be read.",
		"filing":{"id":"file_2","status":"UNFILED","amount":"5.00","currency":"USD","country_code":"US","state_code":"OH"}}`
	const done = `{"filing_id":"file_1","status":"DONE","filing":{"id":"file_1","status":"FILING","amount":"1140.42","currency":"USD",
		"approved_by":"Ada"}}`
	answers := map[string]string{
		"GET /v1/session":           anAdmin,
		"POST /v1/filing_approvals": `{"items":[` + one + `,` + two + `],"attestation":"I have <reviewed> it."}`,
	}
	var asked []map[string]any
	api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/filing_approvals" {
			var body map[string]any
			_ = json.NewDecoder(r.Body).Decode(&body) // one that is no JSON is not what the test expects
			asked = append(asked, body)
		}
		saying(answers).ServeHTTP(w, r)
	})
	picked := url.Values{"pick": {"org_1 FILING file_1", "org_1 FILING_OVERDUE file_2", "org_1 TRANSACTION_UNRESOLVED txn_1",
		"org_1 REFUND_TO_CLAIM file_3", "org_1 FILING file_2"}}
	review := func() string { return visitedOver(t, api, "/filings/approve?"+picked.Encode(), nil).Body.String() }
	shown := review()
	require.Equal(t, []map[string]any{{"dry_run": true, "filings": []any{
		map[string]any{"filing_id": "file_1"}, map[string]any{"filing_id": "file_2"}}}}, asked, "neither a sale nor a refund, and each once")
	for _, text := range []string{
		"“I have &lt;reviewed&gt; it.”", `name="pick" value="org_1 FILING file_1 1140.42"`, "1,140.42 USD", "US: Texas",
		"Approve 1 return", "Left out", "2 findings have to be read.", "2 selected records left out", `href="/o/org_1/filings/file_2"`,
	} {
		require.Contains(t, shown, text)
	}
	require.NotContains(t, shown, "org_1 FILING file_2 5.00", "what would be refused is not offered")

	asked = nil
	answers["POST /v1/filing_approvals"] = `{"items":[` + done + `,` + two + `]}`
	shown = visitedOver(t, api, "/filings/approve", url.Values{"action": {"approve_many"},
		"pick": {"org_1 FILING file_1 1140.42", "org_1 FILING file_2 5.00"}, "attestation_org_1": {"I have reviewed it."}}).Body.String()
	require.Equal(t, []map[string]any{{"attestation": "I have reviewed it.", "filings": []any{
		map[string]any{"filing_id": "file_1", "expected_amount": "1140.42"},
		map[string]any{"filing_id": "file_2", "expected_amount": "5.00"}}}}, asked)
	for _, text := range []string{"1 return approved, 1 not approved.", "Approved by Ada", "2 findings have to be read."} {
		require.Contains(t, shown, text)
	}

	shown = review()
	require.Contains(t, shown, "None of the selected returns can be approved together.", "it is approved already")
	require.NotContains(t, shown, "approve_many")
	answers["POST /v1/filing_approvals"] = `{"status":503,"code":"service_unavailable","title":"Try again later"}`
	require.Contains(t, review(), "It could not be looked at now.")
	require.Equal(t, http.StatusBadRequest, visitedOver(t, api, "/filings/approve", url.Values{"action": {"approve_many"}}).Code)
	nothing := visitedOver(t, api, "/filings/approve", nil).Body.String()
	require.Contains(t, nothing, "Nothing is selected.")
	require.NotContains(t, nothing, "None of the selected")
}

// Lists of returns have a box for each that waits for the person's approval, and for no other.
func TestReturnsToApproveCanBeSelected(t *testing.T) {
	t.Parallel()
	const due = `{"items":[{"id":"file_1","organization_id":"org_1","status":"UNFILED","waits_for":"APPROVAL","due_date":"2026-02-20"},
		{"id":"file_2","organization_id":"org_1","status":"FILING","waits_for":"AUTHORITY","due_date":"2026-02-20"}],
		"total":2,"page":1,"pages":1}`
	const own = `{"items":[{"id":"file_1","status":"UNFILED","can_approve":true},{"id":"file_2","status":"UNFILED"}],
		"total":2,"page":1,"pages":1}`
	for _, path := range []string{"/filings", "/o/org_1/filings"} {
		page := func(session string) string {
			return visitedWith(t, map[string]string{"GET /v1/session": session, "GET /v1/session/views": `{}`,
				"GET /v1/due_filings": due, "GET /v1/filings": own, "GET /v1/events": `{}`}, path, nil).Body.String()
		}
		shown := page(anAdmin)
		require.Contains(t, shown, `value="org_1 FILING file_1"`, path)
		require.NotContains(t, shown, `value="org_1 FILING file_2"`, path)
		require.Contains(t, shown, "Review the selected for approval", path)
		require.NotContains(t, page(strings.Replace(anAdmin, `"admin"`, `"preparer"`, 1)), "Review the selected", path)
	}
}
