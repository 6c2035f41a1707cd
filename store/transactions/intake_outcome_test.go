package transactions_test

import (
	"context"
	"io"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
	"levy/store/transactions"
)

// After a connection broke during COMMIT, the id of the database transaction and the records show its outcome.
func TestTheOutcomeOfALostCommitIsFound(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	stored, lost := storetest.Draft(b.Scope, "STORED"), storetest.Draft(b.Scope, "LOST")
	require.NoError(t, b.Intake.Accept(t.Context(), stored))

	xidOf := func(end func(pgx.Tx, context.Context) error) (xid string) {
		tx, err := b.SQL.Begin(context.Background())
		require.NoError(t, err)
		require.NoError(t, tx.QueryRow(context.Background(), "SELECT pg_current_xact_id()::text").Scan(&xid))
		require.NoError(t, end(tx, context.Background()))
		return xid
	}
	committed, aborted := xidOf(pgx.Tx.Commit), xidOf(pgx.Tx.Rollback)

	require.NoError(
		t, transactions.OutcomeOf(b.Store.Transactions, committed, stored, io.ErrUnexpectedEOF),
		"committed, and there",
	)
	require.ErrorIs(
		t, transactions.OutcomeOf(b.Store.Transactions, aborted, lost, io.ErrUnexpectedEOF),
		models.ErrUnavailable, "aborted",
	)
	require.ErrorIs(t, transactions.OutcomeOf(
		b.Store.Transactions, committed, lost, io.ErrUnexpectedEOF,
	), models.ErrUnavailable,
		"after a crash another transaction that committed may have the id: the record decides")

	running, err := b.SQL.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = running.Rollback(context.Background()) }()
	var xid string
	require.NoError(t, running.QueryRow(t.Context(), "SELECT pg_current_xact_id()::text").Scan(&xid))
	require.ErrorIs(
		t, transactions.OutcomeOf(b.Store.Transactions, xid, lost, io.ErrUnexpectedEOF),
		models.ErrOutcomeUnknown, "still running: the outcome is unknown",
	)
}
