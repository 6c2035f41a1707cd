package imports_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// A file that cannot contain transactions is refused before an import is created.
func TestFilesThatAreRefused(t *testing.T) {
	t.Parallel()
	s := open(t, testbed.Options{})
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err := w.Write([]byte(sales(1)))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	for name, c := range map[string]struct {
		contentType, body string
		status            int
		says              string
	}{
		"no CSV":                {"application/json", "{}", 415, "text/csv"},
		"another encoding":      {"text/csv; charset=latin1", sales(1), 415, "text/csv"},
		"gzip":                  {"text/csv", packed.String(), 400, "body"},
		"gzip, as it is called": {"application/gzip", packed.String(), 415, "not compressed"},
		"UTF-16":                {"text/csv", "\xff\xfee\x00x\x00", 400, "UTF-16"},
		"nothing but lines":     {"text/csv", "\n\r\n\n", 400, "empty"},
		"10,000 columns":        {"text/csv", strings.Repeat("a,", 10_000) + "\n", 400, "256 cells"},
		"a header without end":  {"text/csv", strings.Repeat("a", 300_000), 400, "128 KiB"},
		"an open quote":         {"text/csv", "\"" + sales(1), 400, "quotes"},
		"a column twice":        {"text/csv", "type," + sales(1), 400, "already"},
		"an unknown column":     {"text/csv", "=cmd()," + sales(1), 400, `There is no column \"=cmd()\"`},
		"a column is missing": {"text/csv", strings.Replace(sales(1), "customer_external_id", "customer_name_", 1),
			400, "customer_external_id is missing"},
	} {
		answer, _ := s.send(http.MethodPost, imports, c.contentType, c.body)
		require.Equal(t, c.status, answer.Status, "%s: %s", name, answer.Body)
		require.Contains(t, string(answer.Body), c.says, name)
	}
	require.Zero(t, s.bed.Count("SELECT count(*) FROM transaction_imports WHERE status <> 'UPLOADING'"))
	s.bed.Worker.Start()
	s.bed.Eventually("no rows are left of them", s.none("SELECT count(*) FROM transaction_imports"))
	require.Zero(t, s.bed.Count("SELECT count(*) FROM transaction_import_pieces"))
}

// Whatever a row contains, no other row is rejected for it.
func TestHostileRowsAffectNoOther(t *testing.T) {
	t.Parallel()
	s := open(t, testbed.Options{})
	s.bed.Worker.Start()
	with := func(id, name string) string {
		return strings.Replace(saleRow(id, "1.00"), "C-1,Ada", "C-"+id+","+name, 1)
	}
	good := []string{"=cmd|' /C calc'!A0", "'; DROP TABLE transactions; --", "{{7*7}}${jndi:ldap://x}",
		"\"a \"\"b\"\", c\"", "\u202eadA", "'=1+1"}
	var file strings.Builder
	file.WriteString(header)
	for i, name := range good {
		file.WriteString(with(fmt.Sprintf("GOOD-%d", i), name))
	}
	file.WriteString(with("LONG", strings.Repeat("x", 20<<20)))
	file.WriteString(with("OPEN", "\"x"))
	file.WriteString(with("NUL", "a\x00b"))
	file.WriteString(with("WIDE", strings.Repeat(",", 10_000)))
	file.WriteString(with("LATER", "Ada"))
	file.WriteString(with("LAST", "\"never closed"))
	done := s.finished(s.upload(file.String()).ID, "COMPLETED")
	require.Equal(t, []int{len(good) + 1, 5}, []int{done.Accepted, done.Rejected}, "%+v", done.Problems)
	for i, name := range []string{good[0], good[1], good[2], "a \"b\", c", good[4], "=1+1"} {
		require.Equal(t, 1, s.bed.Count(`SELECT count(*)
			FROM transactions t
			JOIN customers c ON c.organization_id = t.organization_id AND c.id = t.customer_id
			WHERE t.external_id = $1 AND c.name = $2`,
			fmt.Sprintf("GOOD-%d", i), name), "stored as it is: %s", name)
	}
	s.processed()
}

// An interrupted upload is no import, and is deleted.
func TestAnInterruptedUploadIsDeleted(t *testing.T) {
	t.Parallel()
	s := open(t, testbed.Options{})
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(s.bed.API.URL(), "http://"))
	require.NoError(t, err)
	_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: levy\r\nX-API-KEY: %s\r\nx-organization-id: "+
		"%s\r\nContent-Type: text/csv\r\nContent-Length: 10000000\r\n\r\n%s",
		imports, s.key, s.organization, sales(20_000))
	require.NoError(t, err)
	s.bed.Eventually("a piece is stored", func(context.Context) (bool, error) {
		return s.bed.Count("SELECT count(*) FROM transaction_import_pieces") > 0, fmt.Errorf("none")
	})
	require.NoError(t, conn.Close())
	s.bed.Eventually("it counts as abandoned", func(context.Context) (bool, error) {
		return s.bed.Count("SELECT count(*) FROM transaction_imports WHERE next_check_at <= now()") == 1,
			fmt.Errorf("not yet")
	})
	require.Contains(t, string(s.call(http.MethodGet, imports, "", "", 200).Body), `"total":0`)
	s.bed.Worker.Start()
	s.bed.Eventually("it is deleted", s.none("SELECT count(*) FROM transaction_imports"))
	require.Zero(t, s.bed.Count("SELECT count(*) FROM transaction_import_pieces"))
}

// The same key with the same file is one request, with another file it is refused.
func TestAnUploadIsRepeatable(t *testing.T) {
	t.Parallel()
	s := open(t, testbed.Options{})
	post := func(key, file string) (int, http.Header, string) {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.bed.API.URL()+imports,
			strings.NewReader(file))
		require.NoError(t, err)
		request.Header = http.Header{"X-Api-Key": {s.key}, "X-Organization-Id": {s.organization},
			"Content-Type": {"text/csv"}, "Idempotency-Key": {key}}
		response, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		defer response.Body.Close()
		var body bytes.Buffer
		_, err = body.ReadFrom(response.Body)
		require.NoError(t, err)
		return response.StatusCode, response.Header, body.String()
	}
	status, _, first := post("key-1", sales(3))
	require.Equal(t, 202, status, first)
	status, replayed, again := post("key-1", sales(3))
	require.Equal(t, 202, status)
	require.Equal(t, "true", replayed.Get("Idempotency-Replayed"))
	require.Equal(t, first, again)
	status, _, other := post("key-1", sales(4))
	require.Equal(t, 409, status)
	require.Contains(t, other, "idempotency_key_reused")
	for n := range 2 {
		status, _, body := post(fmt.Sprintf("key-%d", n+2), sales(n+5))
		require.Equal(t, 202, status, body)
	}
	status, limited, body := post("key-9", sales(9))
	require.Equal(t, 429, status)
	require.Contains(t, body, `"limit_type":"concurrency"`)
	require.NotEmpty(t, limited.Get("Retry-After"))
	s.bed.Worker.Start()
	s.bed.Eventually("only the three imports are left", func(context.Context) (bool, error) {
		n := s.bed.Count("SELECT count(*) FROM transaction_imports")
		return n == 3, fmt.Errorf("%d", n)
	})
}
