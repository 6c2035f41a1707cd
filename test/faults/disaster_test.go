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
	"levy/internal/secret"
	"levy/models"
	"levy/store"
	"levy/store/storetest"
	"levy/test/testbed"
)

// The disk of PostgreSQL is lost, twice. With the WAL that was kept beside the backup nothing that was
// accepted is lost; with the backup alone what came after it is, and clients that send all again
// under the same keys lose nothing and sell nothing twice. The service continues by itself. Then a backup is
// restored with the wrapped keys that were saved separately: organizations that were erased since stay erased.
func TestADestroyedDatabaseIsRestored(t *testing.T) {
	t.Parallel()
	bed := testbed.New(t, testbed.Options{Own: true, Failpoints: true})
	bed.Set("LEVY_REPLICATION_URL", bed.DatabaseURL) // the service may not replicate
	ledger := newLedger(bed)
	bed.API.Start()
	bed.Worker.Start()
	backups := bed.Folder("backups")
	wal := keepWAL(t, bed, backups)
	send := func(from, to, want int) {
		t.Helper()
		for n := from; n < to; n++ {
			answer, err := bed.SendWithKey(t.Context(), bed.API, http.MethodPost, "/v1/transactions",
				testbed.Sale(fmt.Sprintf("ORDER-%d", n), n), fmt.Sprintf("key-%d", n))
			require.NoError(t, err)
			require.Equal(t, want, answer.Status, "%s", answer.Body)
		}
	}
	enter := func(from, to int) {
		for n := from; n < to; n++ {
			ledger.add(fmt.Sprintf("ORDER-%d", n), n, accepted)
		}
	}
	run := func(args ...string) string {
		t.Helper()
		began := time.Now()
		output := string(bed.Run(args...))
		t.Logf("levy %s, %.1f s:\n%s", args[0], time.Since(began).Seconds(), output)
		return output
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
	_, stderr, err := bed.Try("backup", backups, "--keys", filepath.Join(backups, "keys"))
	require.Error(t, err)
	require.Contains(t, stderr, "keep them in a folder apart")
	erasing := beginErasure(t, bed)
	output := run("backup", backups, "--keys", erasing.folder)
	require.Contains(t, output, "Verified: a server was started on a copy")
	require.Contains(t, bed.Status(), "s ago, verified, in "+backups)
	send(10, 15, http.StatusAccepted)
	requireProcessed(t, bed, 15)
	var middle time.Time
	require.NoError(t, bed.DB.QueryRow(t.Context(), "SELECT now()").Scan(&middle))
	send(15, 20, http.StatusAccepted) // of which some wait
	bed.Eventually("the WAL is kept", func(context.Context) (bool, error) {
		return bed.Count(`SELECT count(*)
			FROM pg_stat_replication
			WHERE application_name = 'pg_receivewal' AND flush_lsn >= (SELECT pg_current_wal_lsn())`) == 1, nil
	})

	data := bed.DestroyPostgres()
	require.NoError(t, wal.Stop(context.Background(), syscall.SIGTERM, time.Minute))
	kept := filepath.Join(backups, "wal")
	output = run("restore", backups, filepath.Join(bed.Folder("elsewhere"), "data"), "--wal", kept, "--until",
		middle.UTC().Format(time.RFC3339Nano))
	requireUntil(t, output, middle)
	run("restore", backups, data, "--wal", kept)
	bed.StartPostgres(t.Context())
	run("check")
	requireProcessed(t, bed, 20)
	reached()
	send(0, 20, http.StatusAccepted) // answered as they were

	erasing.erase(t, run)
	data = bed.DestroyPostgres()
	erasing.killRestore(t, backups, data)
	require.Contains(t, run("restore", backups, data, "--keys", erasing.file()),
		"Erased since, and now again: "+erasing.goes)
	bed.StartPostgres(t.Context())
	run("check")
	erasing.requireForGood(t)
	require.Equal(t, 10, bed.Count("SELECT count(*) FROM transactions"))
	reached()
	send(0, 20, http.StatusAccepted)
	enter(0, 20)
	requireOnce(t, bed, ledger, 20, nil)
	run("check")

	for name, defect := range map[string]struct {
		path string
		says string
	}{
		"a damaged file":       {"cluster.tar.zst", "the backup is damaged"},
		"no manifest":          {"levy-backup.json", "there is no whole backup"},
		"a folder that exists": {"", "exists: move it away first"},
	} {
		broken := filepath.Join(bed.Folder("broken"), "one")
		require.NoError(t, os.RemoveAll(broken))
		require.NoError(t, os.CopyFS(broken, os.DirFS(lastOf(t, backups))))
		target := filepath.Join(bed.Folder("elsewhere"), "another")
		if defect.path == "" {
			target = data
		} else {
			require.NoError(t, os.Remove(filepath.Join(broken, defect.path)))
		}
		_, stderr, err := bed.Try("restore", broken, target)
		require.Error(t, err, name)
		require.Contains(t, stderr, defect.says, name)
		require.NoDirExists(t, filepath.Join(bed.Folder("elsewhere"), "another"), name)
	}
	bed.Exec("DELETE FROM transaction_totals")
	out, _, err := bed.Try("check")
	require.Error(t, err)
	require.Contains(t, string(out), "DEFECT: it does not hold that I-4 what is taxable")
}

// erasure is the erasure of an organization that a backup contains: the key that wrapped its data key at the time of the
// backup, the one that wraps data keys now, and the folder where the wrapped keys are saved.
type erasure struct {
	bed           *testbed.Bed
	first, second string
	folder        string
	stays, goes   string            // organizations
	sealed        map[string][]byte // by organization
	backedUp      map[string]secret.WrappedKey
}

// beginErasure creates the organizations, each with a sealed value.
func beginErasure(t *testing.T, bed *testbed.Bed) *erasure {
	t.Helper()
	e := &erasure{
		bed: bed, first: secret.NewMasterKey("w1"), second: secret.NewMasterKey("w2"), folder: bed.Folder("keys"),
		sealed: map[string][]byte{}, backedUp: map[string]secret.WrappedKey{},
		stays: storetest.Organization(t, bed.DatabaseURL).OrganizationID, goes: storetest.Organization(t,
			bed.DatabaseURL).OrganizationID,
	}
	vault := e.vault(t, e.first)
	for _, id := range []string{e.stays, e.goes} {
		bed.Exec(`INSERT INTO audit (organization_id, id, action, entity_type, entity_id)
			VALUES ($1, $2, 'create', 'organization', $1)`,
			id, models.NewID(models.PrefixAudit))
		key, err := vault.KeyOrNew(t.Context(), id)
		require.NoError(t, err)
		e.sealed[id] = key.Seal("business_contact_ssn", []byte("123456789"))
		var wrapped secret.WrappedKey
		require.NoError(t, bed.DB.QueryRow(t.Context(),
			"SELECT master_key_id, wrapped FROM data_keys WHERE organization_id = $1", id).Scan(&wrapped.MasterKeyID,
			&wrapped.Wrapped))
		e.backedUp[id] = wrapped
	}
	bed.Set("LEVY_WRAPPING_KEYS", e.first)
	return e
}

func (e *erasure) vault(t *testing.T, wrapping string) *secret.Vault {
	t.Helper()
	ring, err := secret.ParseRing(e.bed.MasterKeys)
	require.NoError(t, err)
	ring, err = ring.WithWrapping(wrapping)
	require.NoError(t, err)
	return secret.NewVault(ring, storetest.Open(t, store.Options{URL: e.bed.DatabaseURL, MaxConnections: 1}).Organizations)
}

// file has the wrapped keys.
func (e *erasure) file() string { return filepath.Join(e.folder, "levy-keys.jsonl") }

// erase erases one organization, and replaces the key that wrapped all data keys.
func (e *erasure) erase(t *testing.T, run func(args ...string) string) {
	t.Helper()
	require.Contains(t, run("erase", "--yes", e.goes),
		"3. take the earlier key out of all settings, and destroy all copies of it")
	require.Contains(t, e.bed.Status(), "1 subject is erased since the wrapped keys were saved")
	e.bed.Set("LEVY_WRAPPING_KEYS", e.second+","+e.first)
	require.Contains(t, run("keys", "rotate", "--keys", e.folder), "No data key needs w1")
	e.bed.Set("LEVY_WRAPPING_KEYS", e.second)
}

// killRestore kills the restore of a backup after its keys were restored.
func (e *erasure) killRestore(t *testing.T, backups, data string) {
	t.Helper()
	e.bed.Set("LEVY_FAILPOINTS", "keys_restored=kill")
	_, stderr, err := e.bed.Try("restore", backups, data, "--keys", e.file())
	require.ErrorContains(t, err, "killed", stderr)
	require.NoDirExists(t, data)
	e.bed.Set("LEVY_FAILPOINTS", "")
}

// requireForGood checks that a restored backup does not bring back what was erased.
func (e *erasure) requireForGood(t *testing.T) {
	t.Helper()
	now, before := e.vault(t, e.second), e.vault(t, e.first)
	key, err := now.Key(t.Context(), e.stays)
	require.NoError(t, err)
	plain, err := key.Open("business_contact_ssn", e.sealed[e.stays])
	require.NoError(t, err)
	require.Equal(t, "123456789", string(plain))
	_, err = now.Key(t.Context(), e.goes)
	require.ErrorIs(t, err, secret.ErrNoKey)
	for id, wrapped := range e.backedUp { // what is in the files of the backup
		stored := secret.RecordKey{OrganizationID: id, WrappedKey: wrapped}
		require.ErrorIs(t, now.Opens(stored), secret.ErrUnreadable)
		require.NoError(t, before.Opens(stored), "the key that is destroyed opened it")
	}
	e.bed.VerifyAudit()
}

// requireUntil checks that a restore ended at that time.
func requireUntil(t *testing.T, output string, latest time.Time) {
	t.Helper()
	found := regexp.MustCompile(`until (\S+)`).FindStringSubmatch(output)
	require.NotEmpty(t, found, output)
	last, err := time.Parse(time.RFC3339Nano, found[1])
	require.NoError(t, err)
	require.WithinRange(t, last, latest.Add(-time.Minute), latest)
}

// keepWAL archives the WAL in the folder wal of another one.
func keepWAL(t *testing.T, bed *testbed.Bed, folder string) *local.Process {
	t.Helper()
	cmd := bed.Command("backup", folder, "--wal")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	p, err := local.StartProcess(cmd, syscall.SIGKILL)
	require.NoError(t, err)
	t.Cleanup(func() {
		_ = p.Stop(context.Background(), syscall.SIGKILL, time.Minute)
		if t.Failed() {
			t.Logf("levy backup --wal: %s", stderr.String())
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
