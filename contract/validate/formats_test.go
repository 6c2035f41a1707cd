package validate

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"
)

// formatted runs a format of the contract on a text, as a check does for a value.
func formatted(t *testing.T, name, text string) (canonical []byte, code string) {
	t.Helper()
	checker := New(Options{})
	r := checker.Begin(time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC))
	quoted, _ := jsontext.AppendQuote(nil, text) // a fuzzed text need not be UTF-8
	r.raw = quoted[1 : len(quoted)-1]
	canonical, code, message := formats[name](r, &schema{}, nil, []byte(text))
	require.Equal(t, code == "", message == "", "a fault has a message")
	return bytes.Clone(canonical), code
}

// timeFormats are those that read a moment or a day.
var timeFormats = map[string]string{
	"date": time.DateOnly, "date-time": time.RFC3339Nano, "shop-date": time.RFC3339Nano,
	"from-instant": time.RFC3339Nano, "to-instant": time.RFC3339Nano, "past-date": time.DateOnly,
	"birth-date": time.DateOnly,
}

// FuzzTimes checks that every accepted text is a moment between the years 1900 and 2100 that the standard library reads
// as the same moment. The canonical form must be accepted as that moment as well.
func FuzzTimes(f *testing.F) {
	for _, text := range []string{
		"2026-05-15", "2024-02-29", "2023-02-29", "2026-05-15T10:00:00Z", "2026-05-15T10:00:00.123456789+05:30",
		"2026-05-15T10:00:00", "2026-05-15T24:00:00Z",
		"2026-05-15T10:00:60Z", "9999-12-31T23:59:59-12:00", "0000-01-01", "2026-05-15t10:00:00z", "2026-05-15T10:00:00,5Z",
		"2026-05-15T10:00:00-00:00", "2026-05-15T10:00:00+24:00", "٢026-05-15", "1234",
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
		"ein": {"12-3456789", "123456780", "****6789"}, "naics": {"541511", "54"},
		"ssn":             {"123-45-6789", "900-70-0000", "000-12-3456", "****6789"},
		"drivers-license": {"D1234567", "A-12 34"}, "aba-routing": {"021000021", "****0021", "111111111"},
		"sst-id":       {"S12345678", "s12345678", "S1234567"},
		"bank-account": {"000123456789", "****6789", "12 34"},
		"email":        {"ada@example.com", "a@b@c", "@", "a@b..c"}, "phone": {"+1 (212) 555-0100", "0000000"},
		"timezone": {"America/New_York", "../etc/passwd", "Local", ""},
	} {
		for _, text := range texts {
			f.Add(name, text)
		}
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		if _, ok := formats[name]; !ok || timeFormats[name] != "" || name == "product-category" ||
			!utf8.ValidString(text) {
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
