package api

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"levy/api/limit"
	"levy/contract/validate"
)

// bodyRouter reads and validates the bodies of an operation on a path.
func bodyRouter(t *testing.T, method, path, operation string) *gin.Engine {
	gin.SetMode(gin.ReleaseMode)
	all, err := compileOperations(validate.Options{})
	require.NoError(t, err)
	s := &Server{validator: all, bodies: limit.NewTenantQuota(largeBodies, largeBodiesOfOne), now: time.Now}
	router := gin.New()
	router.Handle(method, path, func(c *gin.Context) {
		op, in := all.byID[operation], &Input{Path: pathOf(c), Untyped: contentTypeMissing(c), out: &Outcome{}}
		done, err := s.readInput(c, op, in)
		defer done()
		if err == nil {
			var end func()
			end, err = s.validate(c.Request.Context(), op, in, requestParts{})
			defer end()
		}
		if err != nil {
			s.fail(c, err)
			return
		}
		c.Status(http.StatusOK)
	})
	return router
}

// codeOf is the code of a problem; empty for an answer that is none.
func codeOf(t *testing.T, r *httptest.ResponseRecorder) string {
	if r.Code == http.StatusOK {
		return ""
	}
	var p struct{ Code string }
	require.NoError(t, json.Unmarshal(r.Body.Bytes(), &p), r.Body.String())
	return p.Code
}

func TestBodyIsReadWithinItsLimit(t *testing.T) {
	t.Parallel()
	router := bodyRouter(t, http.MethodPost, "/v1/transactions", "createTransaction")
	body := `{"description":"` + strings.Repeat("x", int(defaultBodyLimit)) + `"}`
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

// A sale of a thousand lines has 2 MiB as it is read.
func TestATransactionCanBeSentBackAsItWasRead(t *testing.T) {
	t.Parallel()
	const note = "/credit_notes/:credit_note_id"
	for path, of := range map[string]struct{ parameters, operation string }{
		"/v1/transactions/a":                {":transaction_id", "updateTransaction"},
		"/v1/transactions/a/credit_notes/b": {":original_transaction_id" + note, "updateCreditNote"},
	} {
		router := bodyRouter(t, http.MethodPut, "/v1/transactions/"+of.parameters, of.operation)
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
	router := bodyRouter(t, http.MethodPost, "/v1/transactions", "createTransaction")
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
