package migrations_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/stretchr/testify/require"

	"levy/store"
	"levy/store/migrations"
	"levy/store/pg"
	"levy/store/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m) }

// A database of 0.3.0 is at the baseline: nothing of it is changed. From there on it is the same as a new one, also in the
// rows that migrations write.
func TestADatabaseOfTheFirstVersionIsAtTheBaseline(t *testing.T) {
	t.Parallel()
	address := storetest.UnmigratedURL(t)
	_, err := firstVersion(t, address).Up(t.Context())
	require.NoError(t, err)
	conn, s := connect(t, address), storetest.Open(t, store.Options{URL: address})
	fresh := connect(t, migratedURL(t))
	require.Equal(t, catalog(t, fresh), catalog(t, conn))
	require.Equal(t, content(t, fresh), content(t, conn))
	require.NotEmpty(t, content(t, fresh)["installation"])
	require.Equal(t, column[int64](t, fresh, everyVersion), column[int64](t, conn, everyVersion))

	storage := column[string](t, conn, everyFile)
	require.Zero(t, migrate(t, s))
	require.Equal(t, storage, column[string](t, conn, everyFile), "a table or an index was made anew")
	require.ErrorIs(t, s.CheckMigrated(t.Context()), pg.ErrNotMigrated)

	_, err = s.Migrate(t.Context())
	require.NoError(t, err)
	require.NoError(t, s.SecureRows(t.Context()))
	require.NoError(t, s.CheckMigrated(t.Context()))
	later := connect(t, storetest.URL(t))
	require.Equal(t, catalog(t, later), catalog(t, conn), "after later migrations")
	require.Equal(t, content(t, later), content(t, conn), "after later migrations")
}

// Processes of 0.3.0 continue during a rolling upgrade, and may be restored after it, whether the database was upgraded or
// is new.
func TestTheFirstVersionWorksAtTheBaseline(t *testing.T) {
	t.Parallel()
	upgraded := storetest.UnmigratedURL(t)
	_, err := firstVersion(t, upgraded).Up(t.Context())
	require.NoError(t, err)
	require.Zero(t, migrate(t, storetest.Open(t, store.Options{URL: upgraded})))
	for name, address := range map[string]string{"upgraded": upgraded, "new": migratedURL(t)} {
		release := firstVersion(t, address)
		pending, err := release.HasPending(t.Context())
		require.NoError(t, err, name)
		require.False(t, pending, name)
		results, err := release.Up(t.Context())
		require.NoError(t, err, name)
		require.Empty(t, results, name)
	}
}

// A database of any earlier version is refused and not changed, until 0.3.0 has migrated it.
func TestADatabaseOfAnEarlierVersionIsRefused(t *testing.T) {
	t.Parallel()
	address := storetest.UnmigratedURL(t)
	conn, s, release := connect(t, address), storetest.Open(t, store.Options{URL: address}), firstVersion(t, address)
	for _, version := range []int64{33, 34, 142, migrations.Baseline - 1} {
		_, err := release.UpTo(t.Context(), version)
		require.NoError(t, err)
		schema, versions := column[string](t, conn, everyFile), column[int64](t, conn, everyVersion)
		applied, err := s.Migrate(t.Context())
		require.EqualError(t, err,
			"the database was last migrated by a version before 0.3.0: upgrade to 0.3.0 first, then to this version")
		require.ErrorIs(t, err, migrations.ErrTooOld)
		require.Zero(t, applied)
		_, err = s.MigrationPlan(t.Context())
		require.ErrorIs(t, err, migrations.ErrTooOld)
		require.Equal(t, schema, column[string](t, conn, everyFile))
		require.Equal(t, versions, column[int64](t, conn, everyVersion))
		require.ErrorIs(t, s.CheckMigrated(t.Context()), pg.ErrNotMigrated)
	}
	_, err := release.Up(t.Context())
	require.NoError(t, err)
	_, err = s.Migrate(t.Context())
	require.NoError(t, err)
}

// Two processes may create the schema at once: one works, the other finds it done.
func TestTheBaselineIsReachedOnce(t *testing.T) {
	t.Parallel()
	address := storetest.UnmigratedURL(t)
	var all sync.WaitGroup
	applied, errs := make([]int, 2), make([]error, 2)
	for i := range applied {
		s := storetest.Open(t, store.Options{URL: address})
		all.Go(func() { applied[i], errs[i] = s.MigrateFrom(t.Context(), baseline(t)) })
	}
	all.Wait()
	require.NoError(t, errors.Join(errs...))
	slices.Sort(applied)
	require.Equal(t, []int{0, 1}, applied)
	conn := connect(t, address)
	require.Equal(t, []int64{1}, column[int64](t, conn, "SELECT count(*) FROM goose_db_version WHERE version_id = 240"))
	require.Equal(t, catalog(t, connect(t, migratedURL(t))), catalog(t, conn))
}

