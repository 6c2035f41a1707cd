package api

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/models"
)

// batchOf sends rows and returns the result.
func (b *transactionBundle) batchOf(rows ...string) contract.TransactionBatchResult {
	b.t.Helper()
	answer := b.send(http.MethodPost, "/v1/transactions/batch", `{"transactions":[`+strings.Join(rows, ",")+`]}`)
	require.Equal(b.t, http.StatusOK, answer.Code, answer.Body.String())
	requireContract(b.t, "TransactionBatchResult", answer.Body.Bytes())
	var result contract.TransactionBatchResult
	require.NoError(b.t, contract.Decode(answer.Body.Bytes(), &result))
	return result
}

func TestRowsOfABatchAreIndependent(t *testing.T) {
	t.Parallel()
	b := setupTransactions(t)
	good := saleWith(`{}`)
	result := b.batchOf(good, `7`, saleWith(`{"date":"yesterday","total_amount":-1}`), `{"external_id":"`+
		strings.Repeat("x", 256)+`"}`, `null`,
		saleWith(`{"customer_id":"cust_x","tax_id":7}`), good)
	require.Equal(t, 7, result.Total)
	require.Equal(t, 2, result.Accepted)
	require.Equal(t, 5, result.Rejected)
	for i, want := range [][]string{
		nil, {"body.transactions[1]"}, {"body.transactions[2].date", "body.transactions[2].total_amount"}, nil,
		{"body.transactions[4]"}, {"body.transactions[5].tax_id"}, nil,
	} {
		item := result.Items[i]
		require.Equal(t, i, item.Index)
		require.Equal(t, item.Problem == nil, item.Verdict == contract.TransactionBatchVerdictVerdictACCEPTED)
		require.Equal(t, item.Problem == nil, item.TransactionID != nil)
		if want == nil {
			continue
		}
		require.Equal(t, "validation_failed", item.Problem.Code)
		for n, e := range item.Problem.Errors {
			require.Equal(t, want[n], e.Location)
		}
	}
	require.Nil(t, result.Items[3].ExternalID, "nobody could use it")
	require.NotNil(t, result.Items[2].ExternalID)
	require.Len(t, b.accepted, 2)
	require.Len(t, b.offered, 2)
	for _, d := range b.accepted {
		require.Equal(t, result.BatchID, *d.BatchID)
		require.Equal(t, models.ProcessingNew, d.ProcessingStatus)
	}
	require.True(t, models.IsID(models.PrefixBatch, result.BatchID))
}

// Faults of single fields of a row and faults that follow from several fields are reported together, without those
// of other rows.
func TestAllFaultsOfARowAreReported(t *testing.T) {
	t.Parallel()
	b := setupTransactions(t)
	above := `"transaction_items":[{"external_product_id":"P-1","date":"2026-05-15T10:00:00Z","amount":1,
		"discount_builder":{"applied_to":"TRANSACTION_ITEM","discount_amount":2}}]`
	result := b.batchOf(
		saleWith(`{`+above+`}`), saleWith(`{"currency":7,`+above+`}`), saleWith(`{"currency":7}`), saleWith(`{}`),
	)
	discount := "body.transactions[%d].transaction_items[0].discount_builder.discount_amount"
	for i, want := range [][]string{
		{fmt.Sprintf(discount, 0)}, {"body.transactions[1].currency", fmt.Sprintf(discount, 1)},
		{"body.transactions[2].currency"},
	} {
		var got []string
		for _, e := range result.Items[i].Problem.Errors {
			got = append(got, e.Location)
		}
		require.Equal(t, want, got)
	}
	require.Len(t, b.accepted, 1)
}

func TestFaultsOfARowOutsideTheSchemaHaveALocation(t *testing.T) {
	t.Parallel()
	b := setupTransactions(t)
	b.refusal = &models.ProductsNotFoundError{
		Faults: []models.Fault{
			{Code: "not_found", Path: "transaction_items[0].external_product_id", Message: "No."},
		},
	}
	result := b.batchOf(saleWith(`{}`), saleWith(`{"exempt":"FULLY_EXEMPT"}`))
	require.Equal(
		t, "body.transactions[1].transaction_items[0].external_product_id",
		result.Items[1].Problem.Errors[0].Location,
	)
	require.Equal(t, 404, result.Items[1].Problem.Status)
	b.refusal = &models.DuplicateError{Field: "external_id", ExistingID: "txn_1"}
	require.Equal(t, "txn_1", b.batchOf(saleWith(`{}`)).Items[0].Problem.ExistingID)
}

func TestABatchWithoutReadableRowsIsRefusedAsAWhole(t *testing.T) {
	t.Parallel()
	b := setupTransactions(t)
	for body, want := range map[string]string{
		`{}`: "missing_field", `{"transactions":{}}`: "invalid_type", `{"transactions":[]}`: "too_few",
		`{"transactions":[` + strings.Repeat("{},", 1000) + `{}]}`: "too_many",
		`{"transactions":[{"a":1,"a":2}]}`:                         "duplicate_key",
	} {
		answer := b.send(http.MethodPost, "/v1/transactions/batch", body)
		require.Equal(t, http.StatusBadRequest, answer.Code)
		require.Contains(t, answer.Body.String(), want)
		require.NotContains(t, answer.Body.String(), "external_id", "faults of rows are not those of the request")
	}
	require.Empty(t, b.accepted)
}

func TestABatchMayBeLargerThanOtherBodies(t *testing.T) {
	t.Parallel()
	b := setupTransactions(t)
	padding := strings.Repeat(" ", 3<<20)
	require.Equal(t, 1, b.batchOf(padding+saleWith(`{}`)).Accepted)
	answer := b.send(
		http.MethodPost, "/v1/transactions/batch",
		`{"transactions":[`+strings.Repeat(" ", 10<<20)+saleWith(`{}`)+`]}`,
	)
	require.Equal(t, http.StatusRequestEntityTooLarge, answer.Code)
	require.Contains(t, answer.Body.String(), fmt.Sprint(10<<20))
}

func TestAFailureThatStoresNothingOfABatchRefusesTheRequest(t *testing.T) {
	t.Parallel()
	b := setupTransactions(t)
	send := func() int {
		return b.send(http.MethodPost, "/v1/transactions/batch", `{"transactions":[`+saleWith(`{}`)+`]}`).Code
	}
	b.refusal = models.ErrUnavailable
	require.Equal(t, http.StatusServiceUnavailable, send())
	b.refusal = models.ErrOutcomeUnknown
	require.Equal(t, "outcome_unknown", b.batchOf(saleWith(`{}`)).Items[0].Problem.Code, "the others may be stored")
}
