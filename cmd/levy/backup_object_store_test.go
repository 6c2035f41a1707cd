package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"levy/internal/backup/s3test"
	"levy/store/storetest"
)

// storeCommands keep WAL in an object store, take a backup there, save the keys, restore to a moment, and restore everything.
type storeCommands struct{ wal, backup, keys, moment, all []string }

// commandsOfTheRunbook are those that docs/runbook.md prints for an object store, with places of the test in those of the page.
func commandsOfTheRunbook(t *testing.T, places ...string) storeCommands {
	t.Helper()
	content, err := os.ReadFile("../../docs/runbook.md")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(content), "**To a moment, from an object store.**")
	require.True(t, found)
	_, rest, _ = strings.Cut(rest, "\n```\n")
	block, _, _ := strings.Cut(rest, "\n```\n")
	var words [][]string
	for line := range strings.Lines(strings.NewReplacer(places...).Replace(block)) {
		command, _, _ := strings.Cut(line, " #")
		fields := strings.Fields(command)
		require.Equal(t, "levy", fields[0], line)
		words = append(words, fields[1:])
	}
	require.Len(t, words, 6)
	require.Equal(t, []string{"check"}, words[5])
	return storeCommands{wal: words[0], backup: words[1], keys: words[2], moment: words[3], all: words[4]}
}

// commandsOfCompose are those of the services of docker-compose.yml with an object store as BACKUP_PLACE.
func commandsOfCompose(t *testing.T, place, target, all, keys, moment string) storeCommands {
	t.Helper()
	content, err := os.ReadFile("../../docker-compose.yml")
	require.NoError(t, err)
	var compose struct{ Services map[string]composeService }
	require.NoError(t, yaml.Unmarshal(content, &compose))
	words := func(service string, changes ...string) []string {
		command := expanded(compose.Services[service].Command, map[string]string{"BACKUP_PLACE": place})
		return strings.Split(strings.NewReplacer(changes...).Replace(strings.Join(command, "\n")), "\n")
	}
	file := filepath.Join(keys, "levy-keys.jsonl")
	return storeCommands{
		wal: words("wal"), backup: words("backup", "\n--every\n24h", "\n--no-verify"),
		keys:   words("keys", "/home/nonroot/keys", keys, "\n--every\n1h", ""),
		moment: append(words("restore", "/restored/data", target, "/keys/keys/levy-keys.jsonl", file), "--until", moment),
		all:    words("restore", "/restored/data", all, "/keys/keys/levy-keys.jsonl", file),
	}
}

// While a service puts the WAL into an object store, a backup there restores to any moment and to the last one. So it
// does by the commands of the runbook, and by those of the services of compose. The service ends with all that was written, and
// goes on where it was.
func TestAMomentIsRestoredFromAnObjectStore(t *testing.T) {
	t.Parallel()
	objects := s3test.New(t)
	a, start := startApart(t, objects)
	dir := passable(t)
	in := func(name string) string { return filepath.Join(dir, name) }
	const unknown = "2026-11-23T08:30:00Z"
	for name, commands := range map[string]storeCommands{
		"runbook": commandsOfTheRunbook(t, "s3://levy-backups/production", "s3://backups/runbook", "/keys", in("keys"),
			"/var/lib/postgresql/15/before", in("runbook-moment"), "/var/lib/postgresql/15/main", in("runbook-all")),
		"compose": commandsOfCompose(t, "s3://backups/compose", in("compose-moment"), in("compose-all"), in("keys-of-compose"), unknown),
	} {
		a.exec("CREATE TABLE moments (n int)")
		wal := a.service(commands.wal)
		require.Contains(t, a.levy(commands.backup...), "has everything that was committed before")
		a.levy(commands.keys...)
		a.exec("INSERT INTO moments VALUES (1)")
		var middle time.Time
		require.NoError(t, storetest.SQL(t, a.url()).QueryRow(t.Context(), "SELECT now()").Scan(&middle))
		a.exec("INSERT INTO moments VALUES (2)")
		a.exec("SELECT pg_switch_wal()")
		a.exec("INSERT INTO moments VALUES (3)")
		a.sent()
		require.NoError(t, wal(), name)
		require.Regexp(t, `000000010000000000000[0-9A-F]{3}\.partial\.zst`, strings.Join(objectsBelow(t, objects, name+"/wal/"), " "))

		wal = a.service(commands.wal) // it was started anew
		a.exec("INSERT INTO moments VALUES (4)")
		storetest.SQL(t, a.url()).Reset()
		require.NoError(t, a.server.Stop(t.Context()), "a server that stops waits for the archive, and not for ever")
		start()
		a.exec("INSERT INTO moments VALUES (5)")
		a.exec("SELECT pg_switch_wal()")
		a.exec("INSERT INTO moments VALUES (6)")
		a.sent()
		require.NoError(t, wal(), name)

		a.levy(strings.Split(strings.ReplaceAll(strings.Join(commands.moment, "\n"), unknown, middle.Format(time.RFC3339Nano)), "\n")...)
		a.levy(commands.all...)
		for folder, want := range map[string]int{in(name + "-moment"): 1, in(name + "-all"): 6} {
			require.Equal(t, want, rowsOf(t, a.server.Version, folder), folder)
		}
		a.exec("DROP TABLE moments")
	}
}

// service starts a command that runs until it is told to end. It returns what ends it and waits.
func (a *archivingServer) service(words []string) (end func() error) {
	a.t.Helper()
	ctx, cancel := context.WithCancel(a.t.Context())
	var out, log bytes.Buffer
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, words, a.env, &out, &log) }()
	a.sent()
	return func() error {
		cancel()
		return <-ended
	}
}

// sent waits until the service for the WAL has been sent all that was written.
func (a *archivingServer) sent() {
	a.t.Helper()
	var written string
	sql := storetest.SQL(a.t, a.url())
	require.NoError(a.t, sql.QueryRow(a.t.Context(), "SELECT pg_current_wal_flush_lsn()::text").Scan(&written))
	require.Eventually(a.t, func() bool {
		var done bool
		err := sql.QueryRow(a.t.Context(), "SELECT coalesce(bool_or(sent_lsn >= $1::pg_lsn), false) FROM pg_stat_replication "+
			"WHERE application_name = 'levy wal'", written).Scan(&done)
		return err == nil && done
	}, time.Minute, 50*time.Millisecond)
}

// objectsBelow lists the objects below a prefix.
func objectsBelow(t *testing.T, objects *s3test.Server, prefix string) (keys []string) {
	t.Helper()
	all := minio.ListObjectsOptions{Prefix: prefix, Recursive: true}
	for object := range objects.Client.ListObjectsIter(t.Context(), s3test.Bucket, all) {
		require.NoError(t, object.Err)
		keys = append(keys, object.Key)
	}
	return keys
}
