package api_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/api"
	"levy/service"
)

// A browser that opens an unknown address gets a page, and every other program a problem.
func TestAnUnknownAddressIsAPageForBrowsers(t *testing.T) {
	t.Parallel()
	in := install(t, func(_ *service.Deps, o *api.Options) {
		o.Missing = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, "a page")
		})
	})
	const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
	for _, c := range []struct {
		method, path, accept string
		page                 bool
	}{
		{"GET", "/nothing", browser, true},
		{"HEAD", "/nothing/below", browser, true},
		{"GET", "/v1x", browser, true},
		{"GET", "/nothing", "application/json, text/html;q=0.5", true},
		{"GET", "/docs/problems/nonsense", browser, true},
		{"GET", "/docs/problems/nonsense", "application/json", false},
		{"GET", "/nothing", "", false},
		{"GET", "/nothing", "*/*", false},
		{"GET", "/nothing", "application/json", false},
		{"GET", "/nothing", "application/json, text/html;q=0.0", false},
		{"GET", "/nothing", ";;text/html", false},
		{"POST", "/nothing", browser, false},
		{"GET", "/v1/nothing", browser, false},
		{"GET", "/v1", browser, false},
	} {
		r := httptest.NewRequest(c.method, c.path, nil)
		r.Header.Set("Accept", c.accept)
		answered := httptest.NewRecorder()
		in.handler.ServeHTTP(answered, r)
		require.Equal(t, http.StatusNotFound, answered.Code, c)
		if c.page {
			require.Equal(t, "text/html", answered.Header().Get("Content-Type"), c)
			require.Equal(t, "a page", answered.Body.String(), c)
			continue
		}
		media := "application/problem+json; charset=utf-8"
		if strings.HasPrefix(c.accept, "application/json") {
			media = "application/json; charset=utf-8"
		}
		require.Equal(t, media, answered.Header().Get("Content-Type"), c)
		require.Contains(t, answered.Body.String(), `"route_not_found"`, c)
	}
}

// Only the paths of onboarding steps exist with a slash at their end.
func TestASlashAtTheEndIsNamed(t *testing.T) {
	t.Parallel()
	in := install(t)
	for _, path := range []string{"/v1/products/", "/v1/tax/estimate/", "/docs/", "/v1/products/external/P-1/"} {
		require.Contains(t, in.do(in.root, "GET", path, "").expect(404, "route_not_found").text("detail"), "leave the slash out")
	}
	plain := in.do(in.root, "GET", "/v1/nothing", "").expect(404, "route_not_found")
	require.Equal(t, "There is no such path.", plain.text("detail"))
}
