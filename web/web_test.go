package web

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// answerOf returns the answer of a console to a call, with the given pairs of a header's name and value.
func answerOf(t *testing.T, method, path string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	handler, err := consoleOver(t, saying(map[string]string{"GET /v1/session/passkey_challenge": `{"unavailable":"none"}`})).Handler()
	require.NoError(t, err)
	request := httptest.NewRequest(method, path, nil)
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	answered := httptest.NewRecorder()
	handler.ServeHTTP(answered, request)
	return answered
}

func TestEveryAnswerHasSecurityHeaders(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		method, path string
		status       int
		contentType  string
	}{
		{"GET", "/onboarding", http.StatusSeeOther, "text/html; charset=utf-8"},
		{"GET", "/assets/app.js", http.StatusOK, "text/javascript; charset=utf-8"},
		{"GET", "/assets/style.css", http.StatusOK, "text/css; charset=utf-8"},
		{"GET", "/assets/icon.svg", http.StatusOK, "image/svg+xml"},
		{"GET", "/assets/import_entries.csv", http.StatusOK, "text/csv; charset=utf-8"},
		{"GET", "/assets/web.go", http.StatusNotFound, "text/plain; charset=utf-8"},
		{"POST", "/assets/style.css", http.StatusMethodNotAllowed, "text/plain; charset=utf-8"},
	} {
		r := answerOf(t, c.method, c.path)
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

// The live list of onboardings has eight steps in its template, works for signed-in people only, and has no script or
// style of its own text.
func TestTheLiveListLoadsOnlyItsOwnFiles(t *testing.T) {
	t.Parallel()
	page := visitedWith(t, map[string]string{"GET /v1/session": sessionsOf["an admin of a partner"]}, "/onboarding", nil).Body.String()
	require.Equal(t, 8, strings.Count(page, `<li data-number=`))
	require.Contains(t, page, "<noscript>")
	require.Contains(t, page, `<nav id="menu"`)
	require.NotContains(t, page, `type="password"`, "people sign in on one page, and no page asks for an API key")
	require.NotContains(t, page, "<style")
	require.NotContains(t, page, " style=")
	require.NotContains(t, page, " onclick=")
	require.NotContains(t, page, "//")
}

// A browser stores an asset for a year under the hash of its content. Under another hash, that of another release, it
// gets the asset of this release and stores nothing.
func TestAssetsAreStoredByTheirContent(t *testing.T) {
	t.Parallel()
	all, err := loadAssets()
	require.NoError(t, err)
	for name, each := range all {
		require.Regexp(t, `^/assets/[a-z_]+\.[0-9a-f]{16}\.[a-z]+$`, each.address, name)
		r := answerOf(t, http.MethodGet, each.address)
		require.Equal(t, http.StatusOK, r.Code, name)
		require.Equal(t, forAYear, r.Header().Get("Cache-Control"), name)
		require.Equal(t, string(each.body), r.Body.String(), name)
	}
	old := answerOf(t, http.MethodGet, "/assets/live.0123456789abcdef.js")
	require.Equal(t, http.StatusOK, old.Code)
	require.Equal(t, "no-store", old.Header().Get("Cache-Control"))
	require.Equal(t, string(all["live.js"].body), old.Body.String())
}

// The imports of a script name the hashes of what they import, so a changed script changes the address of its importers.
func TestImportsOfScriptsNameHashes(t *testing.T) {
	t.Parallel()
	all, err := loadAssets()
	require.NoError(t, err)
	found := regexp.MustCompile(`from '([^']+)'`).FindAllStringSubmatch(string(all["app.js"].body), -1)
	require.Len(t, found, 3)
	for _, each := range found {
		require.Equal(t, http.StatusOK, answerOf(t, http.MethodGet, each[1]).Code)
	}
	require.Contains(t, string(all["streams.js"].body), all["api.js"].address)
	require.Error(t, assetSet{}.load("missing.js"))
}

// Pages and assets are compressed for browsers that accept it, and the first page with everything that it loads is below
// 60 kB.
func TestTheFirstPageIsSmall(t *testing.T) {
	t.Parallel()
	const accepts, gzipped = "Accept-Encoding", "gzip"
	page := answerOf(t, http.MethodGet, "/sign-in", accepts, gzipped)
	require.Equal(t, gzipped, page.Header().Get("Content-Encoding"))
	require.Contains(t, page.Header().Values("Vary"), accepts)
	total := page.Body.Len()
	opened, err := gzip.NewReader(page.Body)
	require.NoError(t, err)
	text, err := io.ReadAll(opened)
	require.NoError(t, err)
	require.Contains(t, string(text), "</html>")
	require.Equal(t, string(text), answerOf(t, http.MethodGet, "/sign-in").Body.String(), "without compression it is the same")
	all, err := loadAssets()
	require.NoError(t, err)
	for name, each := range all {
		answered := answerOf(t, http.MethodGet, each.address, accepts, gzipped)
		if len(each.body) > 2<<10 {
			require.Equal(t, gzipped, answered.Header().Get("Content-Encoding"), name)
		}
		total += answered.Body.Len()
	}
	require.Less(t, total, 60_000)
}
