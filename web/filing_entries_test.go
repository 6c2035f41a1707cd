package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const anEntry = `{"id":"fent_1","filing_id":"file_1","kind":"PRIOR_PAYMENT","amount":"1030.00","taxable":"0.00",
	"jurisdiction_id":"US-TX-P05000","jurisdiction_type":"CITY","jurisdiction_name":"Austin","line":"12b",
	"note":"Paid at the counter","external_id":"P-81","created_by":"Ann","created_at":"2026-08-01T10:00:00Z"}`

// entriesWith answers with a return of a status that has one entry.
func entriesWith(status string) map[string]string {
	return map[string]string{
		"GET /v1/session": anAdmin, "GET /v1/filings/file_1": strings.Replace(aReturn, "UNFILED", status, 1),
		"GET /v1/filings/file_1/entries": "[" + anEntry + "]", "POST /v1/filings/file_1/entries": anEntry,
		"DELETE /v1/filings/file_1/entries/fent_1": anEntry,
	}
}

// People add and delete entries on their page, until the claim freezes them.
func TestTheEntriesOfAReturn(t *testing.T) {
	t.Parallel()
	const path = "/o/org_1/filings/file_1/entries"
	for status, changes := range map[string]bool{"UNFILED": true, "PAUSED": true, "FILING": false, "ISSUE": false, "FILED": false} {
		shown := visitedWith(t, entriesWith(status), path, nil)
		require.Equal(t, http.StatusOK, shown.Code, status)
		body := shown.Body.String()
		for _, text := range []string{"Prior payment", "1,030.00", "Austin", "12b", "Paid at the counter", "P-81"} {
			require.Contains(t, body, text, status)
		}
		require.Equal(t, changes, strings.Contains(body, `name="action" value="add"`), status)
		require.Equal(t, changes, strings.Contains(body, `name="action" value="delete"`), status)
	}
	form := url.Values{"action": {"add"}, "kind": {"PURCHASE"}, "amount": {"62.50"}, "taxable": {"1000"}, "note": {"Chairs"}, "line": {""},
		"external_id": {"INV-81"}}
	_, sent := bodiesSent(t, entriesWith("UNFILED"), path, form)
	require.Len(t, sent, 1)
	require.JSONEq(t, `{"kind":"PURCHASE","amount":"62.50","taxable":"1000","note":"Chairs","external_id":"INV-81"}`, sent[0])
	answered := visitedWith(t, entriesWith("UNFILED"), path, url.Values{"action": {"delete"}, "id": {"fent_1"}})
	require.Equal(t, path, answered.Header().Get("Location"), answered.Body)
	require.Contains(t, returnFor(t, "viewer", ""), `href="`+path+`"`)
}

// A refused entry is shown again with its faults next to their fields.
func TestARefusedEntryIsShownAgain(t *testing.T) {
	t.Parallel()
	answers := entriesWith("UNFILED")
	answers["POST /v1/filings/file_1/entries"] = `{"status":400,"code":"validation_failed","title":"Invalid","errors":[` +
		`{"field":"body.taxable","code":"field_missing","message":"taxable is required for this kind."}]}`
	shown := visitedWith(t, answers, "/o/org_1/filings/file_1/entries", url.Values{
		"action": {"add"}, "kind": {"PURCHASE"}, "amount": {"62.50"}, "note": {"Chairs"},
	})
	require.Equal(t, http.StatusBadRequest, shown.Code)
	require.Contains(t, shown.Body.String(), "taxable is required for this kind.")
	require.Contains(t, shown.Body.String(), `value="62.50"`)
}
