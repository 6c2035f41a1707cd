package faults_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// sendExpectingCrash posts sale n when the connection is expected to break.
func sendExpectingCrash(t *testing.T, bed *testbed.Bed, externalID string, n int) {
	t.Helper()
	_, err := bed.Send(context.Background(), bed.API, http.MethodPost, "/v1/transactions", testbed.Sale(externalID, n))
	require.Error(t, err, "the API was to die before it answers")
	bed.API.WaitKilled()
}

func TestCrashBeforeCommitLeavesNothing(t *testing.T) {
	t.Parallel()
	bed, ledger := crashing(t)
	bed.API.Start("before_commit=kill")
	sendExpectingCrash(t, bed, "ORDER-1", 1)
	for _, table := range []string{"transactions", "transaction_items", "customers", "outbox",
		"audit WHERE entity_type = 'transaction'"} {
		require.Zero(t, bed.Count("SELECT count(*) FROM "+table), table)
	}
	bed.API.Start()
	bed.Worker.Start()
	accept(t, bed, ledger, 1) // the client tries again
	requireOnce(t, bed, ledger, 1, nil)
}

func TestCrashAfterCommitIsKnownByTheExistingID(t *testing.T) {
	t.Parallel()
	bed, ledger := crashing(t)
	bed.API.Start("after_commit=kill")
	sendExpectingCrash(t, bed, "ORDER-1", 1)
	ledger.add("ORDER-1", 1, unknown)
	require.Equal(t, 1, bed.Count("SELECT count(*) FROM transactions"))
	require.Equal(t, 1, bed.Count("SELECT count(*) FROM outbox"))
	bed.API.Start()
	again := bed.Post("/v1/transactions", testbed.Sale("ORDER-1", 1))
	require.Equal(t, http.StatusConflict, again.Status, "%s", again.Body)
	require.Equal(t, "duplicate_external_id", again.Code())
	require.Equal(t, again.Field("existing_id"), bed.Get("/v1/transactions/external/ORDER-1").Field("id"))
	ledger.add("ORDER-1", 1, accepted) // now the client knows
	bed.Worker.Start()
	requireOnce(t, bed, ledger, 1, nil)
}

func TestLostReplyToCommitIsClearedUp(t *testing.T) {
	t.Parallel()
	bed, ledger := crashing(t)
	bed.API.Start("after_commit=timeout*1")
	bed.Worker.Start()
	accept(t, bed, ledger, 1) // the service asked the database what became of the commit
	require.Equal(t, 1, bed.API.Logged("failpoint after_commit: timeout"))
	requireOnce(t, bed, ledger, 1, nil)
}
