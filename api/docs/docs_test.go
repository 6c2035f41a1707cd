package docs

import (
	"bytes"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"levy/contract/problem"
)

const contract = `{"tags":[{"name":"API keys"}],"info":{"description":"the document"},"paths":{"/v1/keys":{"get":{
	"operationId":"listKeys","tags":["API keys"],"summary":"List keys","responses":{"200":{"description":"Keys."}}}}}}`

func router(t *testing.T) http.Handler {
	t.Helper()
	engine := gin.New()
	missing := func(c *gin.Context) { c.String(http.StatusNotFound, "no such page") }
	require.NoError(t, Mount(engine, []byte(contract), missing))
	return engine
}

// get requests a path; header comes in pairs.
func get(h http.Handler, path string, header ...string) *httptest.ResponseRecorder {
	request := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	recorder := httptest.NewRecorder()
	h.ServeHTTP(recorder, request)
	return recorder
}

// served are all documents with their types.
var served = map[string]string{
	"/openapi.json":                    "application/json; charset=utf-8",
	"/docs":                            "text/html; charset=utf-8",
	"/docs/first-call.sh":              "text/plain; charset=utf-8",
	"/docs/first-call.py":              "text/plain; charset=utf-8",
	"/docs/first-call.mjs":             "text/plain; charset=utf-8",
	"/docs/first-call.go":              "text/plain; charset=utf-8",
	"/docs/calls":                      "text/html; charset=utf-8",
	"/docs/calls/api-keys":             "text/html; charset=utf-8",
	"/docs/reference":                  "text/html; charset=utf-8",
	"/docs/start.js":                   "text/javascript; charset=utf-8",
	"/docs/renderer.js":                "text/javascript; charset=utf-8",
	"/docs/style.css":                  "text/css; charset=utf-8",
	"/docs/problems":                   "text/html; charset=utf-8",
	"/docs/problems/validation_failed": "text/html; charset=utf-8",
}

func TestEveryDocumentHasSecurityHeaders(t *testing.T) {
	t.Parallel()
	h := router(t)
	for path, contentType := range served {
		r := get(h, path)
		require.Equal(t, http.StatusOK, r.Code, path)
		require.Equal(t, contentType, r.Header().Get("Content-Type"), path)
		require.Equal(t, "nosniff", r.Header().Get("X-Content-Type-Options"), path)
		require.Equal(t, "no-referrer", r.Header().Get("Referrer-Policy"), path)
		require.Equal(t, "same-origin", r.Header().Get("Cross-Origin-Opener-Policy"), path)
		require.Equal(t, "same-origin", r.Header().Get("Cross-Origin-Resource-Policy"), path)
		policy := "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
		if path == "/docs/reference" { // the one page with a script, and the one exception for styles
			policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self'; " +
				"connect-src 'self'; " +
				"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; " +
				"trusted-types vue default"
		}
		require.Equal(t, policy, r.Header().Get("Content-Security-Policy"), path)
	}
}

func TestDocumentsAreKeptUntilTheyChange(t *testing.T) {
	t.Parallel()
	h := router(t)
	for path := range served {
		for _, coding := range []string{"identity", "gzip"} {
			r := get(h, path, "Accept-Encoding", coding)
			require.Equal(t, "no-cache", r.Header().Get("Cache-Control"), path)
			etag := r.Header().Get("ETag")
			require.Regexp(t, `^"[0-9a-f]{32}(-gzip)?"$`, etag, path)
			for _, known := range []string{etag, "W/" + etag, `"other", ` + etag} {
				again := get(h, path, "Accept-Encoding", coding, "If-None-Match", known)
				require.Equal(t, http.StatusNotModified, again.Code, path)
				require.Equal(t, etag, again.Header().Get("ETag"), path)
				require.Zero(t, again.Body.Len(), path)
				require.Empty(t, again.Header().Get("Content-Encoding"), path)
			}
			require.Equal(
				t, http.StatusOK, get(h, path, "Accept-Encoding", coding, "If-None-Match", `"other"`).Code, path,
			)
		}
	}
	require.NotEqual(t, get(h, "/docs").Header().Get("ETag"), get(h, "/docs/problems").Header().Get("ETag"))
	require.NotEqual(t, // two encodings of the same script are two documents for a cache
		get(
			h, "/docs/renderer.js",
		).Header().Get("ETag"), get(h, "/docs/renderer.js", "Accept-Encoding", "gzip").Header().Get("ETag"))
	require.Equal(t, contract, get(h, "/openapi.json").Body.String()) //nolint:testifylint // byte by byte
}

func TestThePageContainsNoInlineScript(t *testing.T) {
	t.Parallel()
	page := get(router(t), "/docs/reference").Body.String()
	scripts := regexp.MustCompile(`<script[^>]*>[^<]*`).FindAllString(page, -1)
	require.Equal(t, []string{`<script src="/docs/start.js" defer>`, `<script src="/docs/renderer.js" defer>`}, scripts)
	require.NotRegexp(t, `<style| style=| on\w+=|javascript:|//`, page)
}

