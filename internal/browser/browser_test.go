package browser_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/internal/browser"
	"levy/internal/secret"
)

func TestCookiesNeedTLSButOnThisMachine(t *testing.T) {
	t.Parallel()
	for host, secure := range map[string]bool{
		"levy.example": true, "levy.example:8080": true, "10.0.0.1": true, "localhost.example": true,
		"localhost": false, "localhost:8080": false, "127.0.0.1:8080": false, "[::1]:8080": false,
	} {
		r := httptest.NewRequest(http.MethodPost, "/", nil)
		r.Host = host
		w := httptest.NewRecorder()
		browser.SetSession(w, r, "token", time.Hour)
		browser.SetSession(w, r, "", time.Hour)
		cookies := w.Result().Cookies()
		require.Len(t, cookies, 2)
		name := map[bool]string{true: browser.HostSessionCookie, false: browser.SessionCookie}[secure]
		for _, cookie := range cookies {
			require.Equal(t, secure, cookie.Secure, host)
			require.True(t, cookie.HttpOnly)
			require.Equal(t, name, cookie.Name)
			require.Empty(t, cookie.Domain, "no other host gets it")
			require.Equal(t, "/", cookie.Path)
		}
		require.Equal(t, 3600, cookies[0].MaxAge)
		require.Equal(t, -1, cookies[1].MaxAge, "without a token it is deleted")
	}
}

// Another host of the domain may have set the cookie without the name of the host.
func TestANewSessionHasTheNameOfTheHost(t *testing.T) {
	t.Parallel()
	other, begun := secret.NewSession(), secret.NewSession()
	for name, c := range map[string]struct {
		host            string
		cookies, values []string
		token           string
	}{
		"a new one":               {"levy.example", []string{browser.HostSessionCookie}, []string{begun}, begun},
		"set by another host":     {"levy.example", []string{browser.SessionCookie}, []string{begun}, ""},
		"both":                    {"levy.example", []string{browser.SessionCookie, browser.HostSessionCookie}, []string{other, begun}, begun},
		"on the same machine":     {"localhost:8080", []string{browser.SessionCookie}, []string{begun}, begun},
		"without TLS, of another": {"localhost:8080", []string{browser.HostSessionCookie}, []string{begun}, ""},
		"none":                    {"levy.example", nil, nil, ""},
	} {
		r := httptest.NewRequest(http.MethodPost, "/", nil)
		r.Host = c.host
		for i, cookie := range c.cookies {
			r.AddCookie(&http.Cookie{Name: cookie, Value: c.values[i]})
		}
		token, ok := browser.SessionOf(r)
		require.Equal(t, c.token, token, name)
		require.Equal(t, c.token != "", ok, name)
	}
}

func TestOnlyAPageOfThisServiceHasTheSameOrigin(t *testing.T) {
	t.Parallel()
	for name, request := range map[string]struct {
		site, origin string
		same         bool
	}{
		"this service":             {"same-origin", "", true},
		"another host of the site": {"same-site", "", false},
		"another site":             {"cross-site", "https://levy.example", false},
		"typed by a person":        {"none", "", false},
		"the origin alone":         {"", "https://levy.example", true},
		"another origin alone":     {"", "https://other.example", false},
		"neither":                  {"", "", false},
		"an opaque origin":         {"", "null", false},
	} {
		r := httptest.NewRequest(http.MethodPost, "https://levy.example/sign-in", nil)
		r.Header.Set("Sec-Fetch-Site", request.site)
		r.Header.Set("Origin", request.origin)
		require.Equal(t, request.same, browser.SameOrigin(r), name)
	}
}
