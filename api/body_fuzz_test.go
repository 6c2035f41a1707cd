package api

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"levy/api/openapi"
	"levy/api/problem"
)

// FuzzBody: what the scanner accepts is JSON for others too, and what the
// validator hands on binds without an error.
func FuzzBody(f *testing.F) {
	f.Add([]byte(benchmarkBody))
	f.Add([]byte(saleBody(map[string]any{"description": "\u00fc😀\"\\", "shop_date": "2026-05-15T00:00:00+14:00"})))
	f.Add([]byte(`{"a":[{"b":[1.5e-3,true,null,"\ud83d\ude00"]}],"A\u0000":1}`))
	f.Add([]byte("{\"\u212a\":1,\"k\":2}"))
	validator, err := sharedValidator()
	require.NoError(f, err)
	op := validator.operations["POST /v1/transactions"]
	f.Fuzz(func(t *testing.T, body []byte) {
		run := validator.checker.Begin(validatorNow)
		defer validator.checker.End(run)
		refusal := run.Check(op.request, body, "", false)
		if refusal != nil {
			require.LessOrEqual(t, len(refusal.Errors), problem.MaxFieldErrors)
			require.Equal(t, 400, problem.StatusOf(refusal.Code))
			if refusal.Code != problem.CodeInvalidJSON {
				require.True(t, json.Valid(body))
			}
			return
		}
		require.True(t, json.Valid(body))
		require.True(t, utf8.Valid(run.Body()))
		var bound openapi.TransactionCreate
		require.NoError(t, openapi.Decode(run.Body(), &bound), string(run.Body()))
		require.NotEmpty(t, strings.TrimSpace(bound.ExternalID))
	})
}
