package api_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

const widget = `{"external_id":"P-1","name":"Widget","product_category":"PHYSICAL"}`

// A refusal that does not depend on the body does not wait for it.
func TestRefusalsDoNotWaitForTheBody(t *testing.T) {
	t.Parallel()
	in := install(t)
	address, _, _ := in.serve()
	stranger, lost, json := credentials{
		in.root.organizationID, "wrong",
	}, credentials{models.NewID(models.PrefixOrganization), in.root.key}, "Content-Type: application/json"
	for name, c := range map[string]struct {
		as           credentials
		path, header string
		status       int
		code         string
	}{
		"a wrong key": {stranger, "/v1/products", json, 401, "unauthenticated"},
		"no organization": {
			credentials{"", in.root.key}, "/v1/products", json, 400, "organization_header_missing",
		},
		"an organization out of reach": {lost, "/v1/products", json, 404, "organization_not_found"},
		"a type that is not JSON": {
			in.root, "/v1/products", "Content-Type: text/plain", 415, "unsupported_media_type",
		},
		"no such path":    {in.root, "/v1/nothing", json, 404, "route_not_found"},
		"not this method": {in.root, "/healthz", json, 405, "method_not_allowed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			request := head(c.as, c.path, c.header, "Content-Length: 67")
			waiting := dial(t, address)
			waiting.send(request)
			require.True(t, waiting.expect(c.status, c.code).Close, "the next bytes on the connection are unknown")
			waiting.ends()

			asking := dial(t, address)
			asking.send(head(c.as, c.path, c.header, "Content-Length: 67", "Expect: 100-continue"))
			require.True(t, asking.expect(c.status, c.code).Close, "it was not asked to continue")

			sending := dial(t, address)
			for range 2 {
				sending.send(request, widget)
				require.False(t, sending.expect(c.status, c.code).Close, "a client that has sent its body keeps its connection")
			}
			sending.send("GET /healthz HTTP/1.1\r\nHost: levy\r\n\r\n")
			sending.expect(200, "ok")
		})
	}
	t.Run("bytes after the answer are no request", func(t *testing.T) {
		t.Parallel()
		const hidden = "GET /healthz HTTP/1.1\r\nHost: levy\r\n\r\n"
		conn := dial(t, address)
		conn.send(head(stranger, "/v1/products", "Content-Length: 500"))
		conn.expect(401, "unauthenticated")
		_, _ = io.WriteString(conn, strings.Repeat(hidden, 20)) // the server may have gone
		answers, _ := io.ReadAll(conn.reader)
		require.Empty(t, answers)
	})
	t.Run("a client that sends a large body before it reads gets the refusal", func(t *testing.T) {
		t.Parallel()
		const size = 24 << 20 // more than lies between two programs
		conn := dial(t, address)
		conn.send(head(in.root, "/v1/transactions/batch", "Content-Type: text/plain",
			fmt.Sprintf("Content-Length: %d", size)))
		conn.expect(415, "unsupported_media_type")
		conn.send(strings.Repeat("x", size))
		conn.ends()
	})
	t.Run("a body that the server asks for arrives", func(t *testing.T) {
		t.Parallel()
		conn := dial(t, address)
		conn.send(head(in.root, "/v1/products", json, "Content-Length: 67", "Expect: 100-continue"))
		told, err := http.ReadResponse(conn.reader, nil)
		require.NoError(t, err)
		require.Equal(t, 100, told.StatusCode)
		conn.send(widget)
		require.False(t, conn.expect(200, "P-1").Close)
		conn.send(head(in.root, "/v1/products", json, "Content-Length: 67"), widget)
		require.False(t, conn.expect(409, "duplicate_external_id").Close)
	})
	t.Run("HTTP/2", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, 401, waitingOnHTTP2(t, address, stranger))
	})
}
