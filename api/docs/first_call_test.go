package docs

import (
	"html"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The page is plain HTML that displays every step in every language.
func TestFirstCallIsReadableWithoutScripts(t *testing.T) {
	t.Parallel()
	h := router(t)
	page := html.UnescapeString(get(h, "/docs").Body.String())
	require.NotRegexp(t, `<script|<style| style=| on\w+=|ZgotmplZ`, page)
	require.Less(t, strings.Index(page, "<h1>First call</h1>"), strings.Index(page, `<h2 id="key">`))
	for _, l := range languages {
		require.Contains(t, page, `href="/docs/`+l.File+`"`)
		require.Equal(t, 6, strings.Count(page, `<figure class="sample `+l.ID+`">`), "a sample for each step")
		program := get(h, "/docs/"+l.File).Body.String()
		require.NotContains(t, program, "step:")
		for _, path := range []string{"/v1/products", "/v1/tax/estimate", "/v1/transactions", "/credit_notes",
			"/v1/webhook_endpoints"} {
			require.Contains(t, program, path)
		}
		for line := range strings.SplitSeq(program, "\n") {
			require.LessOrEqual(t, len(line), 120, line)
			require.Contains(t, page, strings.TrimSpace(line), "the page has the whole program")
		}
	}
}

// The reader copies samples that call the address in the browser.
func TestFirstCallHasTheBaseAddressOfTheReader(t *testing.T) {
	t.Parallel()
	h := router(t)
	for _, c := range []struct{ host, forwarded, base string }{
		{"levy.example.com", "", "http://levy.example.com"},
		{"levy.example.com:8443", "https", "https://levy.example.com:8443"},
		{"[::1]:8080", "", "http://[::1]:8080"},
		{"levy.example.com", "gopher", "http://levy.example.com"},
		{`"><script>alert(1)</script>`, "", writtenBase},
		{"example.com/$(id)", "", writtenBase},
		{"", "", writtenBase},
	} {
		for _, path := range []string{"/docs", "/docs/first-call.sh"} {
			r := httptest.NewRequest(http.MethodGet, path, nil)
			r.Host = c.host
			r.Header.Set("X-Forwarded-Proto", c.forwarded)
			answer := httptest.NewRecorder()
			h.ServeHTTP(answer, r)
			body := answer.Body.String()
			require.Contains(t, body, "BASE="+c.base+"\n", c.host)
			require.Equal(t, c.base == writtenBase, strings.Contains(body, writtenBase), c.host)
			require.NotContains(t, body, "<script")
			require.Equal(t, "X-Forwarded-Proto", answer.Header().Get("Vary"))
		}
	}
}
