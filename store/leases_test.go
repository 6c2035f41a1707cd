package store_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/store/storetest"
)

// While somebody takes a lease, others take what is left and do not wait for him: he may
// have stopped in the middle.
func TestALeaseDoesNotWaitForAnother(t *testing.T) {
	t.Parallel()
	patient, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	hold := func(t *testing.T, conn *pgx.Conn, sql string, args ...any) {
		t.Helper()
		_, err := conn.Exec(t.Context(), "BEGIN")
		require.NoError(t, err)
		_, err = conn.Exec(t.Context(), sql, args...)
		require.NoError(t, err)
	}
	t.Run("of what is in the outbox", func(t *testing.T) {
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
