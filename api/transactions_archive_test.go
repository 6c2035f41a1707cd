package api

import (
	"net/http"
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
		{"transaction_id":"`+unknown+`","archived":false,"problem":{"status":404,"code":"resource_not_found","detail":"The object in the path does not exist.","errors":[]}}]}`,
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