func TestThePageWithoutScriptsLinksToTheContract(t *testing.T) {
	t.Parallel()
	page := get(router(t), "/docs/reference").Body.String()
	said := regexp.MustCompile(`(?s)<noscript>(.*)</noscript>`).FindStringSubmatch(page)
	require.Len(t, said, 2)
	for _, path := range []string{"/docs", "/docs/calls", "/openapi.json"} {
		require.Contains(t, said[1], `href="`+path+`"`)
	}
	require.Contains(t, said[1], `href="/docs/problems"`)
}

func TestEveryProblemHasAPage(t *testing.T) {
	t.Parallel()
	h := router(t)
	list := get(h, "/docs/problems").Body.String()
	for code, entry := range problem.Table {
		r := get(h, "/docs/problems/"+string(code))
		require.Equal(t, http.StatusOK, r.Code, code)
		require.Contains(t, r.Body.String(), entry.Title)
		require.Contains(t, r.Body.String(), `href="/docs/problems"`)
		require.NotRegexp(t, `<script|<style| style=|ZgotmplZ`, r.Body.String())
		require.NotEmpty(t, entry.Detail, code)
		require.NotEmpty(t, entry.Help, code)
		require.Contains(t, list, `<a href="/docs/problems/`+string(code)+`">`)
	}
	source, err := os.ReadFile("../../contract/problem/codes.go")
	require.NoError(t, err)
	constants := regexp.MustCompile(`(?m)^\tCode\w+ +Code += "(\w+)"$`).FindAllSubmatch(source, -1)
	require.Len(t, problem.Table, len(constants), "no code is left out of the table")
	unknown := get(h, "/docs/problems/nonsense")
	require.Equal(t, http.StatusNotFound, unknown.Code)
	require.Equal(t, "no such page", unknown.Body.String())
}

// The constants are read from the source, so that a new code cannot be left out.
func TestTheListOfCodesIncludesThoseOfSingleFields(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("../../models/faults.go")
	require.NoError(t, err)
	constants := regexp.MustCompile(`(?m)^\tField\w+ += "(\w+)"$`).FindAllSubmatch(source, -1)
	require.Len(t, problem.FieldCodes, len(constants))
	list := get(router(t), "/docs/problems").Body.String()
	for _, constant := range constants {
		code := string(constant[1])
		require.Regexp(t, `<tr id="`+code+`"><td><a href="/docs/problems/`+code+`"><code>`+code+`</code></a></td><td>\w`, list)
	}
}

func TestEveryCodeOfAFieldHasAPage(t *testing.T) {
	t.Parallel()
	h := router(t)
	for _, field := range problem.FieldCodes {
		require.NotContains(t, problem.Table, problem.Code(field.Code), "two pages would have one address")
		for _, text := range []string{field.Meaning, field.Help, field.Path, field.Message} {
			require.NotEmpty(t, text, field.Code)
		}
		r := get(h, "/docs/problems/"+field.Code)
		require.Equal(t, http.StatusOK, r.Code, field.Code)
		page := html.UnescapeString(r.Body.String())
		require.Contains(t, page, field.Meaning)
		require.Contains(t, page, field.Help)
		require.Contains(t, page, `"code": "`+field.Code+`"`)
		require.NotRegexp(t, `<script|<style| style=|ZgotmplZ`, page)
	}
}

// A client that does not accept gzip gets the same bytes uncompressed.
func TestTheRendererIsCompressedForClientsThatAcceptIt(t *testing.T) {
	t.Parallel()
	h := router(t)
	plain := unpacked(t)
	for accepted, compressed := range map[string]bool{
		"": false, "identity": false, "br": false, "*": false, "gzip;q=0": false, "gzip; q=0.0, br": false, "x-gzip": false,
		";;":   false,
		"gzip": true, "GZIP": true, "deflate, gzip, br, zstd": true, "br;q=1.0, gzip;q=0.8": true, "gzip;q=0.001": true,
	} {
		r := get(h, "/docs/renderer.js", "Accept-Encoding", accepted)
		require.Equal(t, http.StatusOK, r.Code, accepted)
		require.Equal(t, "Accept-Encoding", r.Header().Get("Vary"), accepted)
		body, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		if compressed {
			require.Equal(t, "gzip", r.Header().Get("Content-Encoding"), accepted)
			require.Len(t, body, len(rendererJS), accepted)
			require.Less(t, len(body), 1_500_000, "too large for a page on a telephone")
		} else {
			require.Empty(t, r.Header().Get("Content-Encoding"), accepted)
			require.True(t, bytes.Equal(plain, body), accepted)
		}
	}
}
