package web

import (
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The mark of a page is a checksum of its content.
func TestAPageHasAMarkOfItsContent(t *testing.T) {
	t.Parallel()
	shown := func(status string) string {
		answered := visitedWith(t, map[string]string{
			"GET /v1/session": anAdmin, "GET /v1/filings": `{"items":[{"id":"file_1","status":"` + status + `"}]}`,
		}, "/o/org_1/filings", nil)
		require.Equal(t, http.StatusOK, answered.Code)
		found := regexp.MustCompile(`<script [^>]* data-page="([0-9a-f]{16})"`).FindStringSubmatch(answered.Body.String())
		require.NotNil(t, found, answered.Body)
		return found[1]
	}
	before := shown("FILING")
	require.Equal(t, before, shown("FILING"))
	require.NotEqual(t, before, shown("FILED"))
}

// A page follows events after the cursor that was read before its records, so that it misses none. Its mark does not
// depend on the cursor.
func TestAPageFollowsEventsFromBeforeItWasRead(t *testing.T) {
	t.Parallel()
	for _, path := range []string{
		"/o/org_1/filings", "/o/org_1/filings/file_1", "/o/org_1/transactions", "/o/org_1/transactions/txn_1",
		"/o/org_1/registrations", "/o/org_1/registrations/reg_1", "/o/org_1/clients/org_2",
	} {
		shown := func(newest string) (page, asked string) {
			api := &notingAPI{newest: newest}
			answered := answeredBy(t, api, httptest.NewRequest(http.MethodGet, path, nil))
			require.Equal(t, http.StatusOK, answered.Code, "%s: %s", path, answered.Body)
			require.Equal(t, []string{"/v1/session", "/v1/events?after=now"}, api.asked[:2], path)
			return onceKey.ReplaceAllString(answered.Body.String(), ""), strings.Join(api.asked[2:], " ")
		}
		page, asked := shown("evnt_1")
		require.NotContains(t, asked, "/v1/events", path)
		require.Regexp(t, `<script [^>]*src="/assets/live\.[0-9a-f]{16}\.js" data-page="[0-9a-f]{16}" data-place="evnt_1"`, page, path)
		other, _ := shown("evnt_2")
		require.Equal(t, strings.ReplaceAll(page, "evnt_1", "evnt_2"), other, path)
		none, _ := shown("")
		require.Equal(t, strings.ReplaceAll(page, ` data-place="evnt_1"`, ""), none, path)
	}
}

// notingAPI answers reads like an API without records, and records the order of the calls.
type notingAPI struct {
	newest string // cursor of the newest event; empty if it is unknown
	asked  []string
}

func (a *notingAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.asked = append(a.asked, r.URL.RequestURI())
	switch {
	case r.URL.Path == "/v1/session":
		_, _ = io.WriteString(w, anAdmin)
	case r.URL.Path == "/v1/filings/file_1":
		_, _ = io.WriteString(w, aReturn)
	case r.URL.Path != "/v1/events":
		_, _ = io.WriteString(w, `{}`)
	case a.newest == "":
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = io.WriteString(w, `{"status":503,"code":"service_unavailable"}`)
	default:
		_, _ = io.WriteString(w, `{"items":[],"next_cursor":"`+a.newest+`","has_more":false}`)
	}
}
