package faults_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// PostgreSQL only reads, as one does to which a failover has not come yet: whoever posts
// is told that nothing was written, batches wait as in any outage, and all goes on when it
// writes again.
func TestADatabaseThatOnlyReads(t *testing.T) {
	t.Parallel()
	bed := testbed.New(t, testbed.Options{})
	book := newLedger(bed)
	bed.API.Start()
	const n = 20
	for i := range n {
		accept(t, bed, book, i)
	}
	onlyReads(t, bed, "on")
	bed.Worker.Start()
	bed.Eventually("stages have tried in vain", func(context.Context) (bool, error) {
		return bed.Worker.Logged("stage failed") >= 2, nil
	})
	post := poster(t, bed, book, n)
	for range 5 {
		answer := post()
		require.Equal(t, http.StatusServiceUnavailable, answer.Status, "%s", answer.Body)
	}
	onlyReads(t, bed, "off")
	bed.Eventually("who posts is served",
		func(context.Context) (bool, error) { return post().Status == http.StatusAccepted, nil })
	requireOnce(t, bed, book, bed.Count("SELECT count(*) FROM transactions"), nil)
	require.Zero(t, bed.Worker.Logged("to find what failed"))
	require.Zero(t, bed.Worker.Logged("database_25006"), "it is no defect")
}

// onlyReads says how sessions of the database begin, and ends those there are.
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
