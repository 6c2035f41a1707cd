package web

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The address in an e-mail asks when it is opened, because programs open it to look at it. One POST turns the kind off, also
// without a cookie, an origin or a form (RFC 8058).
func TestTheAddressInAMailAsksAndOnePOSTTurnsOff(t *testing.T) {
	t.Parallel()
	handler, err := consoleOver(t, saying(nil)).Handler()
	require.NoError(t, err)
	answer := func(method, token, body string) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), method, "/unsubscribe/"+token, strings.NewReader(body))
		if body != "" {
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		require.Empty(t, w.Header().Values("Set-Cookie"), "it begins no session")
		return w
	}
	asked := answer(http.MethodGet, "stop", "")
	require.Equal(t, http.StatusOK, asked.Code)
	require.Contains(t, asked.Body.String(), `action="/unsubscribe/stop"`)
	require.NotContains(t, asked.Body.String(), "Turned off")
	done := answer(http.MethodPost, "stop", "List-Unsubscribe=One-Click")
	require.Equal(t, http.StatusOK, done.Code)
	require.Contains(t, done.Body.String(), "All exceptions by cause, once a week")
	unknown := answer(http.MethodPost, "other", "List-Unsubscribe=One-Click")
	require.Equal(t, http.StatusNotFound, unknown.Code)
	require.Contains(t, unknown.Body.String(), "This address does not work")
}
