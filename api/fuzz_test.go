package api

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/api/openapi"
	"levy/api/problem"
	"levy/models"
)

// FuzzQuery: every query string is refused as a client's mistake, or binds.
func FuzzQuery(f *testing.F) {
	for _, query := range []string{
		"", "page=2&size=100", "limit=10&offset=9223372036854775807", "order_by=-date&search_query=%25_%5C", "status=COMMITTED,PENDING", "date__gte=2026-05-15&date__lte=2026-05-14T10:00:00%2B05:00",
		"startDate=2026-05-15T10:00:00+05:00", "page=1&page=1", "%zz=1", "page=%00", "a=1&&&b", "country=US,,CA", "marketplace=TRUE", "order_by=(select 1)", "processing_status__in=,", "date__gte=0001-01-01T00:00:00-14:00",
	} {
		f.Add(query)
	}
	validator, err := sharedValidator()
	require.NoError(f, err)
	op := validator.operations["GET /v1/transactions"]
	f.Fuzz(func(t *testing.T, query string) {
		run := validator.checker.Begin(validatorNow)
		defer validator.checker.End(run)
		if refusal := run.Check(op.request, nil, query, false); refusal != nil {
			require.Equal(t, 400, problem.StatusOf(refusal.Code))
			require.LessOrEqual(t, len(refusal.Errors), problem.MaxFieldErrors)
			return
		}
		var bound openapi.ListTransactionsParams
		require.NoError(t, openapi.Decode(run.Params(), &bound), string(run.Params()))
	})
}

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
		request, err := http.ReadRequest(bufio.NewReader(strings.NewReader("POST / HTTP/1.1\r\nHost: levy\r\nIdempotency-Key: " + key + "\r\n\r\n")))
		require.NoError(t, err)
		require.Equal(t, []string{key}, request.Header.Values("Idempotency-Key"))
		claim := func(organizationID, body string) models.Claim {
			return claimOf(request, &call{scope: models.Scope{OrganizationID: organizationID}}, key, []byte(body))
		}
		first, repeated := claim("org_1", "{}"), claim("org_1", "{}")
		require.Equal(t, first, repeated)
		require.NotEqual(t, first, claim("org_2", "{}"))
		require.NotEqual(t, first, claim("org_1", "{ }"))
	})
}

// FuzzCell: a cell of an export is read back by others as it was written, is no formula,
// and gives its text back to an import.
func FuzzCell(f *testing.F) {
	for _, text := range []string{"", "text", "=cmd()", "'=a", "''", "-1", "+", "@", "\ta", "\r\n", `"`, "a,b", " a ", "\n=1", "'", "ü"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "\r\n") { // other readers make one character of them
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
		require.Equal(t, text, unguarded(cell))
	})
}
