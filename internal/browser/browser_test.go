package browser_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/internal/browser"
)

func TestCookiesNeedTLSButOnThisMachine(t *testing.T) {
	t.Parallel()
	for host, secure := range map[string]bool{
		"levy.example": true, "levy.example:8080": true, "10.0.0.1": true, "localhost.example": true,
		"localhost": false, "localhost:8080": false, "127.0.0.1:8080": false, "[::1]:8080": false,
	} {
		r := httptest.NewRequest(http.MethodPost, "/", nil)
		r.Host = host
		cookie := browser.Session(r, "token", time.Hour)
		require.Equal(t, secure, cookie.Secure, host)
		require.True(t, cookie.HttpOnly)
		require.Equal(t, 3600, cookie.MaxAge)
		require.Equal(t, -1, browser.Session(r, "", time.Hour).MaxAge, "without a token it is deleted")
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
