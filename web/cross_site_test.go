package web

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/internal/browser"
)

// countingAPI counts its calls and refuses all of them.
type countingAPI struct{ calls int }

func (a *countingAPI) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	a.calls++
	w.WriteHeader(http.StatusNotFound)
	_, _ = w.Write([]byte(`{"status":404,"code":"not_found","title":"The object does not exist"}`))
}

// The console itself refuses each form of another site with the cookie of a visitor. It makes no call, not even to read
// the session.
func TestEveryFormOfAnotherSiteIsRefused(t *testing.T) {
	t.Parallel()
	forms := 0
	// Programs that name no site sign in and turn off e-mails. Both refuse another site also without a cookie.
	withoutCookie := func(pattern string) bool {
		return strings.HasPrefix(pattern, "POST /sign-in") || strings.HasPrefix(pattern, "POST /unsubscribe")
	}
	for _, p := range consoleOver(t, nil).pages {
		if p.send == nil {
			continue
		}
		forms++
		pattern := "POST " + p.path
		t.Run(strings.ReplaceAll(pattern, "/", "_"), func(t *testing.T) {
			t.Parallel()
			for name, c := range map[string]struct {
				header, value string
				cookie        bool
				refused       bool
			}{
				"its own page":                    {"Sec-Fetch-Site", "same-origin", true, false},
				"its own page of an old browser":  {"Origin", "http://example.com", true, false},
				"another site":                    {"Sec-Fetch-Site", "cross-site", true, true},
				"another host of its domain":      {"Sec-Fetch-Site", "same-site", true, true},
				"the address bar":                 {"Sec-Fetch-Site", "none", true, true},
				"another site of an old browser":  {"Origin", "https://evil.example", true, true},
				"a port of its host":              {"Origin", "http://example.com:81", true, true},
				"a page without an origin":        {"Origin", "null", true, true},
				"a browser that names no site":    {"Accept", "*/*", true, !withoutCookie(pattern)},
				"another site without the cookie": {"Sec-Fetch-Site", "cross-site", false, withoutCookie(pattern)},
			} {
				api := &countingAPI{}
				handler, err := consoleOver(t, api).Handler()
				require.NoError(t, err)
				request := sentForm(t, pattern, "")
				request.Header.Del("Sec-Fetch-Site")
				request.Header.Set(c.header, c.value)
				request.Header.Del("Cookie")
				if c.cookie {
					request.AddCookie(&http.Cookie{Name: browser.HostSessionCookie, Value: "of a visitor"})
					request.AddCookie(&http.Cookie{Name: browser.LinkCookie, Value: "of a client"})
				}
				answered := httptest.NewRecorder()
				handler.ServeHTTP(answered, request)
				require.Equal(t, c.refused, answered.Code == http.StatusForbidden, "%s: %d", name, answered.Code)
				switch {
				case c.refused:
					require.Zero(t, api.calls, name)
					require.Contains(t, answered.Body.String(), "nly a page of this service", name)
				case c.cookie && !strings.HasPrefix(pattern, "POST /unsubscribe"): // which is no operation
					require.Positive(t, api.calls, name)
				default:
					require.Zero(t, api.calls, "%s: no operation is called", name)
				}
			}
		})
	}
	require.Greater(t, forms, 35)
}
