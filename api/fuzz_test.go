package api

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// FuzzIdempotencyKey: an accepted key passes through HTTP as it is, and stands for one
// organization and one request.
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
			return claimOf(&call{scope: models.Scope{OrganizationID: organizationID}}, in)
		}
		first, repeated := claim("org_1", "{}"), claim("org_1", "{}")
		require.Equal(t, first, repeated)
		require.NotEqual(t, first, claim("org_2", "{}"))
		require.NotEqual(t, first, claim("org_1", "{ }"))
	})
}

// FuzzCell: other programs read a cell of an export as it was written, it is no formula, and an import restores its
// text.
func FuzzCell(f *testing.F) {
	for _, text := range []string{
		"", "text", "=cmd()", "'=a", "''", "-1", "+", "@", "\ta", "\r\n", `"`, "a,b", " a ", "\n=1", "'", "ü",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "\r\n") { // other readers read them as one character
			return
		}
		var out bytes.Buffer
		w := &csvWriter{to: bufio.NewWriter(&out)}
		w.text("first")
		w.text(text)
		require.NoError(t, w.end())
		require.NoError(t, w.to.Flush())
		rows, err := csv.NewReader(&out).ReadAll()
		require.NoError(t, err)
		require.Len(t, rows, 1)
		require.Len(t, rows[0], 2)
		cell := rows[0][1]
		if cell != "" {
			require.NotContains(t, "=+-@\t\r", cell[:1], "a formula")
		}
		require.NotRegexp(t, "[;\t|\r\n][=+@-]", cell, "a formula after a character that may separate cells")
		require.Equal(t, text, unguarded(cell))
	})
}
