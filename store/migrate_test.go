package store_test

import (
	"context"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/store/migrations"
	"levy/store/pg"
	"levy/store/storetest"
)

// A migration that does not get its lock lets the service continue and tries again. Once it has the lock,
// its statements have no time limit.
func TestMigrationsYieldToTheService(t *testing.T) {
	t.Parallel()
	address := storetest.URL(t)
	s := storetest.Open(t, pg.Options{URL: address})
	organization := storetest.Organization(t, address).OrganizationID
	reader, busy := connectTo(t, address), connectTo(t, address)
	work, err := busy.Begin(t.Context())
	require.NoError(t, err)
	_, err = work.Exec(t.Context(), "UPDATE products SET name = 'Busy' WHERE organization_id = $1", organization)
	require.NoError(t, err)

	files := fstest.MapFS{"90001_try.sql": {Data: []byte(`-- +goose Up
DO $$ BEGIN ASSERT current_setting('statement_timeout') = '0', 'the time of a statement is bounded'; END $$;
ALTER TABLE products ADD COLUMN tried boolean;
`)}}
	type outcome struct {
		applied int
		err     error
	}
	done := make(chan outcome, 1)
	go func() {
		applied, err := s.MigrateFrom(t.Context(), files)
		done <- outcome{applied, err}
	}()
	waiting := func() (n int) {
		require.NoError(t, reader.QueryRow(t.Context(), `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'ALTER TABLE products%'`).Scan(&n))
		return n
	}
	for range 2 { // it waits, gives up, and waits again; reads behind it are answered meanwhile
		require.Eventually(t, func() bool { return waiting() == 1 }, 3*time.Minute, 10*time.Millisecond)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		var n int
		require.NoError(
			t,
			reader.QueryRow(ctx, "SELECT count(*) FROM products WHERE organization_id = $1", organization).Scan(&n),
		)
		cancel()
		require.Equal(t, 1, n)
	}
	require.NoError(t, work.Commit(t.Context()))
	require.Equal(t, outcome{applied: 1}, <-done)
	var tried int
	require.NoError(t, reader.QueryRow(t.Context(), "SELECT count(*) FROM products WHERE tried IS NULL").Scan(&tried))
	require.Equal(t, 1, tried)
}

// A migration that the database ends in favor of another transaction is tried again.
func TestAMigrationIsRepeatedAfterADeadlock(t *testing.T) {
	t.Parallel()
	address := storetest.URL(t)
	s, conn := storetest.Open(t, pg.Options{URL: address}), connectTo(t, address)
	_, err := conn.Exec(t.Context(), "CREATE SEQUENCE quick; CREATE SEQUENCE concurrent")
	require.NoError(t, err)
	const deadlock = `-- +goose StatementBegin
DO $$ BEGIN
  IF nextval('%s') = 1 THEN
    RAISE EXCEPTION 'deadlock' USING ERRCODE = 'deadlock_detected';
  END IF;
END $$;
-- +goose StatementEnd
`
	applied, err := s.MigrateFrom(t.Context(), fstest.MapFS{
		"90001_quick.sql": {Data: []byte("-- +goose Up\n" + fmt.Sprintf(deadlock, "quick"))},
		"90002_concurrent.sql": {Data: []byte("-- +goose NO TRANSACTION\n-- +goose Up\n-- levy: concurrent\n" +
			fmt.Sprintf(deadlock, "concurrent"))},
	})
	require.NoError(t, err)
	require.Equal(t, 2, applied)
	var tries int64
	require.NoError(t, conn.QueryRow(t.Context(), "SELECT nextval('quick') + nextval('concurrent')").Scan(&tries))
	require.EqualValues(t, 6, tries, "each was tried twice")
}

func TestAMigrationThatIsWrongIsNotRepeated(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	applied, err := s.MigrateFrom(t.Context(), fstest.MapFS{
		"90001_good.sql":  {Data: []byte("-- +goose Up\nCREATE TABLE good (n integer);\n")},
		"90002_wrong.sql": {Data: []byte("-- +goose Up\nSELECT 1 / 0;\n")},
	})
	require.ErrorContains(t, err, "division by zero")
	require.Equal(t, 1, applied)
}

// Migrations run while the previous version of the service works. They neither lock its tables for long nor remove
// what its statements name.
func TestMigrationsLetThePreviousVersionWork(t *testing.T) {
	t.Parallel()
	files, err := fs.Glob(migrations.FS, "*.sql")
	require.NoError(t, err)
	for _, path := range files {
		content, err := fs.ReadFile(migrations.FS, path)
		require.NoError(t, err)
		require.Empty(t, careless(string(content)), path)
	}
	for sql, want := range map[string]string{
		"CREATE INDEX x ON transactions (a);": "CREATE " +
			"INDEX x ON transactions",
		"CREATE TABLE mine (a text);\nCREATE INDEX x ON mine (a);":                           "",
		"CREATE INDEX CONCURRENTLY x ON transactions (a);":                                   "",
		"CREATE INDEX x ON ONLY events (a);":                                                 "",
		"ALTER TABLE transactions DROP COLUMN a;":                                            "DROP COLUMN",
		"ALTER TABLE transactions RENAME a TO b;":                                            "RENAME",
		"ALTER TABLE transactions ALTER COLUMN a SET NOT NULL;":                              "SET NOT NULL",
		"ALTER TABLE transactions ADD COLUMN a text NOT NULL;":                               "ADD COLUMN a text NOT NULL",
		"ALTER TABLE transactions ADD COLUMN a text NOT NULL DEFAULT '';\n-- a DROP COLUMN.": "",
	} {
		require.Equal(t, want, strings.Join(careless(sql), ", "), sql)
	}
}

var (
	comments  = regexp.MustCompile(`(?m)--.*$`)
	functions = regexp.MustCompile(`(?s)CREATE (?:OR REPLACE )?FUNCTION .*? AS \$\$.*?\$\$`)
	newTables = regexp.MustCompile(`(?i)CREATE TABLE (?:IF NOT EXISTS )?(\w+)`)
	newIndex  = regexp.MustCompile(`(?i)CREATE (?:UNIQUE )?INDEX (?:IF NOT EXISTS )?(\w+) ON (\w+)`)
	breaking  = regexp.MustCompile(`(?i)DROP COLUMN|DROP TABLE|RENAME|SET NOT NULL|ALTER COLUMN \w+ TYPE`)
	newColumn = regexp.MustCompile(`(?i)ADD COLUMN [^;,]*NOT NULL[^;,]*`)
)

// careless are the parts of a migration that delay or break the previous version.
func careless(sql string) (found []string) {
	sql = functions.ReplaceAllString(comments.ReplaceAllString(sql, ""), "") // their bodies run later
	own := map[string]bool{}
	for _, match := range newTables.FindAllStringSubmatch(sql, -1) {
		own[match[1]] = true
	}
	for _, match := range newIndex.FindAllStringSubmatch(sql, -1) {
		if !own[match[2]] && match[2] != "ONLY" { // of a partitioned table alone, which has no rows
			found = append(found, fmt.Sprintf("CREATE INDEX %s ON %s", match[1], match[2]))
		}
	}
	found = append(found, breaking.FindAllString(sql, -1)...)
	for _, column := range newColumn.FindAllString(sql, -1) {
		if !strings.Contains(strings.ToUpper(column), "DEFAULT") {
			found = append(found, column)
		}
	}
	return found
}

func connectTo(t testing.TB, address string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}
