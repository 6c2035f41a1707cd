package web_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/web"
)

func TestEveryAnswerHasSecurityHeaders(t *testing.T) {
	t.Parallel()
	handler, err := web.Handler()
	require.NoError(t, err)
	for _, c := range []struct {
		method, path string
		status       int
		contentType  string
	}{
		{"GET", "/onboarding", http.StatusOK, "text/html; charset=utf-8"},
		{"GET", "/onboarding/", http.StatusOK, "text/html; charset=utf-8"},
		{"HEAD", "/onboarding", http.StatusOK, "text/html; charset=utf-8"},
		{"GET", "/onboarding/app.js", http.StatusOK, "text/javascript; charset=utf-8"},
		{"GET", "/onboarding/style.css", http.StatusOK, "text/css; charset=utf-8"},
		{"GET", "/onboarding/icon.svg", http.StatusOK, "image/svg+xml"},
		{"GET", "/onboarding/web.go", http.StatusNotFound, "text/plain; charset=utf-8"},
		{"POST", "/onboarding", http.StatusMethodNotAllowed, "text/plain; charset=utf-8"},
	} {
		r := httptest.NewRecorder()
		handler.ServeHTTP(r, httptest.NewRequest(c.method, c.path, nil))
		require.Equal(t, c.status, r.Code, "%s %s", c.method, c.path)
		require.Equal(t, c.contentType, r.Header().Get("Content-Type"))
		require.Equal(t, "no-store", r.Header().Get("Cache-Control"))
		require.Equal(t, "nosniff", r.Header().Get("X-Content-Type-Options"))
		policy := r.Header().Get("Content-Security-Policy")
		require.Contains(t, policy, "default-src 'none'")
		require.Contains(t, policy, "frame-ancestors 'none'")
		require.Contains(t, policy, "form-action 'self'")
		require.NotContains(t, policy, "unsafe")
	}
}

func TestThePageLoadsOnlyItsOwnFiles(t *testing.T) {
	t.Parallel()
	handler, err := web.Handler()
	require.NoError(t, err)
	r := httptest.NewRecorder()
	handler.ServeHTTP(r, httptest.NewRequest(http.MethodGet, "/onboarding", nil))
	page := r.Body.String()
	require.Equal(t, 8, strings.Count(page, `<li data-number=`))
	require.Contains(t, page, "<noscript>")
	require.NotContains(t, page, `type="password"`, "people sign in on one page, and no page asks for an API key")
	require.NotContains(t, page, "<style")
	require.NotContains(t, page, " style=")
	require.NotContains(t, page, " onclick=")
	require.NotContains(t, page, "//")
}
