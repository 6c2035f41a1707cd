package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/internal/backup"
	"levy/internal/backup/s3test"
	"levy/internal/local/postgres"
	"levy/store/storetest"
)

// archivingServer is a PostgreSQL of its own, whose archive_command is levy backup wal, into a folder and an object store.
type archivingServer struct {
	t       *testing.T
	server  *postgres.Server
	env     []string
	folder  string
	program string
}

// startArchiving starts it with the schema.
func startArchiving(t *testing.T, objects *s3test.Server) *archivingServer {
	t.Helper()
	a, start := startApart(t, objects)
	command := fmt.Sprintf("%[1]s backup wal %[2]s %%p && %[1]s backup wal s3://backups/levy %%p", a.program, a.folder)
	a.exec("ALTER SYSTEM SET archive_mode = on")
	a.exec("ALTER SYSTEM SET archive_command = '" + command + "'")
	storetest.SQL(t, a.url()).Reset()
	require.NoError(t, a.server.Stop(t.Context()))
	start()
	return a
}

// startApart starts a PostgreSQL of its own with the schema, which archives nothing. start starts it again once it was stopped.
func startApart(t *testing.T, objects *s3test.Server) (a *archivingServer, start func()) {
	t.Helper()
	dir := passable(t)
	a = &archivingServer{t: t, folder: filepath.Join(dir, "backups"), program: filepath.Join(dir, "levy")}
	require.NoError(t, os.Mkdir(a.folder, 0o777))
	require.NoError(t, os.Chmod(a.folder, 0o777)) //nolint:gosec // the user of PostgreSQL archives there
	own, err := os.Executable()
	require.NoError(t, err)
	content, err := os.ReadFile(own)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(a.program, content, 0o755)) //nolint:gosec // its user calls it
	config := postgres.Config{Dir: filepath.Join(dir, "postgres"), Fast: true, Out: os.Stderr,
		Environment: append(objects.Environment(), actAs+"="+actAsItself)}
	start = func() {
		a.server, err = postgres.Start(t.Context(), config)
		require.NoError(t, err)
		a.env = append(objects.Environment(), "LEVY_DATABASE_URL="+a.url(), "LEVY_HOME="+t.TempDir())
	}
	start()
	t.Cleanup(func() {
		require.NoError(t, a.server.Stop(context.Background()))
		if a.server.Relocated {
			require.NoError(t, os.RemoveAll(a.server.ClusterDir))
		}
	})
	require.NoError(t, storetest.Migrate(t.Context(), a.url()))
	return a, start
}

func (a *archivingServer) url() string { return a.server.URL("") }

func (a *archivingServer) exec(sql string) {
	a.t.Helper()
	storetest.Execute(a.t, a.url(), sql)
}

// levy runs a command, which succeeds.
func (a *archivingServer) levy(args ...string) string {
	a.t.Helper()
	var out, log bytes.Buffer
	require.NoError(a.t, run(a.t.Context(), args, a.env, &out, &log), log.String())
	return out.String() + log.String()
}

// archived waits until PostgreSQL has archived what it has written.
func (a *archivingServer) archived() {
	a.t.Helper()
	var name string
	sql := storetest.SQL(a.t, a.url())
	require.NoError(a.t, sql.QueryRow(a.t.Context(), "SELECT pg_walfile_name(pg_switch_wal())").Scan(&name))
	require.Eventually(a.t, func() bool {
		var done bool
		err := sql.QueryRow(a.t.Context(), "SELECT coalesce(last_archived_wal >= $1, false) FROM pg_stat_archiver", name).Scan(&done)
		return err == nil && done
	}, time.Minute, 50*time.Millisecond, name)
}

// passable returns a folder through which the user of PostgreSQL can pass.
func passable(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.Chmod(filepath.Dir(dir), 0o755)) //nolint:gosec // as the user of PostgreSQL
	require.NoError(t, os.Chmod(dir, 0o755))               //nolint:gosec // as the user of PostgreSQL
	return dir
}

