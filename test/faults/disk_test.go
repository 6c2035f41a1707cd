package faults_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// The disk of PostgreSQL is full: first no table can grow, then not even the log can be
// written and the server ends. Clients that post get the answer that nothing was
// written, or that the outcome is unknown. Nothing that was accepted is lost when there is space again.
func TestFullDiskLosesNothing(t *testing.T) {
	t.Parallel()
	bed := testbed.New(t, testbed.Options{Own: true, Disk: 700 << 20})
	ledger := newLedger(bed)
	bed.API.Start()
	bed.Worker.Start()
	post := poster(t, bed, ledger, 0)
	for range 20 {
		require.Equal(t, http.StatusAccepted, post().Status)
	}
	requireProcessed(t, bed, 20)

	bed.Disk.Fill()
	bed.Eventually("a table cannot grow", func(context.Context) (bool, error) {
		return post().Status == http.StatusServiceUnavailable, nil
	})
	tables := ledger.String()
	bed.Eventually("the log cannot be written, and the server ends", func(ctx context.Context) (bool, error) {
		_, err := bed.DB.Exec(ctx, "SELECT pg_switch_wal()")
		bed.Disk.Fill()
		return bed.PostgresEnded(), err
	})
	require.Equal(t, http.StatusServiceUnavailable, post().Status)
	require.False(t, bed.API.Ended() || bed.Worker.Ended(), "processes wait for their database")
	t.Logf("while tables could not grow: %s; without the log: %s", tables, ledger)

	bed.Disk.Free()
	bed.KillPostgres()
	bed.StartPostgres(t.Context())
	bed.API.WaitReady()
	require.Equal(t, http.StatusAccepted, post().Status)
	makeDue(bed)
	requireOnce(t, bed, ledger, bed.Count("SELECT count(*) FROM transactions"), nil)
}

// poster posts one sale after the other, of which the first is number n. Whatever goes
// wrong, the answer says that nothing was written, or that the outcome is unknown.
func poster(t *testing.T, bed *testbed.Bed, ledger *ledger, n int) func() testbed.Answer {
	t.Helper()
	return func() testbed.Answer {
		externalID := fmt.Sprintf("ORDER-%d", n)
		answer, err := bed.Send(context.Background(), bed.API, http.MethodPost, "/v1/transactions",
			testbed.Sale(externalID, n))
		o := unknown
		switch {
		case err == nil && answer.Status == http.StatusAccepted:
			o = accepted
		case err == nil && answer.Code() == "service_unavailable":
			o = refused
		case err == nil:
			require.Equal(t, "outcome_unknown", answer.Code(), "%s", answer.Body)
		}
		ledger.add(externalID, n, o)
		n++
		return answer
	}
}
