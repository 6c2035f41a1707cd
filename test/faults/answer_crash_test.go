package faults_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// A request with an Idempotency-Key and the answer to it are committed together: an API
// that dies before the commit leaves neither, one that dies after it leaves both, and the
// repeat of the client is carried out once or answered from the stored answer.
func TestAnAnswerIsRememberedExactlyWhenItsEffectIs(t *testing.T) {
	t.Parallel()
	for point, stored := range map[string]int{"before_answer_commit": 0, "after_answer_commit": 1} {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			bed, ledger := crashing(t)
			bed.API.Start(point + "=kill")
			post := func() (testbed.Answer, error) {
				return bed.SendWithKey(context.Background(), bed.API, http.MethodPost, "/v1/transactions",
					testbed.Sale("ORDER-1", 1), "key-1")
			}
			_, err := post()
			require.Error(t, err, "the API was to die before it answers")
			bed.API.WaitKilled()
			for _, table := range []string{"transactions", "outbox", "idempotency_keys", "customers",
				"audit WHERE entity_type = 'transaction'"} {
				require.Equal(t, stored, bed.Count("SELECT count(*) FROM "+table), table)
			}
			bed.API.Start()
			bed.Worker.Start()
			first, err := post()
			require.NoError(t, err)
			require.Equal(t, http.StatusAccepted, first.Status, "%s", first.Body)
			again, err := post()
			require.NoError(t, err)
			require.Equal(t, string(first.Body), string(again.Body), "the same answer, whatever has been processed meanwhile")
			ledger.add("ORDER-1", 1, accepted)
			requireOnce(t, bed, ledger, 1, nil)
		})
	}
}

// The same for a credit note, which also changes the sale that it credits.
func TestARefundWithAKeyIsTakenOnce(t *testing.T) {
	t.Parallel()
	for point, stored := range map[string]int{"before_answer_commit": 0, "after_answer_commit": 1} {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			bed, ledger := crashing(t)
			bed.API.Start(point + "=kill")
			bed.Worker.Start()
			accept(t, bed, ledger, 1) // without a key: the point lies in requests with one
			path := "/v1/transactions/" + bed.Get("/v1/transactions/external/ORDER-1").Field("id") + "/credit_notes"
			requireProcessed(t, bed, 1)
			credit := func() (testbed.Answer, error) {
				return bed.SendWithKey(context.Background(), bed.API, http.MethodPost, path,
					testbed.CreditNote("NOTE-1", "1.00"), "key-1")
			}
			_, err := credit()
			require.Error(t, err)
			bed.API.WaitKilled()
			require.Equal(t, stored, bed.Count("SELECT count(*) FROM transactions WHERE related_to IS NOT NULL"))
			require.Equal(t, stored, bed.Count("SELECT count(*) FROM idempotency_keys"))
			bed.API.Start()
			for range 2 {
				answer, err := credit()
				require.NoError(t, err)
				require.Equal(t, http.StatusOK, answer.Status, "%s", answer.Body)
			}
			requireProcessed(t, bed, 2)
			require.Equal(t, 1, bed.Count("SELECT count(*) FROM credit_totals WHERE committed = 1"), "taken from the sale once")
		})
	}
}
