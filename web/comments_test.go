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

// A record shows its comments in order, with what they said before. Only its author changes one, and a refused text stays.
func TestARecordShowsItsComments(t *testing.T) {
	t.Parallel()
	const answer = `{"items":[
		{"id":"cmnt_1","author":{"id":"user_2","name":"Bob"},"text":"Why <so> low?","created_at":"2026-03-01T10:00:00Z",
		 "mentions":[{"id":"user_1","name":"Ada"}],"versions":[{"text":"Why so low?","created_at":"2026-03-01T10:00:00Z"},
		 {"text":"Why <so> low?","created_at":"2026-03-01T11:00:00Z"}]},
		{"id":"cmnt_2","author":{"id":"user_1","name":"Ada"},"text":"The shop closed.","created_at":"2026-03-02T10:00:00Z",
		 "may_change":true,"versions":[{"text":"The shop closed.","created_at":"2026-03-02T10:00:00Z"}],"mentions":[]},
		{"id":"cmnt_3","author":{"id":"user_1","name":"Ada"},"text":"","created_at":"2026-03-03T10:00:00Z",
		 "withdrawn_at":"2026-03-03T12:00:00Z","versions":[{"text":"A mistake","created_at":"2026-03-03T10:00:00Z"}],"mentions":[]}]}`
	const form = `<input type="hidden" name="action" value="comment">`
	page := func(session string, refusal string, sent url.Values) *httptest.ResponseRecorder {
		return visitedWith(t, map[string]string{
			"GET /v1/session": session, "GET /v1/filings/file_1": aReturn, "GET /v1/audit": `{}`,
			"GET /v1/filings/file_1/history": `{}`, "GET /v1/filings/file_1/report": `{}`, "GET /v1/filings": `{}`,
			"GET /v1/comments/filing/file_1": answer, "POST /v1/comments/filing/file_1": refusal,
			"GET /v1/colleagues": `{"items":[{"organization_id":"org_1","id":"user_2","name":"Bob","may_act":true}]}`,
		}, "/o/org_1/filings/file_1", sent)
	}
	shown := page(anAdmin, "", nil).Body.String()
	first, second := strings.Index(shown, "Why &lt;so&gt; low?"), strings.Index(shown, "The shop closed.")
	require.Positive(t, first)
	require.Greater(t, second, first)
	for _, text := range []string{
		"what it said before", "Why so low?", "withdrawn on", "A mistake", form, `<option value="user_2">Bob</option>`,
	} {
		require.Contains(t, shown, text)
	}
	require.Equal(t, 1, strings.Count(shown, "Correct or withdraw"), "only of the author's own")
	viewer := page(strings.Replace(anAdmin, `"role":"admin"`, `"role":"viewer"`, 1), "", nil).Body.String()
	require.Contains(t, viewer, "The shop closed.")
	require.NotContains(t, viewer, form)
	require.NotContains(t, viewer, "Correct or withdraw")

	const full = `{"status":409,"code":"comment_limit_reached","title":"There are too many comments"}`
	refused := page(anAdmin, full, url.Values{"action": {"comment"}, "text": {"One more"}, "mention": {"user_2"}})
	require.Equal(t, http.StatusConflict, refused.Code)
	require.Contains(t, refused.Body.String(), "\nOne more</textarea>")
	require.Contains(t, refused.Body.String(), `<option value="user_2" selected>Bob</option>`)
}

// A comment is sent with the person whom it is for, and the page stays a step of the queue.
func TestACommentIsForAPerson(t *testing.T) {
	t.Parallel()
	sent := ""
	answered := visitedOver(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			body, _ := io.ReadAll(r.Body)
			sent = r.URL.Path + " " + string(body)
		}
		saying(map[string]string{"GET /v1/session": anAdmin, "POST /v1/comments/organization/org_1": `{}`}).ServeHTTP(w, r)
	}), "/o/org_1?queue=x", url.Values{"action": {"comment"}, "text": {"Look at this"}, "mention": {"user_2"}})
	require.Equal(t, `/v1/comments/organization/org_1 {"mentions":["user_2"],"text":"Look at this"}`, strings.TrimSpace(sent))
	require.Equal(t, "/o/org_1?queue=x", answered.Header().Get("Location"))
}

// The home page shows the comments that wait for the person, each with its record. The page of an organization has its own
// comments.
func TestHomeShowsCommentsForThePerson(t *testing.T) {
	t.Parallel()
	answers := map[string]string{
		"GET /v1/session": anAdmin, "GET /v1/figures": `{}`, "GET /v1/exceptions/groups": `{}`,
		"GET /v1/session/mentions": `{"items":[{"comment_id":"cmnt_1","organization_id":"org_1","organization_name":"Shop",
			"object_type":"filing","object_id":"file_1","author_name":"Bob","text":"Why so low?"},
			{"comment_id":"cmnt_2","organization_id":"org_1","object_type":"organization","object_id":"org_1","text":"Hello"}]}`,
	}
	shown := visitedWith(t, answers, "/", nil).Body.String()
	require.Contains(t, shown, `href="/o/org_1/filings/file_1#comments"`)
	require.Contains(t, shown, `href="/o/org_1#comments"`)
	require.Contains(t, shown, "Why so low?")
	require.NotContains(t, visitedWith(t, answers, "/o/org_1", nil).Body.String(), "Comments for you")
	answers["DELETE /v1/session/mentions/cmnt_1"] = `{}`
	done := visitedWith(t, answers, "/", url.Values{"action": {"done_with"}, "comment_id": {"cmnt_1"}})
	require.Equal(t, "/", done.Header().Get("Location"), done.Body)
}

// Exceptions are assigned to people who may act for their organization, by name. The form for many offers those who may
// act for all organizations of the page.
func TestAnAssigneeIsPicked(t *testing.T) {
	t.Parallel()
	const session = `{"user":{"name":"Ada"},"organizations":[{"organization_id":"org_1","role":"admin"},
		{"organization_id":"org_2","role":"admin"}]}`
	shown := visitedWith(t, map[string]string{
		"GET /v1/session": session, "GET /v1/session/views": `{}`, "GET /v1/exceptions/groups": `{}`,
		"GET /v1/exceptions": `{"items":[{"type":"FILING_ISSUE","organization_id":"org_1","object_id":"file_1","assignee":"Gone"},
			{"type":"FILING_ISSUE","organization_id":"org_2","object_id":"file_2"}]}`,
		"GET /v1/colleagues": `{"items":[
			{"organization_id":"org_1","id":"user_1","name":"Ada","may_act":true},
			{"organization_id":"org_1","id":"user_2","name":"Bob","may_act":true},
			{"organization_id":"org_1","id":"user_3","name":"Vi","may_act":false},
			{"organization_id":"org_2","id":"user_1","name":"Ada","may_act":true}]}`,
	}, "/exceptions", nil).Body.String()
	picker := func(id string) string {
		_, rest, found := strings.Cut(shown, `<select id="`+id+`"`)
		require.True(t, found, shown)
		list, _, _ := strings.Cut(rest, "</select>")
		return list
	}
	require.Contains(t, picker("by-0"), `<option value="Gone" selected>`, "who has it now")
	require.Contains(t, picker("by-0"), `<option value="Bob">`)
	require.NotContains(t, picker("by-0"), "Vi")
	require.Contains(t, picker("by-1"), `<option value="Ada" selected>`)
	require.NotContains(t, picker("by-1"), "Bob")
	require.Contains(t, picker("bulk-assignee"), `<option value="Ada" selected>`)
	require.NotContains(t, picker("bulk-assignee"), "Bob")
}
