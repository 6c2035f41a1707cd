package validate

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/contract/problem"
)

// FuzzBody: other readers accept as JSON what the scanner accepts, and what the validator passes on binds without an
// error.
func FuzzBody(f *testing.F) {
	f.Add([]byte(benchmarkBody))
	f.Add([]byte(saleBody(map[string]any{"description": "\u00fc😀\"\\", "shop_date": "2026-05-15T00:00:00+14:00"})))
	f.Add([]byte(`{"a":[{"b":[1.5e-3,true,null,"\ud83d\ude00"]}],"A\u0000":1}`))
	f.Add([]byte("{\"\u212a\":1,\"k\":2}"))
	f.Add([]byte(saleBody(map[string]any{"item.amount": "-", "addresses": []any{nil, 1, map[string]any{"type": 7}}})))
	v := setup(f)
	request := v.requests["POST /v1/transactions"]
	f.Fuzz(func(t *testing.T, body []byte) {
		run := v.checker.Begin(testNow)
		defer v.checker.End(run)
		refusal := run.Check(t.Context(), request, body, "", false)
		if refusal != nil {
			require.LessOrEqual(t, len(refusal.Errors), problem.MaxFieldErrors)
			require.Equal(t, 400, problem.StatusOf(refusal.Code))
			if refusal.Code == problem.CodeInvalidJSON {
				return
			}
			require.True(t, json.Valid(body))
			if !refusal.Truncated { // its valid parts can be read
				var bound contract.TransactionCreate
				require.NoError(t, contract.Decode(run.Body(), &bound), string(run.Body()))
			}
			return
		}
		require.True(t, json.Valid(body))
		require.True(t, utf8.Valid(run.Body()))
		var bound contract.TransactionCreate
		require.NoError(t, contract.Decode(run.Body(), &bound), string(run.Body()))
		require.NotEmpty(t, strings.TrimSpace(bound.ExternalID))
	})
}

// FuzzQuery: every query string is refused as a client's mistake, or binds.
func FuzzQuery(f *testing.F) {
	for _, query := range []string{
		"", "page=2&size=100", "limit=10&offset=9223372036854775807", "order_by=-date&search_query=%25_%5C",
		"status=COMMITTED,PENDING", "date__gte=2026-05-15&date__lte=2026-05-14T10:00:00%2B05:00",
		"startDate=2026-05-15T10:00:00+05:00", "page=1&page=1", "%zz=1", "page=%00", "a=1&&&b", "country=US,,CA",
		"marketplace=TRUE", "order_by=(select 1)", "processing_status__in=,", "date__gte=0001-01-01T00:00:00-14:00",
	} {
		f.Add(query)
	}
	v := setup(f)
	request := v.requests["GET /v1/transactions"]
	f.Fuzz(func(t *testing.T, query string) {
		run := v.checker.Begin(testNow)
		defer v.checker.End(run)
		if refusal := run.Check(t.Context(), request, nil, query, false); refusal != nil {
			require.Equal(t, 400, problem.StatusOf(refusal.Code))
			require.LessOrEqual(t, len(refusal.Errors), problem.MaxFieldErrors)
			return
		}
		var bound contract.ListTransactionsParams
		require.NoError(t, contract.Decode(run.Params(), &bound), string(run.Params()))
	})
}
