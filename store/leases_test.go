package store_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

// While one process takes a lease, others take the remaining rows and do not wait for it: it may have stopped in the
// middle.
func TestALeaseDoesNotWaitForAnother(t *testing.T) {
	t.Parallel()
	patient, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	t.Cleanup(cancel)
	hold := func(t *testing.T, conn *pgx.Conn, sql string, args ...any) {
		t.Helper()
		_, err := conn.Exec(t.Context(), "BEGIN")
		require.NoError(t, err)
		_, err = conn.Exec(t.Context(), sql, args...)
		require.NoError(t, err)
	}
	t.Run("of the outbox", func(t *testing.T) {
		b := storetest.Setup(t, 1, 8)
		refs := b.Accepted(t, 3)
		_, err := b.SQL.Exec(t.Context(), "UPDATE outbox SET next_attempt_at = now()")
		require.NoError(t, err)
		conn, err := b.SQL.Acquire(t.Context())
		require.NoError(t, err)
		defer conn.Release()
		hold(t, conn.Conn(), "SELECT FROM outbox WHERE aggregate_id = $1 FOR UPDATE", refs[0].ID)
		leased, err := b.Store.Transactions.Lease(patient, 10)
		require.NoError(t, err)
		require.Len(t, leased, 2)
	})
	t.Run("of onboardings", func(t *testing.T) {
		n := storetest.Onboard(t, 3)
		storetest.Execute(t, n.URL, "UPDATE onboardings SET next_check_at = now()") // of the partner too
		conn, err := pgx.Connect(t.Context(), n.URL)
		require.NoError(t, err)
		defer conn.Close(t.Context())
		hold(t, conn, "SELECT FROM onboardings WHERE organization_id = $1 FOR UPDATE", n.Scope.OrganizationID)
		leased, err := n.Store.Organizations.LeaseOnboardings(patient, 10)
		require.NoError(t, err)
		require.Len(t, leased, 1)
	})
}

// However many rows of one organization wait, the next lease contains those of another one.
func TestALeaseTakesFromEveryOrganization(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	wait := func(organization string, n int, due string) {
		_, err := b.SQL.Exec(t.Context(), `
			INSERT INTO outbox (organization_id, kind, aggregate_id, epoch, next_attempt_at)
			SELECT $1::text, 1, $1::text || n, 1, now() - $3::interval - n * interval '1 microsecond'
			  FROM generate_series(1, $2::int) n`, organization, n, due)
		require.NoError(t, err)
	}
	wait("org_many", 6000, "1 hour")
	wait("org_few", 3, "1 second")
	wait("org_older", 2, "2 hours")
	leased := map[string]int{}
	rows, err := b.Store.Transactions.Lease(t.Context(), 100)
	require.NoError(t, err)
	for _, row := range rows {
		leased[row.OrganizationID]++
	}
	require.Equal(t, map[string]int{"org_few": 3, "org_older": 2, "org_many": 95}, leased)
	all := len(rows)
	for len(rows) > 0 { // nothing is left out
		rows, err = b.Store.Transactions.Lease(t.Context(), 1000)
		require.NoError(t, err)
		all += len(rows)
	}
	require.Equal(t, 6005, all)
}

// New transactions are found beside any backlog, also one that became due only now, and transactions that were tried
// before are not among them.
func TestNewTransactionsAreLeasedBesideABacklog(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	wait := func(organization string, n, attempts int, background bool, created, due string) {
		_, err := b.SQL.Exec(t.Context(), `
			INSERT INTO outbox (organization_id, kind, aggregate_id, epoch, attempts, background, created_at, next_attempt_at)
			SELECT $1::text, 1, $1::text || n, 1, $3, $4, now() - $5::interval,
			       now() - $6::interval - n * interval '1 microsecond'
			  FROM generate_series(1, $2::int) n`, organization, n, attempts, background, created, due)
		require.NoError(t, err)
	}
	wait("org_many", 6000, 0, false, "1 hour", "10 seconds")
	wait("org_tried", 1, 1, false, "5 seconds", "2 seconds")
	wait("org_imported", 1, 0, true, "5 seconds", "2 seconds")
	wait("org_later", 1, 0, false, "1 second", "-2 seconds")
	wait("org_sent", 2, 0, false, "5 seconds", "2 seconds")
	for _, want := range []int{2, 0} {
		rows, err := b.Store.Transactions.LeaseRecent(t.Context(), 10)
		require.NoError(t, err)
		require.Len(t, rows, want, "and no other process gets them for a while")
		for _, row := range rows {
			require.Equal(t, "org_sent", row.OrganizationID)
		}
	}
}

// Background work is leased apart from new transactions, which it would delay.
func TestBackgroundWorkIsLeasedSeparately(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	sent := b.Accepted(t, 1)
	im := b.Running(t, "external_id\nA\n")
	_, imported, err := b.Store.Imports.SaveImportChunk(t.Context(), b.Chunk(&im, 14, "A"))
	require.NoError(t, err)
	carrying := models.NewID(models.PrefixBatch)
	lease := func(background bool) (refs []models.Ref) {
		lease, batchID := b.Store.Transactions.Lease, ""
		if background {
			batchID = carrying
			lease = func(ctx context.Context, limit int) ([]models.OutboxRow, error) {
				return b.Store.Transactions.LeaseBackground(ctx, batchID, limit)
			}
		}
		rows, err := lease(t.Context(), 10)
		require.NoError(t, err)
		for _, row := range rows {
			require.Equal(t, background, row.Background)
			require.Equal(t, batchID, row.BatchID, "a batch of the background needs no mark")
			refs = append(refs, row.Ref)
		}
		return refs
	}
	require.Empty(t, lease(false), "a dispatcher has some seconds")
	require.Equal(t, imported, lease(true), "work that no dispatcher gets is due at once")
	require.Equal(t, 1, b.Count(t,
		"SELECT count(*) FROM outbox WHERE batch_id = $1 AND next_attempt_at > now() + interval '30 seconds'", carrying))
	storetest.Execute(t, b.URL, "UPDATE outbox SET next_attempt_at = now()")
	require.Equal(t, sent, lease(false))
	require.Equal(t, imported, lease(true))
}
