package api_test

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

// A browser that came by TLS comes back by TLS alone. A machine's own address, and an answer without TLS, promise nothing.
func TestBrowsersComeBackByTLS(t *testing.T) {
	t.Parallel()
	in := install(t)
	for name, c := range map[string]struct {
		host, proto string
		tls, strict bool
	}{
		"by TLS": {"levy.example", "", true, true}, "by that of a proxy": {"levy.example", "https", false, true},
		"without": {"levy.example", "", false, false}, "without, at a proxy": {"levy.example", "http", false, false},
		"on the same machine": {"localhost:8080", "https", true, false},
	} {
		r := httptest.NewRequest(http.MethodGet, "/healthz", nil)
		r.Host = c.host
		if c.tls {
			r.TLS = &tls.ConnectionState{}
		}
		if c.proto != "" {
			r.Header.Set("X-Forwarded-Proto", c.proto)
		}
		w := httptest.NewRecorder()
		in.handler.ServeHTTP(w, r)
		want := ""
		if c.strict {
			want = "max-age=31536000"
		}
		require.Equal(t, want, w.Header().Get("Strict-Transport-Security"), name)
	}
}
