package store_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/store"
	"levy/store/storetest"
)

// Records that a database with a fast clock postponed too far are checked soon; others keep their time.
func TestTimersOfAWrongClockAreCorrected(t *testing.T) {
	t.Parallel()
	t.Run("in the outbox", func(t *testing.T) {
		t.Parallel()
		b := storetest.Setup(t, 1, 8)
		refs := b.Accepted(t, 5)
		put := func(i int, off string, waits any) {
			storetest.Execute(
				t, b.URL,
				"UPDATE outbox SET next_attempt_at = now() + $2::interval, waits_for = $3 WHERE aggregate_id = $1",
				refs[i].ID, off, waits,
			)
		}
		put(0, "1 hour", nil)
		put(1, "5 minutes", nil)
		put(2, "1 day", refs[0].ID)
		put(3, "1 hour", refs[0].ID)
		put(4, "1 day", nil)
		corrected, err := b.Store.CorrectSomeSkewedTimers(t.Context())
		require.NoError(t, err)
		require.EqualValues(t, 3, corrected)
		leased, err := b.Store.Transactions.Lease(t.Context(), 10)
		require.NoError(t, err)
		var ids []string
		for _, row := range leased {
			ids = append(ids, row.ID)
		}
		require.ElementsMatch(t, []string{refs[0].ID, refs[2].ID, refs[4].ID}, ids)
		corrected, err = b.Store.CorrectSomeSkewedTimers(t.Context())
		require.NoError(t, err)
		require.Zero(t, corrected)
	})
	t.Run("of onboardings", func(t *testing.T) {
		t.Parallel()
		n := storetest.Onboard(t, 3)
		storetest.Execute(
			t, n.URL,
			`UPDATE onboardings SET next_check_at = now()
			      + CASE WHEN organization_id = $1 THEN interval '1 hour' ELSE interval '10 minutes' END`,
			n.Scope.OrganizationID,
		)
		corrected, err := n.Store.CorrectSomeSkewedTimers(t.Context())
		require.NoError(t, err)
		require.EqualValues(t, 1, corrected)
		leased, err := n.Store.Organizations.LeaseOnboardings(t.Context(), 10)
		require.NoError(t, err)
		require.Len(t, leased, 1)
	})
	t.Run("every column with a timer is known", func(t *testing.T) {
		t.Parallel()
		b := storetest.Setup(t, 1, 8)
		rows, err := b.SQL.Query(t.Context(), `SELECT table_name || '.' || column_name FROM information_schema.columns
			WHERE table_schema = 'public' AND (column_name LIKE 'next\_%at' OR column_name = 'due_at')`)
		require.NoError(t, err)
		there, err := pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err)
		require.Subset(t, store.Timers(), there)
		require.Subset(t, there, store.Timers())
	})
}
