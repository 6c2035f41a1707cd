package transactions_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

// The claim of a return locks transactions in the order of their ids. A stage calculates sales again and then queues
// their refunds again. It must lock all of them in that order as well. Otherwise the claim would hold the refund and
// wait for the last sale, while the stage holds that sale and waits for the refund.
func TestSalesAreCalculatedAgainInTheOrderInWhichReturnsClaim(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	first := b.Sale(t, "2026-01-10", "100.00")
	b.Process(t, first)
	refund := b.CreditNote(t, first, "2026-02-10", "100.00")
	b.Process(t, refund)
	last := b.Sale(t, "2026-02-11", "50.00")
	_, err := b.SQL.Exec(t.Context(),
		"UPDATE transactions SET processing_status = 'QUEUED', epoch = 2 WHERE id = $1", first.ID)
	require.NoError(t, err)
	first.Epoch = 2
	sales := []models.Ref{first, last}
	_, err = b.Store.Transactions.LoadForAddresses(t.Context(), storetest.Run, sales)
	require.NoError(t, err)
	for _, stage := range storetest.Stages[:3] {
		_, err := stage.Save(b.Store, storetest.Run, sales)
		require.NoError(t, err)
	}
	claim, err := b.SQL.Begin(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { _ = claim.Rollback(context.Background()) })
	const lock = "SELECT FROM transactions WHERE id = $1 FOR NO KEY UPDATE NOWAIT"
	_, err = claim.Exec(t.Context(), lock, refund.ID)
	require.NoError(t, err)
	done := make(chan error, 1)
	go func() { done <- b.TryCalculate(sales...) }()
	require.Eventually(t, func() bool {
		return b.Count(t, `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock'`) == 1
	}, time.Minute, 10*time.Millisecond, "the stage waits for the refund")
	_, err = claim.Exec(t.Context(), lock, last.ID)
	require.NoError(t, err, "and holds nothing behind it")
	require.NoError(t, claim.Commit(context.Background()))
	require.NoError(t, <-done)
	require.Equal(t, "QUEUED", b.Processing(t, refund))
}
