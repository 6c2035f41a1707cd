package transactions_test

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/store/storetest"
	"levy/store/transactions"
)

// When the outbox was analyzed nothing in it was due, as after every lease. The planner then takes the index of what is
// due for the cheapest way to each row, and would read all of a backlog to lock one.
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
