package temporal

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The UI on a developer's machine has a codec on its own address and no credential. The codec answers pages of this UI,
// and no other pages.
func TestTheLocalTemporalUIReachesTheCodecWithoutCredentials(t *testing.T) {
	t.Parallel()
	const token = "token-of-the-codec"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.EscapedPath() {
		case "/api/v1/settings": // as of the UI 2.42.1
			fmt.Fprint(w, `{"Auth":{"Enabled":false},"Codec":{"Endpoint":"","PassAccessToken":false},"Version":"2.42.1"}`)
		case "/namespaces/default/workflows/filing%2Ffile_1":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<html>")
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.URL.Path, r.Header[CodecTokenHeader], r.Header.Get("Origin"), r.Header.Get("X-Namespace"),
			r.CookiesNamed("levy_session"))
	}))
	t.Cleanup(api.Close)
	of := func(s *httptest.Server) string { return s.Listener.Addr().String() }
	ui := httptest.NewServer(NewUI(of(server), of(api), token))
	t.Cleanup(ui.Close)
	ask := func(method, path string, change func(*http.Request)) (*http.Response, string) {
		r, err := http.NewRequestWithContext(t.Context(), method, ui.URL+path, http.NoBody)
		require.NoError(t, err)
		change(r)
		resp, err := ui.Client().Do(r)
		require.NoError(t, err)
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		return resp, string(body)
	}

	_, body := ask(http.MethodGet, "/api/v1/settings", func(*http.Request) {})
	require.NotContains(t, body, token)
	var settings map[string]any
	require.NoError(t, json.Unmarshal([]byte(body), &settings))
	require.Equal(t, map[string]any{
		"Auth": map[string]any{"Enabled": false}, "Version": "2.42.1",
		"Codec": map[string]any{"Endpoint": ui.URL + "/codec", "IncludeCredentials": true},
	}, settings)

	page, body := ask(http.MethodGet, "/namespaces/default/workflows/filing%2Ffile_1", func(*http.Request) {})
	require.Equal(t, "<html>", body)
	require.Len(t, page.Cookies(), 1)
	cookie := page.Cookies()[0]
	require.Equal(t, "levy_temporal_ui_"+ui.URL[strings.LastIndex(ui.URL, ":")+1:], cookie.Name)
	require.Equal(t, "/codec", cookie.Path)
	require.Equal(t, http.SameSiteStrictMode, cookie.SameSite)
	require.True(t, cookie.HttpOnly)
	require.GreaterOrEqual(t, len(cookie.Value), 26, "128 bits")
	require.NotContains(t, fmt.Sprint(page.Header), token)

	for name, c := range map[string]struct {
		change func(*http.Request)
		status int
	}{
		"a page of the UI": {func(*http.Request) {}, http.StatusOK},
		"no page":          {func(r *http.Request) { r.Header.Del("Cookie") }, http.StatusUnauthorized},
		"a session alone": {func(r *http.Request) { r.Header.Set("Cookie", "levy_session=person") },
			http.StatusUnauthorized},
		"a guess": {func(r *http.Request) { r.Header.Set("Cookie", cookie.Name+"=guess") },
			http.StatusUnauthorized},
		"another page": {func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") },
			http.StatusForbidden},
		"a page beside it":    {func(r *http.Request) { r.Header.Set("Origin", api.URL) }, http.StatusForbidden},
		"without an origin":   {func(r *http.Request) { r.Header.Del("Origin") }, http.StatusForbidden},
		"another name":        {func(r *http.Request) { r.Host = "evil.example" }, http.StatusMisdirectedRequest},
		"a similar host name": {func(r *http.Request) { r.Host = "localhost.evil.example" }, http.StatusMisdirectedRequest},
	} {
		resp, body := ask(http.MethodPost, "/codec/decode", func(r *http.Request) {
			r.Header.Set("Origin", ui.URL)
			r.Header.Set("X-Namespace", "space")
			r.Header.Set(CodecTokenHeader, "of the browser")
			r.AddCookie(&http.Cookie{Name: "levy_session", Value: "person"})
			r.AddCookie(&http.Cookie{Name: cookie.Name, Value: cookie.Value})
			c.change(r)
		})
		require.Equal(t, c.status, resp.StatusCode, name)
		if c.status == http.StatusOK {
			require.Equal(t, "/codec/decode["+token+"]"+ui.URL+"space[levy_session=person]", body)
		}
	}
}
