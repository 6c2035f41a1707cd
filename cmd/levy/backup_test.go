package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/minio/minio-go/v7"
	"github.com/stretchr/testify/require"

	"levy/internal/backup"
	"levy/internal/backup/s3test"
	"levy/store/storetest"
)

// The folder of backups may be named from where the command is called, though PostgreSQL's programs run elsewhere.
func TestABackupIntoAFolderFromHere(t *testing.T) {
	t.Chdir(t.TempDir())
	var out, log bytes.Buffer
	env := []string{"LEVY_DATABASE_URL=" + storetest.URL(t), "LEVY_HOME=" + t.TempDir()}
	require.NoError(t, run(t.Context(), []string{"backup", "kept", "--no-verify"}, env, &out, &log), log.String())
	manifests, err := filepath.Glob("kept/*/levy-backup.json")
	require.NoError(t, err)
	require.Len(t, manifests, 1, out.String())
}

// A backup goes to an object store and comes back from there. Unfinished ones and those over the number are removed and
// named. No secret is printed.
func TestABackupInAnObjectStoreIsRestored(t *testing.T) {
	t.Parallel()
	s := s3test.New(t)
	put := func(key, content string) {
		_, err := s.Client.PutObject(t.Context(), s3test.Bucket, key, strings.NewReader(content), int64(len(content)), "", "",
			minio.PutObjectOptions{})
		require.NoError(t, err)
	}
	put("levy/2020-01-01T00-00-00Z/levy-backup.json", `{"archive": {}}`)
	put("levy/2020-01-02T00-00-00Z/unfinished", "")
	put("levy/notes.txt", "of others")
	env := append(s.Environment(), "LEVY_DATABASE_URL="+storetest.URL(t), "LEVY_HOME="+t.TempDir())
	levy := func(env []string, args ...string) (string, error) {
		var out, log bytes.Buffer
		err := run(t.Context(), args, env, &out, &log)
		all := out.String() + log.String()
		require.NotContains(t, all+fmt.Sprint(err), s3test.SecretKey)
		return all, err
	}
	out, err := levy(env, "backup", "s3://backups/levy", "--keep", "1")
	require.NoError(t, err, out)
	require.Contains(t, out, "Removed the unfinished backup s3://backups/levy/2020-01-02T00-00-00Z of an earlier run.")
	require.Contains(t, out, "Removed the old backup s3://backups/levy/2020-01-01T00-00-00Z.")
	require.Contains(t, out, "Verified: a server was started on a copy")
	keys := s.Keys(t)
	require.Len(t, keys, 4, "an archive with its manifest and its list, and what is no backup")
	require.Contains(t, keys, "levy/notes.txt")
	require.Empty(t, s.Uploads(t))

	out, err = levy(env, "backups", "list", "s3://backups/levy", "--json")
	require.NoError(t, err, out)
	var listed listedBackups
	require.NoError(t, json.Unmarshal([]byte(out), &listed))
	require.Len(t, listed.Backups, 1)
	require.NotNil(t, listed.Backups[0].VerifiedAt)
	out, err = levy(env, "backups", "verify", "s3://backups/levy")
	require.NoError(t, err, out)
	require.Contains(t, out, "Every file of "+listed.Backups[0].Place)

	// The usual names of the credentials do, too. A backup may be named by its own address.
	target := filepath.Join(t.TempDir(), "data")
	require.NoError(t, os.Chmod(filepath.Dir(filepath.Dir(target)), 0o755)) //nolint:gosec // the user of PostgreSQL passes
	require.NoError(t, os.Chmod(filepath.Dir(target), 0o755))               //nolint:gosec // through
	amazon := []string{
		"LEVY_S3_ENDPOINT=" + s.URL, "AWS_ACCESS_KEY_ID=" + s3test.AccessKey, "AWS_SECRET_ACCESS_KEY=" + s3test.SecretKey,
		"AWS_REGION=us-east-1",
	}
	out, err = levy(amazon, "restore", listed.Backups[0].Place, target)
	require.NoError(t, err, out)
	require.Contains(t, out, target+" is ready.")
	require.FileExists(t, filepath.Join(target, "PG_VERSION"))

	release := holdSlot(t, env)
	_, err = levy(env, "backup", "s3://backups/levy")
	require.ErrorContains(t, err, "another backup of this server is being taken")
	release()

	wrong := append(slices.Clone(env), "LEVY_S3_SECRET_KEY=another-secret")
	out, err = levy(wrong, "backup", "s3://backups/levy")
	require.ErrorContains(t, err, "does not accept the credentials: check LEVY_S3_ACCESS_KEY and LEVY_S3_SECRET_KEY", out)
	require.NotContains(t, err.Error(), "\n")
	_, err = levy(env, "restore", "s3://backups/elsewhere", target+"2")
	require.ErrorContains(t, err, "there is no whole backup in s3://backups/elsewhere")

	name := filepath.Base(listed.Backups[0].Place)
	put("levy/"+name+"/cluster.tar.zst", "changed")
	_, err = levy(env, "restore", "s3://backups/levy", target+"2")
	require.ErrorContains(t, err, "the backup is damaged, take another one")
	require.NoDirExists(t, target+"2")
	require.NoDirExists(t, target+"2.unfinished")
	_, err = levy(env, "backups", "verify", "s3://backups/levy")
	require.ErrorContains(t, err, "the backup is damaged, take another one")
}