// A restore reaches a moment by a base backup and the WAL that archive_command kept, in a folder and in an object store. Old WAL
// goes with the backups that need it.
func TestAMomentIsRestoredFromArchivedWAL(t *testing.T) {
	t.Parallel()
	objects := s3test.New(t)
	a := startArchiving(t, objects)
	a.exec("CREATE TABLE moments (n int)")
	places := []string{a.folder, "s3://backups/levy"}
	for _, place := range places {
		require.Contains(t, a.levy("backup", place, "--no-verify"), "has everything that was committed before")
	}
	a.exec("INSERT INTO moments VALUES (1)")
	var middle time.Time
	require.NoError(t, storetest.SQL(t, a.url()).QueryRow(t.Context(), "SELECT now()").Scan(&middle))
	a.exec("INSERT INTO moments VALUES (2)")
	a.archived()
	segments, err := filepath.Glob(filepath.Join(a.folder, "wal", "*"))
	require.NoError(t, err)
	require.NotEmpty(t, segments)
	for _, path := range segments {
		require.True(t, strings.HasSuffix(path, ".zst"), path)
	}
	for i, place := range places {
		for until, want := range map[time.Time]int{middle: 1, {}: 2} {
			target := filepath.Join(passable(t), "data")
			args := []string{"restore", place, target, "--wal", place + "/wal"}
			if !until.IsZero() {
				args = append(args, "--until", until.Format(time.RFC3339Nano))
			}
			a.levy(args...)
			require.Equal(t, want, rowsOf(t, a.server.Version, target), "%d %s", i, until)
		}
	}
	for _, place := range places {
		require.Contains(t, a.levy("backup", place, "--no-verify", "--keep", "1"), "segments of WAL that no backup needs")
	}
	left, err := backup.WALFolder(filepath.Join(a.folder, "wal")).Names(t.Context())
	require.NoError(t, err)
	require.Less(t, len(left), len(segments))

	said, err := levyOn(t, a.url(), "status")
	require.ErrorIs(t, err, errAlarms)
	require.Contains(t, said, "; the WAL since then is archived")
	require.NotContains(t, said, "LevyWALNotArchived")
	a.exec("ALTER SYSTEM SET archive_command = 'false'")
	a.exec("SELECT pg_reload_conf()")
	a.exec("SELECT pg_switch_wal()")
	sql := storetest.SQL(t, a.url())
	require.Eventually(t, func() bool {
		var failed bool
		err := sql.QueryRow(t.Context(), "SELECT failed_count > 0 FROM pg_stat_archiver").Scan(&failed)
		return err == nil && failed
	}, time.Minute, 50*time.Millisecond)
	said, err = levyOn(t, a.url(), "status")
	require.ErrorIs(t, err, errAlarms)
	require.Contains(t, said, "LevyWALNotArchived")
	require.Contains(t, said, "The archive_command of PostgreSQL failed")
	a.exec("ALTER SYSTEM RESET archive_command")
	a.exec("SELECT pg_reload_conf()")
	require.Eventually(t, func() bool {
		said, err = levyOn(t, a.url(), "status")
		return !strings.Contains(said, "LevyWALNotArchived")
	}, time.Minute, 50*time.Millisecond, "nothing is to be archived")
}

// rowsOf starts a server on a restored cluster and counts its moments.
func rowsOf(t *testing.T, version, data string) (n int) {
	t.Helper()
	var major int
	_, err := fmt.Sscanf(version, "%d", &major)
	require.NoError(t, err)
	tools, err := postgres.FindTools(major, filepath.Dir(data))
	require.NoError(t, err)
	server, err := tools.ServePrivately(t.Context(), data, "levy", "levy")
	require.NoError(t, err)
	defer func() { require.NoError(t, server.Stop(t.Context())) }()
	sql := storetest.SQL(t, server.URL("levy", "levy"))
	require.NoError(t, sql.QueryRow(t.Context(), "SELECT count(*) FROM moments").Scan(&n))
	sql.Reset()
	return n
}
