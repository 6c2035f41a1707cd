package content_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

func TestARateThatIsImportedDuringAStageIsNotMissed(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	refs := b.Accepted(t, 1)
	outcomes := b.MissingRate(t, refs)
	requeued, err := b.ImportAndRequeue()
	require.NoError(t, err)
	require.Zero(t, requeued, "no transaction waits yet")
	_, err = b.Store.Transactions.SaveTax(t.Context(), storetest.Run, refs, outcomes)
	require.ErrorIs(t, err, models.ErrUnavailable, "the stage reads the rates again")
	require.Equal(t, 1, b.Count(t, "SELECT count(*) FROM transactions WHERE processing_status = 'NEXUS_DONE'"))
	require.Zero(t, b.Count(t, "SELECT count(*) FROM transaction_refetches"))
}

func TestAStageWaitsForAnImportUnderWay(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	refs := b.Accepted(t, 1)
	outcomes := b.MissingRate(t, refs)
	importing, err := b.SQL.Begin(t.Context())
	require.NoError(t, err)
	_, err = importing.Exec(t.Context(), "LOCK TABLE fx_rates IN SHARE ROW EXCLUSIVE MODE")
	require.NoError(t, err)
	_, err = importing.Exec(t.Context(),
		"INSERT INTO fx_rates (currency, day, rate, source) VALUES ('CAD', '2026-05-15', 1.5, 'ECB')")
	require.NoError(t, err)
	saved := make(chan error, 1)
	go func() {
		_, err := b.Store.Transactions.SaveTax(context.Background(), storetest.Run, refs, outcomes)
		saved <- err
	}()
	b.WaitsForRates(t)
	require.NoError(t, importing.Commit(t.Context()))
	require.ErrorIs(t, <-saved, models.ErrUnavailable)
}

func TestAnImportFindsTransactionsThatBeginToWaitAtTheSameMoment(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	refs := b.Accepted(t, 1)
	outcomes := b.MissingRate(t, refs)
	holding, err := b.SQL.Begin(t.Context()) // the stage has read the rates again, and is blocked
	require.NoError(t, err)
	_, err = holding.Exec(t.Context(), "SELECT FROM transactions FOR UPDATE")
	require.NoError(t, err)
	saved := make(chan error, 1)
	go func() {
		_, err := b.Store.Transactions.SaveTax(context.Background(), storetest.Run, refs, outcomes)
		saved <- err
	}()
	require.Eventually(t, func() bool {
		return b.Count(
			t,
			"SELECT count(*) FROM pg_locks WHERE relation = 'fx_rates'::regclass AND mode = 'ShareLock' AND granted",
		) > 0
	}, 20*time.Second, 5*time.Millisecond)
	var requeued int
	imported := make(chan error, 1)
	go func() {
		var err error
		requeued, err = b.ImportAndRequeue()
		imported <- err
	}()
	b.WaitsForRates(t)
	require.NoError(t, holding.Commit(t.Context()))
	require.NoError(t, <-saved)
	require.NoError(t, <-imported)
	require.Equal(t, 1, requeued)
	require.Equal(
		t, 1, b.Count(t, "SELECT count(*) FROM transactions WHERE processing_status = 'QUEUED' AND epoch = 2"),
	)
}
