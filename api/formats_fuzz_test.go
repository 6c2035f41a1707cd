package api

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"levy/api/openapi"
	"levy/models"
)

// formatted runs a format of the contract on a text, as the validator does for a value.
func formatted(t *testing.T, name, text string) (canonical []byte, code string) {
	t.Helper()
	validator, err := sharedValidator()
	require.NoError(t, err)
	r := validator.runs.Get().(*run)
	defer validator.release(r)
	r.reset(validatorNow)
	r.raw = appendEscaped(nil, text)
	canonical, code, message := formats[name](r, &schema{}, nil, []byte(text))
	require.Equal(t, code == "", message == "", "a fault has a message")
	return bytes.Clone(canonical), code
}

// timeFormats are those that read a moment or a day.
var timeFormats = map[string]string{"date": time.DateOnly, "date-time": time.RFC3339Nano, "shop-date": time.RFC3339Nano, "from-instant": time.RFC3339Nano, "to-instant": time.RFC3339Nano, "past-date": time.DateOnly, "birth-date": time.DateOnly}

// FuzzTimes: what is accepted is a real moment between the years 1900 and 2100, the one
// that others read, too, and its canonical form is accepted as the same.
func FuzzTimes(f *testing.F) {
	for _, text := range []string{
		"2026-05-15", "2024-02-29", "2023-02-29", "2026-05-15T10:00:00Z", "2026-05-15T10:00:00.123456789+05:30", "2026-05-15T10:00:00", "2026-05-15T24:00:00Z",
		"2026-05-15T10:00:60Z", "9999-12-31T23:59:59-12:00", "0000-01-01", "2026-05-15t10:00:00z", "2026-05-15T10:00:00,5Z", "2026-05-15T10:00:00-00:00", "2026-05-15T10:00:00+24:00", "٢026-05-15", "1234",
	} {
		for name := range timeFormats {
			f.Add(name, text)
		}
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		layout, ok := timeFormats[name]
		if !ok || !utf8.ValidString(text) {
			return
		}
		canonical, code := formatted(t, name, text)
		if code != "" {
			return
		}
		var read string
		require.NoError(t, json.Unmarshal(canonical, &read))
		if name == "birth-date" && len(text) == 4 {
			require.Equal(t, text, read, "a year, as it is answered")
			return
		}
		at, err := time.Parse(layout, read)
		if err != nil {
			at, err = time.Parse(time.DateOnly, read)
		}
		require.NoError(t, err, "%q became %s", text, canonical)
		require.True(t, at.UTC().Year() >= 1899 && at.UTC().Year() <= 2101, "%q became %s", text, canonical)
		if want, err := time.Parse(time.RFC3339Nano, text); err == nil && name == "date-time" {
			require.True(t, want.Truncate(time.Microsecond).Equal(at), "%q became %s", text, canonical)
		}
		again, code := formatted(t, name, read)
		require.Empty(t, code, "%q became %s", text, canonical)
		require.Equal(t, string(canonical), string(again))
	})
}

// FuzzPersonalFormats: what is accepted is text of JSON, and its canonical form is
// accepted as the same.
func FuzzPersonalFormats(f *testing.F) {
	for name, texts := range map[string][]string{
		"ein": {"12-3456789", "123456780", "****6789"}, "naics": {"541511", "54"}, "ssn": {"123-45-6789", "900-70-0000", "000-12-3456", "****6789"},
		"drivers-license": {"D1234567", "A-12 34"}, "aba-routing": {"021000021", "****0021", "111111111"}, "bank-account": {"000123456789", "****6789", "12 34"},
		"email": {"ada@example.com", "a@b@c", "@", "a@b..c"}, "phone": {"+1 (212) 555-0100", "0000000"}, "timezone": {"America/New_York", "../etc/passwd", "Local", ""},
	} {
		for _, text := range texts {
			f.Add(name, text)
		}
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		if _, ok := formats[name]; !ok || timeFormats[name] != "" || name == "product-category" || !utf8.ValidString(text) {
			return
		}
		canonical, code := formatted(t, name, text)
		if code != "" {
			return
		}
		var read string
		require.NoError(t, json.Unmarshal(canonical, &read), "%q became %q", text, canonical)
		again, code := formatted(t, name, read)
		require.Empty(t, code, "%q became %q", text, canonical)
		require.Equal(t, string(canonical), string(again))
	})
}

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
		r := validator.runs.Get().(*run)
		defer validator.release(r)
		r.reset(validatorNow)
		if problem := r.request(op, nil, query, false); problem != nil {
			require.Equal(t, 400, StatusOf(problem.Code))
			require.LessOrEqual(t, len(problem.Errors), MaxFieldErrors)
			return
		}
		var bound openapi.ListTransactionsParams
		require.NoError(t, openapi.Decode(r.params, &bound), string(r.params))
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
