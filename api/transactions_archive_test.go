package api

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

func TestArchiveTransactions(t *testing.T) {
	t.Parallel()
	b := setupTransactions(t)
	id, unknown := b.stored(saleWith(`{}`)).ID, models.NewID(models.PrefixTransaction)
	archive := func(ids string, status int) string {
		t.Helper()
		answer := b.send(http.MethodPost, "/v1/transactions/archive", `{"transaction_ids":`+ids+`}`)
		require.Equal(t, status, answer.Code, answer.Body.String())
		if status == http.StatusOK {
			requireContract(t, "TransactionArchiveResult", answer.Body.Bytes())
		}
		return answer.Body.String()
	}
	require.JSONEq(t, `{"archived":1,"items":[{"transaction_id":"`+id+`","archived":true,"problem":null},
		{"transaction_id":"`+unknown+`","archived":false,"problem":{"status":404,"code":"resource_not_found",
			"detail":"There is no transaction with this id in your organization.","errors":[]}}]}`,
		archive(`["`+id+`","`+unknown+`"]`, http.StatusOK))
	for code, refusal := range map[string]error{
		"transaction_locked": &models.LockedError{FilingID: "file_1"}, "has_credit_notes": &models.HasCreditNotesError{},
		"invalid_status_transition": &models.TransitionError{From: "COMMITTED", To: "ARCHIVED"},
	} {
		b.refusal = refusal
		require.Contains(t, archive(`["`+id+`"]`, http.StatusOK), `"status":409`)
		require.Contains(t, archive(`["`+id+`"]`, http.StatusOK), `"code":"`+code+`"`)
	}
	require.Contains(t, archive(`["`+id+`","x","`+id+`"]`, http.StatusBadRequest), `"body.transaction_ids[2]"`)
	require.Contains(t, archive(`[]`, http.StatusBadRequest), "too_few")
	require.Contains(t, archive(`null`, http.StatusBadRequest), "missing_field")
}

func TestArchiveTransactionsByDate(t *testing.T) {
	t.Parallel()
	b := setupTransactions(t)
	archive := func(body string, status int) string {
		t.Helper()
		answer := b.send(http.MethodPost, "/v1/transactions/archive_by_date", body)
		require.Equal(t, status, answer.Code, answer.Body.String())
		if status == http.StatusOK {
			requireContract(t, "TransactionArchiveByDateResult", answer.Body.Bytes())
		}
		return answer.Body.String()
	}
	require.JSONEq(
		t, `{"archived":102,"refused":0,"refusals":[],"next":null}`,
		archive(`{"end_date":"2019-12-31"}`, http.StatusOK),
	)
	b.next, b.refusal = "txn_9", &models.LockedError{FilingID: "file_1"}
	answer := archive(`{"start_date":"2019-01-01","end_date":"2019-01-01","after":"txn_1"}`, http.StatusOK)
	require.Contains(t, answer, `{"archived":0,`)
	require.Contains(t, answer, `"refused":102`)
	require.Contains(t, answer, `"next":"txn_9"`)
	require.Equal(t, 100, strings.Count(answer, "transaction_locked"), "the first ones are listed")
	require.Equal(t, []string{
		"1900-01-01 2020-01-01 ", "2019-01-01 2019-01-02 txn_1",
	}, b.archived, "the last day counts as a whole")
	require.Contains(t, archive(`{}`, http.StatusBadRequest), "body.end_date")
	require.Contains(
		t, archive(`{"start_date":"2020-01-02","end_date":"2020-01-01"}`, http.StatusBadRequest), "mismatch",
	)
	require.Contains(t, archive(`{"end_date":"2020-02-30"}`, http.StatusBadRequest), "invalid_format")
	b.refusal = errors.New("defect")
	archive(`{"end_date":"2019-12-31"}`, http.StatusInternalServerError)
}
