package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAClientThatIsArchivedMeanwhileHasItsPage: an onboarding that is cancelled archives its organization, which may come
// between any two reads of the page.
func TestAClientThatIsArchivedMeanwhileHasItsPage(t *testing.T) {
	t.Parallel()
	for _, gone := range []string{"/v1/nexus", "/v1/registrations", "/v1/filings", "never"} {
		api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/v1/session":
				_, _ = fmt.Fprint(w, `{"user":{"id":"user_1","name":"Pat"},"staff_role":"auditor","organizations":[]}`)
			case gone:
				w.WriteHeader(http.StatusNotFound)
				_, _ = fmt.Fprint(w, `{"status":404,"code":"organization_not_found","title":"The organization does not exist"}`)
			default:
				_, _ = fmt.Fprint(w, `{}`)
			}
		})
		console, err := NewConsole(func() http.Handler { return api }, "", "")
		require.NoError(t, err)
		handler, err := console.Handler()
		require.NoError(t, err)
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/o/org_1/clients/org_2", nil)
		r.AddCookie(&http.Cookie{Name: sessionCookie, Value: "of somebody"})
		handler.ServeHTTP(w, r)
		require.Equal(t, http.StatusOK, w.Code, "%s: %s", gone, w.Body)
		require.Equal(t, gone != "never", strings.Contains(w.Body.String(), "The client is archived"), gone)
	}
}
