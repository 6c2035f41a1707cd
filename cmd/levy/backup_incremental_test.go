package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/internal/backup"
	"levy/internal/backup/s3test"
	"levy/internal/local/postgres"
	"levy/store/pg"
	"levy/store/storetest"
)

// chainOf makes a folder with backups that have only their manifests. Each one rests on the one before, but those in full.
func chainOf(t *testing.T, names []string, full ...string) backup.Folder {
	t.Helper()
	folder := backup.Folder(t.TempDir())
	var base *backup.Base
	for i, name := range names {
		at, err := backup.BeganAt(name)
		require.NoError(t, err)
		sum := strconv.Itoa(i)
		m := &backup.Manifest{
			BeganAt: at, Major: 17, VerifiedAt: &at, StartLSN: "0/2000028", EndLSN: "0/2000100", Base: base,
			Archive: &backup.Archive{SHA256: sum},
		}
		if slices.Contains(full, name) {
			m.Base = nil
		}
		require.NoError(t, os.Mkdir(filepath.Join(string(folder), name), 0o700))
		require.NoError(t, folder.Write(t.Context(), name, m))
		base = &backup.Base{Name: name, SHA256: sum}
	}
	return folder
}

const (
	first  = "2026-11-01T03-00-00Z"
	second = "2026-11-02T03-00-00Z"
	third  = "2026-11-03T03-00-00Z"
	fourth = "2026-11-08T03-00-00Z"
	fifth  = "2026-11-09T03-00-00Z"
)

// Of the backups over the number, those stay on which a kept one rests.
func TestABackupOnWhichAKeptOneRestsStays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		keep int
		left []string
	}{
		{4, []string{first, second, third, fourth, fifth}},
		{3, []string{first, second, third, fourth, fifth}},
		{2, []string{fourth, fifth}},
		{1, []string{fourth, fifth}},
	} {
		place := chainOf(t, []string{first, second, third, fourth, fifth}, first, fourth)
		var out, log bytes.Buffer
		p := &program{ctx: t.Context(), stdout: &out, stderr: &log}
		require.NoError(t, prune(p, place, c.keep, 16<<20))
		left, _, err := place.Names(t.Context())
		require.NoError(t, err)
		require.Equal(t, c.left, left, c.keep)
		require.Empty(t, log.String())
	}
	place := chainOf(t, []string{first, second, third}, first)
	require.NoError(t, place.Remove(t.Context(), first))
	var out, log bytes.Buffer
	require.NoError(t, prune(&program{ctx: t.Context(), stdout: &out, stderr: &log}, place, 1, 16<<20))
	require.Contains(t, log.String(), "which is not there: an incremental backup is worth nothing without the one on which it rests")
	place = chainOf(t, []string{first, second, third, fourth}, first, third)
	require.NoError(t, place.Remove(t.Context(), third))
	require.NoError(t, prune(&program{ctx: t.Context(), stdout: &out, stderr: &log}, place, 1, 16<<20))
	left, _, err := place.Names(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{first, second, fourth}, left, "one that cannot be restored does not count")
}

