package web

import (
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// The queue leads from a record to the next one with the filter and the page of the list, and back to that list.
func TestTheQueueLeadsToTheNextRecord(t *testing.T) {
	t.Parallel()
	const filter = "assignee=Ada+%26+Bob&page=2&type__in=FILING_TO_APPROVE"
	const first = `{"type":"FILING_TO_APPROVE","organization_id":"org_1","object_id":"file_1","cursor":"c1","actions":["approveFiling"]}`
	const second = `{"type":"FILING_TO_APPROVE","organization_id":"org_2","object_id":"file_2","cursor":"c2"}`
	answers := map[string]string{
		"GET /v1/session": anAdmin, "GET /v1/session/views": `{}`, "GET /v1/exceptions/groups": `{}`,
		"GET /v1/exceptions":     `{"page":2,"pages":2,"total":26,"items":[` + first + `]}`,
		"GET /v1/filings/file_1": aReturn, "GET /v1/audit": `{}`, "GET /v1/filings/file_1/history": `{}`,
		"GET /v1/filings/file_1/report": `{}`, "GET /v1/filings": `{}`, "PUT /v1/filings/file_1/approve": aReturn,
	}
	asked := url.Values{}
	visit := func(path string, form url.Values) *httptest.ResponseRecorder {
		return visitedOver(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/v1/exceptions" {
				asked = r.URL.Query()
			}
			saying(answers).ServeHTTP(w, r)
		}), path, form)
	}
	link := func(page, of string) string {
		t.Helper()
		found := regexp.MustCompile(`href="([^"]*)"[^>]*>` + of).FindStringSubmatch(page)
		require.NotNil(t, found, page)
		return html.UnescapeString(found[1])
	}

	record := link(visit("/exceptions?"+filter, nil).Body.String(), "Review and approve")
	at, err := url.Parse(record)
	require.NoError(t, err)
	require.Equal(t, url.Values{"queue": {filter}, "place": {"c1"}}, at.Query())

	answers["GET /v1/exceptions"] = `{"total":21,"items":[` + second + `]}`
	page := visit(record, nil).Body.String()
	require.Equal(t, url.Values{"type__in": {"FILING_TO_APPROVE"}, "assignee": {"Ada & Bob"}, "after": {"c1"}, "size": {"1"}}, asked)
	require.Equal(t, "/exceptions?"+filter, link(page, "← Back to the list"))
	next, err := url.Parse(link(page, `Next \(21 left\)`))
	require.NoError(t, err)
	require.Equal(t, "/o/org_2/filings/file_2", next.Path)
	require.Equal(t, url.Values{"queue": {filter}, "place": {"c2"}}, next.Query())

	approved := visit(record, url.Values{"action": {"approve"}, "expected_amount": {"1234567.00"}})
	require.Equal(t, record, approved.Header().Get("Location"), "the record stays a step of the queue")

	at.RawQuery = "place=c1&queue="
	approved = visit(at.String(), url.Values{"action": {"approve"}, "expected_amount": {"1234567.00"}})
	require.Equal(t, at.String(), approved.Header().Get("Location"), "also of the queue without a filter")

	answers["GET /v1/exceptions"] = `{"total":0,"items":[]}`
	ended := visit(record, nil).Body.String()
	require.Contains(t, ended, "This is the last one")
	mark := regexp.MustCompile(`data-page="([^"]*)"`)
	require.Equal(t, mark.FindString(page), mark.FindString(ended), "a page does not change when the queue does")

	answers["GET /v1/exceptions"] = `{"status":400,"code":"request_validation_failed","title":"No cursor"}`
	lost := visit(record, nil).Body.String()
	require.Contains(t, lost, "← Back to the list")
	require.NotContains(t, lost, "This is the last one")
	require.NotContains(t, visit("/o/org_1/filings/file_1", nil).Body.String(), `class="pages queue"`)
}

// The first record of a cause is that of its list, which may be empty by now.
func TestTheFirstOfACauseBeginsTheQueue(t *testing.T) {
	t.Parallel()
	answers := map[string]string{"GET /v1/session": anAdmin, "GET /v1/exceptions": `{"items":[{"type":"IMPORT_FAILED",` +
		`"organization_id":"org_1","object_id":"impt_1","cursor":"c1"}]}`}
	first := func() string {
		return visitedWith(t, answers, "/exceptions/first?type__in=IMPORT_FAILED", nil).Header().Get("Location")
	}
	require.Equal(t, "/o/org_1/imports/impt_1?place=c1&queue=type__in%3DIMPORT_FAILED", first())
	answers["GET /v1/exceptions"] = `{}`
	require.Equal(t, "/exceptions?type__in=IMPORT_FAILED", first())
}
