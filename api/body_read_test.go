package api

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/service"
)

// bodyRouter serves requests of a key of its own.
func bodyRouter(t *testing.T) http.Handler {
	b := setupTransactions(t)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Set("X-API-KEY", b.key)
		r.Header.Set("x-organization-id", b.scope.OrganizationID)
		b.handler.ServeHTTP(w, r)
	})
}

// codeOf returns the code of a problem; empty for another answer.
func codeOf(t *testing.T, r *httptest.ResponseRecorder) string {
	if r.Code < http.StatusMultipleChoices {
		return ""
	}
	var p struct{ Code string }
	require.NoError(t, json.Unmarshal(r.Body.Bytes(), &p), r.Body.String())
	return p.Code
}

func TestBodyIsReadWithinItsLimit(t *testing.T) {
	t.Parallel()
	router := bodyRouter(t)
	body := `{"description":"` + strings.Repeat("x", int(service.DefaultBodyLimit)) + `"}`
	for name, announced := range map[string]int64{"announced": int64(len(body)), "not announced": -1, "lying": 10} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			request := httptest.NewRequest(http.MethodPost, "/v1/transactions", strings.NewReader(body))
			request.Header.Set("Content-Type", "application/json")
			request.ContentLength = announced
			r := httptest.NewRecorder()
			router.ServeHTTP(r, request)
			code := codeOf(t, r)
			require.Equal(t, "payload_too_large", code)
			require.Equal(t, "close", r.Header().Get("Connection"))
			require.Contains(t, r.Body.String(), `"limit_bytes":1048576`)
		})
	}
}

// A sale of a thousand lines has 2 MiB in the form of an answer.
func TestATransactionCanBeSentBackAsItWasRead(t *testing.T) {
	t.Parallel()
	router := bodyRouter(t)
	for _, path := range []string{"/v1/transactions/a", "/v1/transactions/a/credit_notes/b"} {
		r := httptest.NewRecorder()
		router.ServeHTTP(r, httptest.NewRequest(http.MethodPut, path, strings.NewReader(strings.Repeat(" ", 2<<20))))
		require.NotEqual(t, "payload_too_large", codeOf(t, r), path)
	}
}

func TestMediaType(t *testing.T) {
	t.Parallel()
	const valid = `{"external_id":"ORDER-1","type":"SALE","date":"2026-05-15T10:00:00Z",` +
		`"customer":{"external_id":"C-1","name":"Ada"},` +
		`"addresses":[{"type":"SHIP_TO","state":"NY","country":"US"}],` +
		`"transaction_items":[{"date":"2026-05-15T10:00:00Z","external_product_id":"P-1","quantity":1,"amount":100}]}`
	router := bodyRouter(t)
	for name, row := range map[string]struct {
		header map[string]string
		body   string
		want   string
	}{
		"json":          {map[string]string{"Content-Type": "application/json"}, valid, ""},
		"json in UTF-8": {map[string]string{"Content-Type": "application/json; charset=UTF-8"}, valid, ""},
		"json in UTF-16": {
			map[string]string{"Content-Type": "application/json; charset=utf-16"}, valid,
			"unsupported_media_type",
		},
		"text": {map[string]string{"Content-Type": "text/plain"}, valid, "unsupported_media_type"},
		"form": {
			map[string]string{"Content-Type": "application/x-www-form-urlencoded"}, "a=b",
			"unsupported_media_type",
		},
		"gzip": {
			map[string]string{"Content-Type": "application/json", "Content-Encoding": "gzip"}, valid,
			"unsupported_media_type",
		},
		"identity": {
			map[string]string{"Content-Type": "application/json", "Content-Encoding": "identity"}, valid, "",
		},
		"no type, json":          {nil, valid, ""},
		"no type, something":     {nil, "a=b", "unsupported_media_type"},
		"no type, nothing":       {nil, "", "invalid_json"},
		"no type, no object":     {nil, "[1]", "invalid_json"},
		"no type, a key twice":   {nil, `{"a":1,"a":2}`, "invalid_json"},
		"no type, invalid field": {nil, "{}", "validation_failed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			request := httptest.NewRequest(http.MethodPost, "/v1/transactions", strings.NewReader(row.body))
			for k, v := range row.header {
				request.Header.Set(k, v)
			}
			r := httptest.NewRecorder()
			router.ServeHTTP(r, request)
			code := codeOf(t, r)
			require.Equal(t, row.want, code)
		})
	}
}