// holdSlot makes the replication slot that a running backup has.
func holdSlot(t *testing.T, env []string) (release func()) {
	t.Helper()
	config, err := pgconn.ParseConfig(newEnvironment(env).values["LEVY_DATABASE_URL"])
	require.NoError(t, err)
	config.RuntimeParams = map[string]string{"replication": "true"}
	conn, err := pgconn.ConnectConfig(t.Context(), config)
	require.NoError(t, err)
	_, err = conn.Exec(t.Context(), "CREATE_REPLICATION_SLOT levy_backup TEMPORARY PHYSICAL").ReadAll()
	require.NoError(t, err)
	return func() { require.NoError(t, conn.Close(t.Context())) }
}

// A folder keeps the number of backups that it is told to.
func TestOldBackupsInAFolderAreRemoved(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	backups := map[string]string{"2020-01-01T00-00-00Z": `{"start_lsn": "0/1000028", "end_lsn": "0/1000100"}`,
		"2020-01-02T00-00-00Z": `{"start_lsn": "0/3000028", "end_lsn": "0/3000100"}`,
		"renamed":              `{"start_lsn": "0/2000028", "end_lsn": "0/2000100"}`}
	const killed = `{"start_lsn": "0/1000028", "end_lsn": "0/1000100", "not_verified": "its verification has not ended"}`
	backups["2019-01-01T00-00-00Z"], backups["2019-01-02T00-00-00Z"] = killed, killed
	for name, manifest := range backups {
		require.NoError(t, os.Mkdir(filepath.Join(folder, name), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(folder, name, "levy-backup.json"), []byte(manifest), 0o600))
	}
	require.NoError(t, os.Mkdir(filepath.Join(folder, "wal"), 0o700))
	require.NoError(t, os.Mkdir(filepath.Join(folder, "2020-01-03T00-00-00Z"), 0o700), "killed while it was verified")
	put := func(name string) {
		require.NoError(t, os.WriteFile(filepath.Join(folder, "wal", name), []byte("wal"), 0o600))
	}
	for _, name := range []string{"000000010000000000000001.zst", "000000010000000000000002.zst", "000000010000000000000003",
		"00000002.history"} {
		put(name)
	}
	var out, log bytes.Buffer
	env := []string{"LEVY_DATABASE_URL=" + storetest.URL(t), "LEVY_HOME=" + t.TempDir()}
	require.NoError(t, run(t.Context(), []string{"backup", folder, "--no-verify", "--keep", "3"}, env, &out, &log), log.String())
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Len(t, entries, 4)
	require.Equal(t, "2020-01-02T00-00-00Z", entries[0].Name())
	require.Equal(t, "wal", entries[3].Name())
	require.Contains(t, out.String(), "Removed the unfinished backup "+filepath.Join(folder, "2019-01-01T00-00-00Z"))
	require.Contains(t, out.String(), "Removed the old backup "+filepath.Join(folder, "2019-01-02T00-00-00Z"))
	require.Contains(t, out.String(), "Removed the unfinished backup "+filepath.Join(folder, "2020-01-03T00-00-00Z"))
	require.Contains(t, out.String(), "Removed 1 segments of WAL that no backup needs")
	kept, err := os.ReadDir(filepath.Join(folder, "wal"))
	require.NoError(t, err)
	require.Len(t, kept, 3, "the segment that the first backup begins with, and later ones")
}

// With --every a backup is due when the last one is that old, also for a process that has just started. Flags that do not
// go with --every are refused.
func TestABackupIsDueWhenTheLastOneIsOld(t *testing.T) {
	t.Parallel()
	folder, now := t.TempDir(), time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	daily := takeBackupCmd{Folder: folder, Every: 24 * time.Hour}
	require.Zero(t, daily.dueIn(t.Context(), backup.Folder(folder), now), "there is none")
	put := func(name, manifest string) {
		require.NoError(t, os.Mkdir(filepath.Join(folder, name), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(folder, name, "levy-backup.json"), []byte(manifest), 0o600))
	}
	put("renamed", "{}")
	for name, want := range map[string]time.Duration{"2026-11-28T12-00-00Z": 0, "2026-11-30T03-00-00Z": 15 * time.Hour} {
		put(name, "{}")
		require.Equal(t, want, daily.dueIn(t.Context(), backup.Folder(folder), now), name)
		require.NoError(t, os.RemoveAll(filepath.Join(folder, name)))
	}
	put("2026-11-30T11-30-00Z", `{"not_verified": "its verification has not ended"}`)
	require.Equal(t, 30*time.Minute, daily.dueIn(t.Context(), backup.Folder(folder), now), "its verification was killed")
	require.NoError(t, daily.check())
	for says, c := range map[string]takeBackupCmd{
		"--every must be one hour or more":  {Every: time.Minute},
		"--wal never ends":                  {Every: 24 * time.Hour, WAL: true},
		"--keep must be":                    {Keep: -1},
		"--json has nothing to print with ": {WAL: true, jsonFlag: jsonFlag{true}},
	} {
		require.ErrorContains(t, c.check(), says)
	}
}

// A command that is interrupted has not done its work: its exit code says so.
func TestAnInterruptedCommandFails(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, log bytes.Buffer
	env := []string{"LEVY_DATABASE_URL=" + storetest.URL(t), "LEVY_HOME=" + t.TempDir()}
	for _, command := range [][]string{{"nexus", "recount"}, {"backup", t.TempDir()}, {"content", "list"}} {
		require.ErrorIs(t, run(ctx, command, env, &out, &log), errInterrupted, command)
	}
}
