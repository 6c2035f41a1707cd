package validate

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// checkedBy is the request of a transaction whose check is that one.
func checkedBy(t *testing.T, check Check) func(body string) []string {
	t.Helper()
	raw, err := os.ReadFile("../openapi.gen.json")
	require.NoError(t, err)
	doc, err := ReadDocument(raw)
	require.NoError(t, err)
	const path = "/v1/transactions"
	checker := New(Options{Checks: map[string]Check{"transaction": check}})
	request, err := checker.Compile("POST "+path, doc.Paths[path], doc.Paths[path].Post)
	require.NoError(t, err)
	return func(body string) []string {
		run := checker.Begin(testNow)
		defer checker.End(run)
		refusal := run.Check(t.Context(), request, []byte(body), "", false)
		if refusal == nil {
			return nil
		}
		faults := make([]string, 0, len(refusal.Errors))
		for _, e := range refusal.Errors {
			faults = append(faults, e.Code+" "+e.Path)
		}
		if refusal.Truncated {
			faults = append(faults, "and more")
		}
		return faults
	}
}

// found is a check that finds one fault, which follows from the fields.
func found(path string, of ...string) Check {
	return func(context.Context, time.Time, []byte) []models.Fault {
		return []models.Fault{{Code: models.FieldMismatch, Path: path, Message: "No.", Of: of}}
	}
}

func TestAnObjectWithoutFaultsIsNotCheckedByTheService(t *testing.T) {
	t.Parallel()
	require.Empty(t, checkedBy(t, found("total_amount"))(saleBody(nil)))
}

func TestFaultsThatTheServiceFindsFollowTheOthers(t *testing.T) {
	t.Parallel()
	wrong := saleBody(map[string]any{"currency": 7, "item.amount": "x"})
	const currency, amount, total = "invalid_type currency", "invalid_format transaction_items[0].amount",
		"mismatch total_amount"
	for _, c := range []struct {
		path string
		of   []string
		told bool
	}{
		{"total_amount", nil, true},
		{"total_amount", []string{"date", "transaction_items[].quantity"}, true},
		{"total_amount", []string{"transaction_items[1].amount"}, true},
		{"total_amount", []string{"transaction_items[0].amount"}, false},
		{"total_amount", []string{"transaction_items[].amount"}, false},
		{"total_amount", []string{"transaction_items"}, false},
		{"currency", nil, false},
		{"currency.name", nil, false}, // in a currency where an object is expected
		{"currency_of", nil, true},
	} {
		want := []string{currency, amount}
		if c.told {
			want = append(want, strings.Replace(total, "total_amount", c.path, 1))
		}
		require.ElementsMatch(t, want, checkedBy(t, found(c.path, c.of...))(wrong), "%s of %s", c.path, c.of)
	}
	noList := saleBody(map[string]any{"transaction_items": 7})
	require.Equal(t, []string{"invalid_type transaction_items"},
		checkedBy(t, found("total_amount", "transaction_items[].amount"))(noList), "no list, no amounts")
}

func TestAtMostAHundredFaultsAreReported(t *testing.T) {
	t.Parallel()
	many := func(n int) string {
		items := make([]any, n)
		return saleBody(map[string]any{"transaction_items": items})
	}
	check := checkedBy(t, found("total_amount"))
	require.Equal(t, "mismatch total_amount", check(many(99))[99])
	require.Equal(t, []string{"invalid_type transaction_items[99]", "and more"}, check(many(100))[99:])
	require.Equal(t, []string{"invalid_type transaction_items[99]", "and more"}, check(many(101))[99:])
}

// A check gets the valid fields of an invalid object.
func TestAServiceCheckSeesTheValidFieldsOfAnInvalidObject(t *testing.T) {
	t.Parallel()
	var seen string
	check := checkedBy(t, func(_ context.Context, _ time.Time, body []byte) []models.Fault {
		seen = string(body)
		return nil
	})
	for _, wrong := range []any{7, "x", "", true, []any{7}, map[string]any{"a": 1}, nil, "12345678901234567890"} {
		for _, field := range []string{
			"date", "total_amount", "marketplace", "customer", "addresses", "transaction_items", "shop_date", "currency",
			"item.amount", "item.tax_items", "item.discount_builder", "address.type", "customer.email",
		} {
			body := saleBody(map[string]any{field: wrong, "external_id": 7})
			if wrong == nil {
				body = strings.Replace(saleBody(map[string]any{field: "null", "external_id": 7}), `"null"`, "null", 1)
			}
			check(body)
			require.True(t, json.Valid([]byte(seen)), seen)
			require.NotContains(t, seen, "external_id\":7")
		}
	}
	check(saleBody(map[string]any{
		"external_id": 7, "addresses": []any{7, map[string]any{"type": "SHIP_TO", "state": 7, "city": "Troy"}},
		"transaction_items": []any{nil, map[string]any{"amount": 1}}, "exemptions": []any{},
	}))
	require.Contains(t, seen, `"addresses":[null,{"city":"Troy","type":"SHIP_TO","is_unincorporated":false}]`)
	require.Contains(t, seen, `"transaction_items":[null,{"amount":"1.00"`)
	require.Contains(t, seen, fmt.Sprintf("%q:[]", "exemptions"))
}
