package transactions_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
	"levy/store/transactions"
)

// When the outbox was analyzed nothing in it was due, as after every lease. The planner then considers the index of
// due rows the cheapest way to each row, and would read all of a backlog to lock one.
func TestALeaseLocksEachRowByItsKey(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 1)
	tx, err := b.SQL.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(t.Context()) }()
	for _, sql := range []string{
		`INSERT INTO outbox (organization_id, kind, aggregate_id, epoch, background, next_attempt_at)
		 SELECT 'org_many', 1, md5(n::text), 1, n % 2 = 0, now() + interval '1 minute' FROM generate_series(1, 2000) n`,
		"ANALYZE outbox",
		"UPDATE outbox SET next_attempt_at = now() - interval '1 second'",
		"SET LOCAL enable_seqscan = off", "SET LOCAL plan_cache_mode = force_custom_plan",
	} {
		_, err := tx.Exec(t.Context(), sql)
		require.NoError(t, err)
	}
	for of, sql := range transactions.Leases {
		args := []any{500, 2000}
		if of == "background" {
			args = append(args, "batc_next")
		}
		rows, err := tx.Query(t.Context(), "EXPLAIN "+sql, args...)
		require.NoError(t, err)
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err)
		plan := strings.Join(lines, "\n")
		require.Contains(t, plan, "Index Scan using outbox_pkey on outbox x", "%s: %s", of, plan)
		require.Contains(t, plan, "Tid Scan on outbox o", "%s: %s", of, plan)
	}
}

// For an outbox that was vacuumed when it was empty the planner assumes no rows, however many there are now.
func TestAStageEndsPendingWorkByItsKey(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 1)
	const rows = `INSERT INTO outbox (organization_id, kind, aggregate_id, epoch, next_attempt_at)
		SELECT 'org_many', 1, md5(n::text), 1, now() FROM generate_series(1, 2000) n`
	for _, sql := range []string{rows, "DELETE FROM outbox", rows} {
		_, err := b.SQL.Exec(t.Context(), sql)
		require.NoError(t, err)
	}
	tx, err := b.SQL.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(t.Context()) }()
	for _, sql := range []string{
		"UPDATE pg_class SET reltuples = 0, relpages = 30 WHERE oid = 'outbox'::regclass", // as after a vacuum then
		"SET LOCAL enable_seqscan = off", "SET LOCAL plan_cache_mode = force_custom_plan",
	} {
		_, err := tx.Exec(t.Context(), sql)
		require.NoError(t, err)
	}
	sql, args := transactions.EndsWork(make([]models.Ref, 1000))
	found, err := tx.Query(t.Context(), "EXPLAIN "+sql, args...)
	require.NoError(t, err)
	lines, err := pgx.CollectRows(found, pgx.RowTo[string])
	require.NoError(t, err)
	plan := strings.Join(lines, "\n")
	_, plan, _ = strings.Cut(plan, "CTE ended")
	require.Contains(t, plan, "Index Scan using outbox_pkey on outbox o", plan)
	require.Contains(t, plan, "Index Cond: (((organization_id)::text = ANY", plan)
}

// A failure is recorded while another batch processes the transaction, or while it is queued again.
// Every change of a transaction and its pending work locks the transaction first.
func TestMarkingAFailureWaitsForTheTransactionFirst(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	refs := b.Accepted(t, 2)
	stage, err := b.SQL.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = stage.Rollback(context.Background()) }()
	_, err = stage.Exec(t.Context(), "SELECT 1 FROM transactions WHERE id = $1 FOR UPDATE", refs[1].ID)
	require.NoError(t, err)
	done := make(chan error, 1)
	go func() { done <- b.Store.Transactions.MarkFailed(t.Context(), storetest.Run, refs, "boom") }()
	require.Eventually(t, func() bool {
		return b.Count(t, `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event = 'transactionid'`) == 1
	}, time.Minute, 10*time.Millisecond)
	_, err = stage.Exec(t.Context(), "DELETE FROM outbox WHERE aggregate_id = $1", refs[1].ID)
	require.NoError(t, err)
	require.NoError(t, stage.Commit(t.Context()))
	require.NoError(t, <-done)
	require.Equal(t, 1, b.Count(t, "SELECT count(*) FROM outbox WHERE last_error = 'boom'"))
}