// An incremental backup rests on the newest one whose verification has ended, until the last full one is a week old. Where it
// cannot, a full one is taken, and one sentence says why.
func TestAFullBackupIsTakenWhereItMustBe(t *testing.T) {
	t.Parallel()
	can := pg.Server{Major: 17, SummarizesWAL: true}
	c := takeBackupCmd{Incremental: true, FullEvery: 168 * time.Hour, NoVerify: true}
	now := time.Date(2026, 11, 4, 3, 0, 0, 0, time.UTC)
	began := []string{first, second, third}
	base := func(c takeBackupCmd, place backup.Place, facts pg.Server, now time.Time) (*backup.Base, string) {
		var out bytes.Buffer
		p := &program{ctx: t.Context(), stdout: &out, stderr: &out}
		knows := func(_ context.Context, began time.Time, end string) (bool, error) {
			return began.Day() < 10 && end == "0/2000100", nil
		}
		on, err := c.base(p, place, knows, &postgres.Tools{}, facts, now)
		require.NoError(t, err)
		return on, out.String()
	}
	on, said := base(c, chainOf(t, began, first), can, now)
	require.Equal(t, &backup.Base{Name: third, SHA256: "2"}, on)
	require.Empty(t, said)

	begun := chainOf(t, began, first)
	m, err := begun.Read(t.Context(), third)
	require.NoError(t, err)
	m.VerifiedAt, m.NotVerified = nil, "its verification has not ended"
	require.NoError(t, begun.Write(t.Context(), third, m))
	on, _ = base(c, begun, can, now)
	require.Equal(t, second, on.Name, "the newest one may be removed as never verified")

	broken := chainOf(t, began, first)
	require.NoError(t, broken.Remove(t.Context(), second))
	unreadable, below := chainOf(t, began, first), chainOf(t, began, first)
	require.NoError(t, os.WriteFile(filepath.Join(string(unreadable), third, "levy-backup.json"), []byte("{"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(string(below), second, "levy-backup.json"), []byte("{"), 0o600))
	later := "2026-11-10T03-00-00Z"
	full := takeBackupCmd{FullEvery: 168 * time.Hour}
	verified := c
	verified.NoVerify = false
	for _, want := range []struct {
		c     takeBackupCmd
		place backup.Place
		facts pg.Server
		now   time.Time
		says  string
	}{
		{full, chainOf(t, began, first), can, now, ""},
		{c, chainOf(t, began, first), pg.Server{Major: 15}, now, "WARNING: PostgreSQL 15 takes no incremental backups, as 17 does"},
		{c, chainOf(t, began, first), pg.Server{Major: 17}, now, "only while its setting summarize_wal is on"},
		{verified, chainOf(t, began, first), can, now, "because pg_combinebackup is not beside"},
		{c, chainOf(t, nil), can, now, "There is no backup yet to rest on."},
		{c, broken, can, now, "which is not there"},
		{c, unreadable, can, now, third + " cannot be read: "},
		{c, below, can, now, "WARNING: "},
		{c, chainOf(t, []string{fourth, later}, fourth), can, now.AddDate(0, 0, 7), later + ", as after a restore."},
		{c, chainOf(t, began, first), pg.Server{Major: 18, SummarizesWAL: true}, now, "is of another release."},
		{c, chainOf(t, began, first), can, now.AddDate(0, 0, 4), "The last full backup is of 2026-11-01T03:00:00Z."},
	} {
		on, said := base(want.c, want.place, want.facts, want.now)
		require.Nil(t, on, want.says)
		require.Contains(t, said, want.says)
		if want.says != "" {
			require.True(t, strings.HasSuffix(said, " is taken.\n"), said)
			require.Equal(t, 1, strings.Count(said, "\n"), said)
		}
	}
}

// A server without the setting takes a full backup, and says so.
func TestAServerThatCannotTakesAFullBackup(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	env := []string{"LEVY_DATABASE_URL=" + storetest.URL(t), "LEVY_HOME=" + t.TempDir()}
	var out, log bytes.Buffer
	require.NoError(t, run(t.Context(), []string{"backup", folder, "--incremental", "--no-verify"}, env, &out, &log), log.String())
	require.Contains(t, log.String(), "A full backup is taken.")
	m, err := backup.Folder(folder).Read(t.Context(), "")
	require.ErrorIs(t, err, backup.ErrNotWhole)
	require.Nil(t, m)
	names, _, err := backup.Folder(folder).Names(t.Context())
	require.NoError(t, err)
	m, err = backup.Folder(folder).Read(t.Context(), names[0])
	require.NoError(t, err)
	require.Nil(t, m.Base)
	require.FileExists(t, filepath.Join(folder, names[0], "backup_manifest"))
}

// PostgreSQL 17 takes incremental backups. They are verified on a server, compared and restored with what they rest on, also with WAL
// behind them. Where the list of the base or its archive is damaged, a full one is taken in their place.
func TestIncrementalBackupsAreRestored(t *testing.T) {
	t.Parallel()
	var number int
	require.NoError(t, storetest.SQL(t, storetest.URL(t)).QueryRow(t.Context(),
		"SELECT current_setting('server_version_num')::int").Scan(&number))
	if number < 170000 {
		t.Skip("it needs PostgreSQL 17: set PG_BIN_DIR to the folder of its programs")
	}
	objects := s3test.New(t)
	a, _ := startApart(t, objects)
	dir := passable(t)
	a.exec("ALTER SYSTEM SET summarize_wal = on")
	a.exec("SELECT pg_reload_conf()")
	for name, place := range map[string]string{"folder": filepath.Join(a.folder, "kept"), "bucket": "s3://backups/levy"} {
		a.exec("CREATE TABLE moments (n int)")
		var endWAL func() error
		if name == "bucket" {
			endWAL = a.service([]string{"backup", place, "--wal"})
		}
		require.Contains(t, a.levy("backup", place, "--incremental", "--no-verify"), "There is no backup yet to rest on.")
		for range 2 {
			a.exec("INSERT INTO moments VALUES (1)")
			said := a.levy("backup", place, "--incremental", "--keep", "1")
			require.Contains(t, said, "It is incremental, and rests on "+place)
			require.Contains(t, said, "Verified: a server was started on a copy")
			require.NotContains(t, said, "Removed the old backup")
		}
		opened, err := objectStore{
			S3Endpoint: objects.URL, S3Addressing: "path", S3AccessKey: Secret(s3test.AccessKey), S3SecretKey: Secret(s3test.SecretKey),
		}.place(&program{}, place)
		require.NoError(t, err)
		names, _, err := opened.Names(t.Context())
		require.NoError(t, err)
		require.Len(t, names, 3)
		require.Contains(t, a.levy("backups", "list", place), "rests on "+names[1])
		require.Contains(t, a.levy("backups", "verify", opened.Address(names[2])), "So is every file of the backups on which it rests.")
		for i, backup := range names {
			target := filepath.Join(dir, name+strconv.Itoa(i))
			a.levy("restore", opened.Address(backup), target)
			require.Equal(t, i, rowsOf(t, a.server.Version, target))
			require.NoDirExists(t, target+".unfinished.parts")
		}
		if name == "bucket" {
			a.exec("INSERT INTO moments VALUES (1)")
			a.sent()
			require.NoError(t, endWAL())
			target := filepath.Join(dir, "with-wal")
			a.levy("restore", place, target, "--wal", place+"/wal")
			require.Equal(t, 3, rowsOf(t, a.server.Version, target))
		}
		a.exec("DROP TABLE moments")
	}
	folder := backup.Folder(filepath.Join(a.folder, "kept"))
	names, _, err := folder.Names(t.Context())
	require.NoError(t, err)
	middle := filepath.Join(string(folder), names[1], "cluster.tar.zst")
	whole, err := os.ReadFile(middle)
	require.NoError(t, err)
	require.NoError(t, os.Truncate(middle, 1000))
	var out, log bytes.Buffer
	err = run(t.Context(), []string{"restore", folder.Address(names[2]), filepath.Join(dir, "damaged")}, a.env, &out, &log)
	require.ErrorContains(t, err, folder.Address(names[1])+", on which "+folder.Address(names[2])+" rests: the backup is damaged")
	require.NoError(t, os.WriteFile(middle, whole, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(string(folder), names[2], "backup_manifest"), []byte("{}"), 0o600))
	said := a.levy("backup", string(folder), "--incremental", "--no-verify")
	require.Contains(t, said, "WARNING: no incremental backup: pg_basebackup")
	require.Contains(t, said, "A full backup is taken.")
	names, _, err = folder.Names(t.Context())
	require.NoError(t, err)
	full := names[len(names)-1]
	m, err := folder.Read(t.Context(), full)
	require.NoError(t, err)
	require.Nil(t, m.Base)

	require.NoError(t, os.Truncate(filepath.Join(string(folder), full, "cluster.tar.zst"), 1000))
	said = a.levy("backup", string(folder), "--incremental")
	require.Contains(t, said, "WARNING: the backup is not one: "+folder.Address(full)+", on which ")
	require.Contains(t, said, " rests: the backup is damaged")
	require.Contains(t, said, "Verified: a server was started on a copy")
	a.exec("DELETE FROM backups")
	require.Contains(t, a.levy("backup", string(folder), "--incremental", "--no-verify"), "The database does not know "+string(folder))
}