// The schema is created as a whole or not at all.
func TestTheBaselineIsMadeAsAWhole(t *testing.T) {
	t.Parallel()
	address := storetest.UnmigratedURL(t)
	conn, s := connect(t, address), storetest.Open(t, store.Options{URL: address})
	_, err := conn.Exec(t.Context(), "CREATE TABLE passkeys (n integer)")
	require.NoError(t, err)
	_, err = s.Migrate(t.Context())
	require.ErrorContains(t, err, `relation "passkeys" already exists`)
	require.Equal(t, []string{"goose_db_version", "passkeys"},
		column[string](t, conn, "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public' ORDER BY 1"))
	_, err = conn.Exec(t.Context(), "DROP TABLE passkeys")
	require.NoError(t, err)
	require.Equal(t, 1, migrate(t, s))
	require.Equal(t, catalog(t, connect(t, migratedURL(t))), catalog(t, conn))
}

// A database that has the baseline would lack a file with a lower number for good.
func TestNoMigrationHasANumberBelowTheBaseline(t *testing.T) {
	t.Parallel()
	files, err := migrations.Files(migrations.FS)
	require.NoError(t, err)
	require.EqualValues(t, migrations.Baseline, files[0].Version)
	_, err = migrations.Files(fstest.MapFS{"00239_try.sql": {Data: []byte("-- +goose Up\n-- levy: quick\nSELECT 1;\n")}})
	require.EqualError(t, err, "migration 00239_try.sql: its number is below that of the baseline, 00240")
}

const (
	everyVersion = "SELECT version_id FROM goose_db_version WHERE is_applied ORDER BY 1"
	// The file of a table or an index, and its object.
	everyFile = `SELECT concat_ws(' ', oid::regclass, oid, relfilenode)
		FROM pg_class
		WHERE relnamespace = 'public'::regnamespace ORDER BY 1`
	everyOrdinaryTable = `SELECT relname::text
		FROM pg_class
		WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND NOT relispartition AND relname <> 'goose_db_version'`
)

// content returns the rows of the tables that have any, without the times at which they were written.
func content(t *testing.T, conn *pgx.Conn) map[string]string {
	t.Helper()
	rows := map[string]string{}
	for _, table := range column[string](t, conn, everyOrdinaryTable) {
		text := column[string](t, conn, fmt.Sprintf(`SELECT coalesce(string_agg(DISTINCT line, E'\n'), '')
			FROM (SELECT regexp_replace(t::text, '\d{4}-\d\d-\d\d \d\d:\d\d:[0-9.+:-]+', 'TIME', 'g') AS line FROM %s t) lines`,
			pgx.Identifier{table}.Sanitize()))
		if text[0] != "" {
			rows[table] = text[0]
		}
	}
	return rows
}

// firstVersion migrates as 0.3.0 does, by its own files: the SQL of its folder store/migrations. Its first migration is a
// folder, which it executes as a whole before it records the numbers that the folder replaces.
func firstVersion(t *testing.T, address string) *goose.Provider {
	t.Helper()
	packed, err := os.Open("testdata/migrations_0.3.0.tar.gz")
	require.NoError(t, err)
	defer packed.Close()
	unpacked, err := gzip.NewReader(packed)
	require.NoError(t, err)
	files := fstest.MapFS{}
	first := bytes.NewBufferString("-- +goose Up\n-- +goose StatementBegin\n")
	for archive := tar.NewReader(unpacked); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		sql, err := io.ReadAll(archive)
		require.NoError(t, err)
		if strings.HasPrefix(header.Name, "00033_schema/") {
			first.Write(sql)
			continue
		}
		files[header.Name] = &fstest.MapFile{Data: sql}
	}
	first.WriteString(`
INSERT INTO goose_db_version (version_id, is_applied)
SELECT unnest('{1,2,3,4,5,6,7,8,9,10,11,12,14,15,16,17,18,19,20,21,24,26,27,30,31,32}'::bigint[]), true;
-- +goose StatementEnd
`)
	files["00033_schema.sql"] = &fstest.MapFile{Data: first.Bytes()}
	config, err := pgx.ParseConfig(address)
	require.NoError(t, err)
	db := stdlib.OpenDB(*config)
	t.Cleanup(func() { _ = db.Close() })
	provider, err := goose.NewProvider(goose.DialectPostgres, db, files)
	require.NoError(t, err)
	return provider
}

// migratedURL is the address of a database that the baseline was made in, and not copied.
func migratedURL(t *testing.T) string {
	t.Helper()
	address := storetest.UnmigratedURL(t)
	require.Equal(t, 1, migrate(t, storetest.Open(t, store.Options{URL: address})))
	return address
}

// baseline is the baseline without the later migrations.
func baseline(t *testing.T) fs.FS {
	t.Helper()
	files, err := migrations.Files(migrations.FS)
	require.NoError(t, err)
	sql, err := fs.ReadFile(migrations.FS, files[0].Name)
	require.NoError(t, err)
	return fstest.MapFS{files[0].Name: {Data: sql}}
}

// migrate goes to the baseline and no further.
func migrate(t *testing.T, s *store.Store) int {
	t.Helper()
	applied, err := s.MigrateFrom(t.Context(), baseline(t))
	require.NoError(t, err)
	return applied
}

// querier is a connection or a transaction.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

func connect(t *testing.T, address string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}
