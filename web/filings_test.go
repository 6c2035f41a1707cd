package web

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A return whose approval is blocked says so, and is unblocked by who may change it: of all others the page has no form.
func TestABlockedReturnIsUnblocked(t *testing.T) {
	t.Parallel()
	const form = `name="action" value="unblock"`
	page := func(role, changes string) string {
		answers := map[string]string{
			"GET /v1/session": strings.Replace(anAdmin, `"admin"`, `"`+role+`"`, 1), "GET /v1/filings": `{}`,
			"GET /v1/filings/file_1":         aReturn[:len(aReturn)-1] + changes + `}`,
			"GET /v1/filings/file_1/history": `{}`, "GET /v1/filings/file_1/report": `{}`,
		}
		answered := visitedWith(t, answers, "/o/org_1/filings/file_1", nil)
		require.Equal(t, http.StatusOK, answered.Code, answered.Body)
		return answered.Body.String()
	}
	const blocked = `,"block_approval":true,"approval_blockers":["BLOCKED"]`
	shown := page("preparer", blocked+`,"internal_notes":"Ask <Ada>"`)
	require.Contains(t, shown, form)
	require.Contains(t, shown, "It cannot be approved yet: its approval is blocked.")
	require.Contains(t, shown, "Internal notes: “Ask &lt;Ada&gt;”")
	require.Contains(t, shown, `href="/o/org_1/audit?object_id=file_1"`)
	require.Contains(t, page("approver", blocked), "no internal notes")
	require.NotContains(t, page("viewer", blocked), form)
	require.NotContains(t, page("admin", ""), form)
	for status, offered := range map[string]bool{
		"PAUSED": true, "ISSUE": true, "FILING": false, "FILED": false, "SKIPPED": false, "CANCELLED": false,
	} {
		require.Equal(t, offered, strings.Contains(page("admin", blocked+`,"status":"`+status+`"`), form), status)
	}

	var sent string
	api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.Method == http.MethodPut {
			sent = r.URL.Path + " " + string(body)
		}
		_, _ = io.WriteString(w, anAdmin)
	})
	answered := sendTo(t, api, "/o/org_1/filings/file_1", url.Values{"action": {"unblock"}})
	require.Equal(t, http.StatusSeeOther, answered.Code, answered.Body)
	require.Equal(t, "/o/org_1/filings/file_1", answered.Header().Get("Location"))
	require.Equal(t, `/v1/filings/file_1 {"block_approval":false}`, sent)
}

// sendTo sends a form to a console over an API.
func sendTo(t *testing.T, api http.Handler, path string, form url.Values) *httptest.ResponseRecorder {
	t.Helper()
	request := httptest.NewRequest(http.MethodPost, path, strings.NewReader(form.Encode()))
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return answeredBy(t, api, request)
}
