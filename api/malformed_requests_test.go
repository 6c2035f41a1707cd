package api_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A request that cannot be parsed gets a problem like any other, and the connection ends.
func TestARequestThatCannotBeReadGetsAProblem(t *testing.T) {
	t.Parallel()
	in := install(t)
	address, _, _ := in.serve()
	for name, c := range map[string]struct {
		request string
		status  int
		code    string
	}{
		"a broken escape in the path":       {"GET /v1/products/%zz HTTP/1.1\r\nHost: levy\r\n\r\n", 400, "malformed_request"},
		"a cut escape":                      {"GET /v1/products/100% HTTP/1.1\r\nHost: levy\r\n\r\n", 400, "malformed_request"},
		"no host":                           {"GET /healthz HTTP/1.1\r\n\r\n", 400, "malformed_request"},
		"a header without a colon":          {"GET /healthz HTTP/1.1\r\nHost: levy\r\nx\r\n\r\n", 400, "malformed_request"},
		"a version of HTTP that is unknown": {"GET /healthz HTTP/9.9\r\nHost: levy\r\n\r\n", 400, "malformed_request"},
		"an encoding that is unknown": {
			"POST /v1/products HTTP/1.1\r\nHost: levy\r\nTransfer-Encoding: gzip\r\n\r\n", 400, "malformed_request",
		},
		"headers without end": {
			"GET /healthz HTTP/1.1\r\nHost: levy\r\nX-Much: " + strings.Repeat("a", 1<<20+8<<10), 431, "headers_too_large",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := dial(t, address)
			w.send(c.request)
			answer := w.expect(c.status, `"code":"`+c.code+`"`)
			require.Equal(t, "application/problem+json; charset=utf-8", answer.Header.Get("Content-Type"))
			require.NotEmpty(t, answer.Header.Get("X-Request-Id"))
			require.True(t, answer.Close)
		})
	}
}
