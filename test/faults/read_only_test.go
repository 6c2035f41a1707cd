package faults_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// PostgreSQL is read-only, as a standby before its promotion: clients that post get the answer that nothing was written,
// batches wait as in any outage, and everything continues when it accepts writes again.
func TestADatabaseThatOnlyReads(t *testing.T) {
	t.Parallel()
	bed := testbed.New(t, testbed.Options{})
	ledger := newLedger(bed)
	bed.API.Start()
	const n = 20
	for i := range n {
		accept(t, bed, ledger, i)
	}
	onlyReads(t, bed, "on")
	bed.Worker.Start()
	bed.Eventually("stages have tried in vain", func(context.Context) (bool, error) {
		return bed.Worker.Logged("stage failed") >= 2, nil
	})
	post := poster(t, bed, ledger, n)
	for range 5 {
		answer := post()
		require.Equal(t, http.StatusServiceUnavailable, answer.Status, "%s", answer.Body)
	}
	onlyReads(t, bed, "off")
	bed.Eventually("posts are accepted",
		func(context.Context) (bool, error) { return post().Status == http.StatusAccepted, nil })
	requireOnce(t, bed, ledger, bed.Count("SELECT count(*) FROM transactions"), nil)
	require.Zero(t, bed.Worker.Logged("to find what failed"))
	require.Zero(t, bed.Worker.Logged("database_25006"), "it is no defect")
}

// onlyReads makes sessions of the database read-only or not, and ends the existing ones.
func onlyReads(t *testing.T, bed *testbed.Bed, value string) {
	t.Helper()
	err := pgx.BeginTxFunc(t.Context(), bed.DB, pgx.TxOptions{AccessMode: pgx.ReadWrite}, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(),
			`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = `+
				``+value+`', current_database()); END $$`)
		return err
	})
	require.NoError(t, err)
	bed.Rows(`SELECT count(pg_terminate_backend(pid))
		FROM pg_stat_activity
		WHERE datname = current_database() AND pid <> pg_backend_pid()`)
}
