package faults_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/internal/local"
	"levy/test/testbed"
)

// The disk of PostgreSQL is lost, twice. With the WAL that was kept beside the backup nothing that was
// accepted is lost; with the backup alone what came after it is, and clients that send all again
// under the same keys lose nothing and sell nothing twice. The service goes on by itself.
func TestADestroyedDatabaseIsRestored(t *testing.T) {
	t.Parallel()
	bed := testbed.New(t, testbed.Options{Own: true})
	bed.Set("LEVY_REPLICATION_URL", bed.DatabaseURL) // the service may not replicate
	book := newLedger(bed)
	bed.API.Start()
	bed.Worker.Start()
	backups := bed.Folder("backups")
	wal := keepWAL(t, bed, backups)
	send := func(from, to, want int) {
		t.Helper()
		for n := from; n < to; n++ {
			answer, err := bed.SendWithKey(t.Context(), bed.API, http.MethodPost, "/v1/transactions", testbed.Sale(fmt.Sprintf("ORDER-%d", n), n), fmt.Sprintf("key-%d", n))
			require.NoError(t, err)
			require.Equal(t, want, answer.Status, "%s", answer.Body)
		}
	}
	enter := func(from, to int) {
		for n := from; n < to; n++ {
			book.add(fmt.Sprintf("ORDER-%d", n), n, accepted)
		}
	}
	run := func(args ...string) string {
		t.Helper()
		began := time.Now()
		said := string(bed.Run(args...))
		t.Logf("levy %s, %.1f s:\n%s", args[0], time.Since(began).Seconds(), said)
		return said
	}
	reached := func() {
		t.Helper()
		bed.Eventually("the API reaches PostgreSQL again", func(ctx context.Context) (bool, error) {
			err := bed.API.Ready(ctx)
			return err == nil, err
		})
	}
	send(0, 10, http.StatusAccepted)
	requireProcessed(t, bed, 10)
	said := run("backup", backups)
	require.Contains(t, said, "Verified: a server was started on a copy")
	require.Contains(t, string(bed.Run("status")), "s ago, verified, in "+backups)
	send(10, 15, http.StatusAccepted)
	requireProcessed(t, bed, 15)
	var middle time.Time
	require.NoError(t, bed.DB.QueryRow(t.Context(), "SELECT now()").Scan(&middle))
	send(15, 20, http.StatusAccepted) // of which some wait
	bed.Eventually("the WAL is kept", func(context.Context) (bool, error) {
		return bed.Count("SELECT count(*) FROM pg_stat_replication WHERE application_name = 'pg_receivewal' AND flush_lsn >= (SELECT pg_current_wal_lsn())") == 1, nil
	})

	data := bed.DestroyPostgres()
	require.NoError(t, wal.Stop(context.Background(), syscall.SIGTERM, time.Minute))
	kept := filepath.Join(backups, "wal")
	said = run("restore", backups, filepath.Join(bed.Folder("elsewhere"), "data"), "--wal", kept, "--until", middle.UTC().Format(time.RFC3339Nano))
	requireUntil(t, said, middle)
	run("restore", backups, data, "--wal", kept)
	bed.StartPostgres(t.Context())
	run("check")
	requireProcessed(t, bed, 20)
	reached()
	send(0, 20, http.StatusAccepted) // answered as they were

	data = bed.DestroyPostgres()
	run("restore", backups, data)
	bed.StartPostgres(t.Context())
	run("check")
	require.Equal(t, 10, bed.Count("SELECT count(*) FROM transactions"))
	reached()
	send(0, 20, http.StatusAccepted)
	enter(0, 20)
	requireOnce(t, bed, book, 20, nil)
	run("check")

	for name, harm := range map[string]struct {
		path string
		says string
	}{
		"a damaged file":      {"data/global/pg_control", "the backup is damaged"},
		"no manifest":         {"levy-backup.json", "there is no whole backup"},
		"a place that is not": {"", "exists: move it away first"},
	} {
		broken := filepath.Join(bed.Folder("broken"), "one")
		require.NoError(t, os.RemoveAll(broken))
		require.NoError(t, os.CopyFS(broken, os.DirFS(lastOf(t, backups))))
		target := filepath.Join(bed.Folder("elsewhere"), "another")
		if harm.path == "" {
			target = data
		} else {
			require.NoError(t, os.Remove(filepath.Join(broken, harm.path)))
		}
		_, complaint, err := bed.Try("restore", broken, target)
		require.Error(t, err, name)
		require.Contains(t, complaint, harm.says, name)
		require.NoDirExists(t, filepath.Join(bed.Folder("elsewhere"), "another"), name)
	}
	bed.Exec("DELETE FROM transaction_totals")
	out, _, err := bed.Try("check")
	require.Error(t, err)
	require.Contains(t, string(out), "DEFECT: it does not hold that I-4 what is taxable")
}

// requireUntil holds a restore to nothing later than that.
func requireUntil(t *testing.T, said string, latest time.Time) {
	t.Helper()
	found := regexp.MustCompile(`until (\S+)`).FindStringSubmatch(said)
	require.NotEmpty(t, found, said)
	last, err := time.Parse(time.RFC3339Nano, found[1])
	require.NoError(t, err)
	require.WithinRange(t, last, latest.Add(-time.Minute), latest)
}

// keepWAL has the WAL kept in the folder wal of another one.
func keepWAL(t *testing.T, bed *testbed.Bed, folder string) *local.Process {
	t.Helper()
	cmd := bed.Command("backup", folder, "--wal")
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	p, err := local.StartProcess(cmd, syscall.SIGKILL)
	require.NoError(t, err)
	t.Cleanup(func() {
		_ = p.Stop(context.Background(), syscall.SIGKILL, time.Minute)
		if t.Failed() {
			t.Logf("levy backup --wal: %s", complaints.String())
		}
	})
	bed.Eventually("the WAL is being kept", func(context.Context) (bool, error) {
		return bed.Count("SELECT count(*) FROM pg_replication_slots WHERE active") == 1, nil
	})
	return p
}

// lastOf is the last backup of a folder.
func lastOf(t *testing.T, folder string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(folder, "2*Z"))
	require.NoError(t, err)
	require.NotEmpty(t, found)
	return found[len(found)-1]
}
