package web

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

// The page of an unknown address links to the console and the documentation.
func TestThePageOfAnUnknownAddress(t *testing.T) {
	t.Parallel()
	console := consoleOver(t, saying(nil))
	answered := httptest.NewRecorder()
	console.NotFound().ServeHTTP(answered, httptest.NewRequest(http.MethodGet, "/nothing<b>", nil))
	require.Equal(t, http.StatusNotFound, answered.Code)
	require.Equal(t, "text/html; charset=utf-8", answered.Header().Get("Content-Type"))
	require.Equal(t, contentPolicy, answered.Header().Get("Content-Security-Policy"))
	shown := answered.Body.String()
	require.Contains(t, shown, "There is nothing at this address")
	require.Contains(t, shown, `href="/">Open the console`)
	require.Contains(t, shown, `href="/docs">Read the documentation`)
	require.NotContains(t, shown, "nothing<b>")
	require.NotContains(t, shown, "<script")
}
