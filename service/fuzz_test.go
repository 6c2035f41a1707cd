package service

import (
	"bufio"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/service/internal/call"
)

// FuzzIdempotencyKey checks that an accepted key passes through HTTP unchanged, and that its claim depends
// on organization and request.
func FuzzIdempotencyKey(f *testing.F) {
	f.Add("a-key")
	f.Add("")
	f.Add("two words")
	f.Add("\x00")
	f.Add("ключ")
	f.Add(strings.Repeat("k", maxIdempotencyKey+1))
	f.Fuzz(func(t *testing.T, key string) {
		if !acceptableKey(key) {
			return
		}
		request, err := http.ReadRequest(bufio.NewReader(strings.NewReader("POST / HTTP/1.1\r\nHost: " +
			"levy\r\nIdempotency-Key: " + key + "\r\n\r\n")))
		require.NoError(t, err)
		require.Equal(t, []string{key}, request.Header.Values("Idempotency-Key"))
		claim := func(organizationID, body string) models.Claim {
			in := &Input{Method: request.Method, EscapedPath: "/", Keys: []string{key}, Body: []byte(body)}
			return claimOf(&call.Call{Scope: models.Scope{OrganizationID: organizationID}}, in)
		}
		first, repeated := claim("org_1", "{}"), claim("org_1", "{}")
		require.Equal(t, first, repeated)
		require.NotEqual(t, first, claim("org_2", "{}"))
		require.NotEqual(t, first, claim("org_1", "{ }"))
	})
}
