package filings_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

// A skipped period is not reopened while transactions of it are being processed. Otherwise a sale whose refund is still
// to come would open a return for which nothing is owed. A refund that cannot be processed does not delay this.
func TestAPeriodThatWasSkippedWaitsForWhatIsProcessed(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	skipped := b.January(t, models.FilingUnfiled)
	_, err := b.Transition(skipped.ID, models.FilingSkipped)
	require.NoError(t, err)
	amended := func() (late int) {
		_, err := b.Store.Filings.AmendFilings(t.Context())
		require.NoError(t, err)
		return b.Count(t, "SELECT count(*) FROM late_transactions")
	}
	timePasses := func() {
		_, err := b.SQL.Exec(t.Context(), "UPDATE late_transactions SET at = now()")
		require.NoError(t, err)
	}
	refund := b.Sale(t, "2026-01-12", "-50.00")
	b.Process(t, b.Sale(t, "2026-01-11", "20.00"), b.Sale(t, "2026-01-11", "30.00"))
	require.Len(t, filingsOf(t, b.Store, b.Scope), 1)
	require.Equal(t, 1, amended(), "one of them is looked at again")
	require.Zero(t, b.Count(t, "SELECT count(*) FROM late_transactions WHERE at <= now()"), "but not at once")
	b.Process(t, refund)
	timePasses()
	require.Zero(t, amended())
	require.Len(t, filingsOf(t, b.Store, b.Scope), 1, "nothing is owed")

	refund = b.Sale(t, "2026-01-12", "-10.00")
	b.Process(t, b.Sale(t, "2026-01-13", "10.00"))
	_, err = b.SQL.Exec(t.Context(), "UPDATE outbox SET attempts = 10, last_error = 'DEFECT' WHERE aggregate_id = $1",
		refund.ID)
	require.NoError(t, err)
	timePasses()
	require.Zero(t, amended())
	found := filingsOf(t, b.Store, b.Scope)
	require.Len(t, found, 2)
	require.Equal(t, "4 10.00 1.00", storetest.FilingSums(found[1]))
}

// A long backlog is not looked through for what is of the period, which would take seconds every ten seconds.
func TestAPeriodThatWasSkippedWaitsForALongBacklog(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	skipped := b.January(t, models.FilingUnfiled)
	_, err := b.Transition(skipped.ID, models.FilingSkipped)
	require.NoError(t, err)
	execute := func(sql string, args ...any) {
		_, err := b.SQL.Exec(t.Context(), sql, args...)
		require.NoError(t, err)
	}
	execute(`INSERT INTO outbox (organization_id, kind, aggregate_id, epoch, next_attempt_at)
		SELECT $1, 1, 'txn_' || n, 1, now() + interval '1 hour' FROM generate_series(1, 10001) n`, b.Scope.OrganizationID)
	b.Process(t, b.Sale(t, "2026-01-11", "20.00"))
	amended := func() (found int) {
		execute("UPDATE late_transactions SET at = now()")
		_, err := b.Store.Filings.AmendFilings(t.Context())
		require.NoError(t, err)
		return len(filingsOf(t, b.Store, b.Scope))
	}
	require.Equal(t, 1, amended())
	execute("DELETE FROM outbox")
	require.Equal(t, 2, amended())
}

// A return that is about to be written as skipped does not see a refund leave, and nobody sees that return yet.
func TestAReturnThatIsWrittenAsSkippedOwesSomethingWithoutItsRefund(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	refund := b.Sale(t, "2026-01-12", "-20.00")
	b.Process(t, b.Sale(t, "2026-01-11", "20.00"), refund)
	writes, err := b.SQL.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = writes.Rollback(context.Background()) }()
	_, err = writes.Exec(t.Context(), "SELECT pg_advisory_xact_lock(10, hashtext($1))", b.Registration.ID)
	require.NoError(t, err)
	_, err = b.Store.Transactions.ArchiveTransactions(t.Context(), b.Scope, models.Actor{}, []string{refund.ID})
	require.NoError(t, err)
	require.Equal(t, 1, b.Count(t, "SELECT count(*) FROM late_transactions"))
}

// Two registrations at one authority skipped the same days. Tax that is owed for them later gets one return,
// even if both registrations check at once.
func TestDaysThatTwoRegistrationsSkippedGetOneReturn(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	b.Create(t, storetest.FilingOf(b.Registration, models.FilingSkipped, "2026-01-01", "2026-01-31"))
	for _, status := range []string{"DEREGISTERING", "DEREGISTERED"} {
		_, err := b.SQL.Exec(t.Context(),
			"UPDATE registrations SET status = $2, deregistration_date = '2026-01-31' WHERE id = $1", b.Registration.ID, status)
		require.NoError(t, err)
	}
	ended := b.Registration
	b.Registration = b.Register(t, "US", "NY")
	b.Create(t, storetest.FilingOf(b.Registration, models.FilingSkipped, "2026-01-01", "2026-01-31"))
	sale := b.Sale(t, "2026-01-11", "20.00")
	claims, err := b.SQL.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = claims.Rollback(context.Background()) }()
	_, err = claims.Exec(t.Context(), "SELECT pg_advisory_xact_lock(10, hashtext(id)) FROM registrations")
	require.NoError(t, err)
	b.Process(t, sale)
	require.NoError(t, claims.Rollback(t.Context()))
	require.Equal(t, 2, b.Count(t, "SELECT count(*) FROM late_transactions"))

	writes, err := b.SQL.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = writes.Rollback(context.Background()) }()
	_, err = writes.Exec(t.Context(), "LOCK TABLE filing_causes")
	require.NoError(t, err)
	amended := make(chan error, 2)
	waiting := func(n int) func() bool {
		return func() bool {
			return len(amended) > 0 || n == b.Count(t, `SELECT count(*) FROM pg_stat_activity
				WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event IN ('relation', 'advisory')`)
		}
	}
	for n := range 2 {
		go func() {
			_, err := b.Store.Filings.AmendFilings(t.Context())
			amended <- err
		}()
		require.Eventually(t, waiting(n+1), waitLimit, pollEvery)
	}
	require.NoError(t, writes.Rollback(t.Context()))
	require.NoError(t, <-amended)
	require.NoError(t, <-amended)
	_, err = b.Store.Filings.AmendFilings(t.Context()) // the one that came too late has left it
	require.NoError(t, err)
	require.Zero(t, b.Count(t, "SELECT count(*) FROM late_transactions"))
	require.Equal(t, 1, b.Count(t, `SELECT count(*) FROM filings
		WHERE status = 'UNFILED' AND registration_id IN ($1, $2)`, ended.ID, b.Registration.ID))
}
