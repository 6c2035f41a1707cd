package web

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// aLetter is a notice that nobody has answered.
const aLetter = `{"id":"notc_1","registration_id":"regs_1","filing_id":"file_1","country_code":"US","state_code":"NY","kind":"PENALTY",
	"authority":"New York <Tax>","amount":"125.40","currency":"USD","received_date":"2026-06-02","due_date":"2026-07-01",
	"status":"OPEN","assignee":"Ann","revision":1,"documents":[{"id":"ndoc_1","filename":"letter.pdf","size":2048}]}`

// The list of a return comes with the form of a further letter, which keeps what was typed when it is refused.
func TestALetterIsRecordedFromItsReturn(t *testing.T) {
	t.Parallel()
	answers := map[string]string{
		"GET /v1/session": anAdmin, "GET /v1/notices": `{"items":[` + aLetter + `],"total":1,"page":1,"pages":1}`,
		"GET /v1/colleagues": `{"items":[{"organization_id":"org_1","id":"user_2","name":"Ann","may_act":true}]}`,
		"POST /v1/notices":   `{"id":"notc_2"}`, "GET /v1/filings/file_1": `{"currency":"EUR"}`,
	}
	all := visitedWith(t, answers, "/o/org_1/notices", nil).Body.String()
	for _, text := range []string{"New York &lt;Tax&gt;", "125.40", "penalty", "US: New York", "1 Jul 2026", "overdue", "Download as CSV"} {
		require.Contains(t, all, text)
	}
	require.NotContains(t, all, "Record the letter")
	rows := ""
	withRows := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/notices" {
			rows = r.URL.Query().Get("size")
		}
		saying(map[string]string{"GET /v1/session": withPreferences(`"page_size":20`), "GET /v1/notices": `{}`}).ServeHTTP(w, r)
	})
	require.Equal(t, http.StatusOK, visitedOver(t, withRows, "/o/org_1/notices", nil).Code)
	require.Equal(t, "20", rows, "as many as the person has chosen")
	shown := visitedWith(t, answers, "/o/org_1/notices?filing_id=file_1", nil).Body.String()
	for _, text := range []string{"Record the letter", `href="/o/org_1/filings/file_1"`, `<option value="Ann">`, `value="EUR"`,
		`/o/org_1/notices/export?filing_id=file_1&amp;format=csv`} {
		require.Contains(t, shown, text)
	}
	typed := url.Values{"kind": {"PENALTY"}, "authority": {"Texas"}, "received_date": {"2026-06-02"}}
	sent := visitedWith(t, answers, "/o/org_1/notices?filing_id=file_1", typed)
	require.Equal(t, "/o/org_1/notices/notc_2", sent.Header().Get("Location"))
	answers["POST /v1/notices"] = `{"status":400,"code":"validation_failed","title":"No","detail":"No.",` +
		`"errors":[{"location":"body.currency","message":"amount and currency belong together."}]}`
	refused := visitedWith(t, answers, "/o/org_1/notices?filing_id=file_1", typed)
	require.Equal(t, http.StatusBadRequest, refused.Code)
	require.Contains(t, refused.Body.String(), `value="Texas"`)
	require.Contains(t, refused.Body.String(), "belong together")
}

// A notice shows its letters and the form that answers it; an answered one shows its answer.
func TestANoticeIsAnsweredOnItsPage(t *testing.T) {
	t.Parallel()
	answers := map[string]string{"GET /v1/session": anAdmin, "GET /v1/notices/notc_1": aLetter, "PUT /v1/notices/notc_1": aLetter,
		"GET /v1/colleagues": `{}`, "GET /v1/comments/notice/notc_1": `{}`, "GET /v1/audit": `{}`}
	shown := visitedWith(t, answers, "/o/org_1/notices/notc_1", nil).Body.String()
	for _, text := range []string{`href="/o/org_1/notices/notc_1/documents/ndoc_1"`, "Mark as answered", "Start the answer", "Upload",
		`href="/o/org_1/filings/file_1"`} {
		require.Contains(t, shown, text)
	}
	require.NotContains(t, shown, "Open again")
	require.Equal(t, 2, strings.Count(shown, `name="revision" value="1"`), "another person may answer it meanwhile")
	live, err := assets.ReadFile("assets/live.js")
	require.NoError(t, err)
	require.Contains(t, string(live), "notices: ['notice.created', 'notice.updated']", "the page follows what others do")
	var body []byte
	over := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut {
			body, _ = io.ReadAll(r.Body)
		}
		saying(answers).ServeHTTP(w, r)
	})
	for want, form := range map[string]url.Values{
		`{"status":"ANSWERED","answer":"Paid.","revision":1}`: {"action": {"end"}, "status": {"ANSWERED"}, "answer": {"Paid."}},
		`{"status":"IN_PROGRESS","revision":1}`:               {"action": {"start"}},
	} {
		form.Set("revision", "1")
		require.Equal(t, http.StatusSeeOther, visitedOver(t, over, "/o/org_1/notices/notc_1", form).Code)
		require.JSONEq(t, want, string(body))
	}
	answers["GET /v1/notices/notc_1"] = `{"id":"notc_1","registration_id":"regs_1","kind":"OTHER","authority":"A","status":"ANSWERED",
		"answer":"Paid.","documents":[]}`
	ended := visitedWith(t, answers, "/o/org_1/notices/notc_1", nil).Body.String()
	require.Contains(t, ended, "Paid.")
	require.Contains(t, ended, "Open again")
	require.NotContains(t, ended, "Mark as answered")
}
