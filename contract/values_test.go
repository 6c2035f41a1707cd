package contract

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestBindingComparesNamesExactly(t *testing.T) {
	t.Parallel()
	var body ProductCreate
	require.NoError(t, Decode([]byte(`{"name":"a","Name":"b","NAME":"c"}`), &body))
	require.Equal(t, "a", body.Name)
	require.Error(t, Decode([]byte(`{"name":"a","name":"b"}`), &body))
}

func TestBindingDistinguishesAbsentFromNull(t *testing.T) {
	t.Parallel()
	var body ProductUpdate
	require.NoError(t, Decode([]byte(`{"description":null,"sku":["a"]}`), &body))
	require.True(t, body.Description.IsNull())
	require.False(t, body.TaxExempt.IsSpecified())
	sku, err := body.Sku.Get()
	require.NoError(t, err)
	require.Equal(t, []string{"a"}, sku)
}

func TestBindingOfEveryKind(t *testing.T) {
	t.Parallel()
	var body TransactionCreate
	require.NoError(
		t,
		Decode(
			[]byte(`{"date":"2026-05-15T10:00:00.5Z","shop_date":"2026-05-15","total_amount":"12.30",`+
				`"transaction_items":[{"quantity":"1.0"}]}`),
			&body,
		),
	)
	require.Equal(t, time.Date(2026, 5, 15, 10, 0, 0, 500_000_000, time.UTC), body.Date)
	require.Equal(t, "2026-05-15", body.ShopDate.String())
	require.Equal(t, "12.30", body.TotalAmount.String())
	require.Equal(t, "1.0", body.TransactionItems[0].Quantity.String())
	require.Nil(t, body.RequiresExemption)

	var params ListTransactionsParams
	require.NoError(
		t,
		Decode(
			[]byte(`{"page":2,"status":["PENDING"],"marketplace":false,"endDate":"2026-05-15T23:59:59.999999Z"}`),
			&params,
		),
	)
	require.Equal(t, 2, params.Page)
	require.Equal(t, []TransactionStatus{TransactionStatusPENDING}, params.Status)
	require.False(t, *params.Marketplace)
	require.Equal(t, 999_999_000, params.EndDate.Nanosecond())
}

// manyLines is an estimate that is as large as those of shops.
func manyLines(n int) Estimate {
	e := Estimate{Currency: "USD", TotalTaxAmount: "8.25", Warnings: []TaxWarning{}}
	for i := range n {
		e.TransactionItems = append(e.TransactionItems, EstimateItem{
			Index: i, Amount: "100.00", TaxAmount: "8.25", TaxItems: make([]EstimatedTaxItem, 3),
		})
	}
	return e
}

// The page of one has the estimate twice, byte by byte, whatever is in the buffer before and however it grows.
func TestAnEstimateIsAddedTwice(t *testing.T) {
	t.Parallel()
	for _, lines := range []int{0, 1, 40} {
		estimate := manyLines(lines)
		raw, err := Encode(estimate)
		require.NoError(t, err)
		for _, room := range []int{0, len(raw), 4 * len(raw)} {
			to := bytes.NewBuffer(make([]byte, 0, room))
			require.NoError(t, EncodeAnswer(to, estimate))
			//nolint:testifylint // the bytes, not only the values
			require.Equal(t, fmt.Sprintf(`{"items":[%s],"total":1,"page":1,"size":1,"pages":1,%s`, raw, raw[1:]), to.String())
		}
	}
	to := bytes.NewBufferString("before")
	require.NoError(t, EncodeAnswer(to, map[string]int{"b": 1, "a": 2}))
	require.Equal(t, `before{"a":2,"b":1}`, to.String())
}

func BenchmarkEncodeAnswer(b *testing.B) {
	estimate := manyLines(5)
	to := &bytes.Buffer{}
	for b.Loop() {
		to.Reset()
		require.NoError(b, EncodeAnswer(to, estimate))
	}
	b.ReportAllocs()
}
