package migrations_test

import (
	"archive/zip"
	"context"
	"errors"
	"io/fs"
	"slices"
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

// A database of release 4db6fe9 is at the baseline: migrating it records that, and changes nothing else. From there on
// it is the same as a new one.
func TestADatabaseOfTheReleaseBeforeIsAtTheBaseline(t *testing.T) {
	t.Parallel()
	address := storetest.UnmigratedURL(t)
	release := releaseBefore(t, address)
	_, err := release.Up(t.Context())
	require.NoError(t, err)
	organization := storetest.Organization(t, address).OrganizationID
	conn, s := connect(t, address), storetest.Open(t, store.Options{URL: address})
	schema, rows, storage := catalog(t, conn), column[string](t, conn, everyRow), column[string](t, conn, everyFile)
	require.ErrorIs(t, s.CheckMigrated(t.Context()), pg.ErrNotMigrated)

	require.Equal(t, 1, migrate(t, s))
	require.Equal(t, schema, catalog(t, conn))
	require.Equal(t, rows, column[string](t, conn, everyRow))
	require.Contains(t, rows[0], organization)
	require.Equal(t, storage, column[string](t, conn, everyFile), "a table or an index was made anew")

	fresh := connect(t, migratedURL(t))
	require.Equal(t, catalog(t, fresh), catalog(t, conn))
	require.Equal(t, column[int64](t, fresh, everyVersion), column[int64](t, conn, everyVersion))

	require.Zero(t, migrate(t, s))
	_, err = s.Migrate(t.Context())
	require.NoError(t, err)
	require.NoError(t, s.SecureRows(t.Context()))
	require.NoError(t, s.CheckMigrated(t.Context()))
	// Where there was an organization, tax ids are encrypted from `levy keys seal` on; else from the start.
	fromBefore := "SELECT tax_ids_from_before FROM installation"
	later := connect(t, storetest.URL(t))
	require.Equal(t, []bool{true}, column[bool](t, conn, fromBefore))
	require.Equal(t, []bool{false}, column[bool](t, later, fromBefore))
	require.Equal(t, catalog(t, later), catalog(t, conn), "after later migrations")
}

// Processes of the previous release continue during a rolling upgrade, and may be restored after it, whether the
// database was upgraded or is new.
func TestTheReleaseBeforeWorksAtTheBaseline(t *testing.T) {
	t.Parallel()
	upgraded := storetest.UnmigratedURL(t)
	_, err := releaseBefore(t, upgraded).Up(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, migrate(t, storetest.Open(t, store.Options{URL: upgraded})))
	for name, address := range map[string]string{"upgraded": upgraded, "new": migratedURL(t)} {
		release := releaseBefore(t, address)
		pending, err := release.HasPending(t.Context())
		require.NoError(t, err, name)
		require.False(t, pending, name)
		results, err := release.Up(t.Context())
		require.NoError(t, err, name)
		require.Empty(t, results, name)
	}
}

// A database of any earlier release is refused and not changed, until release 4db6fe9 has migrated it.
func TestADatabaseOfAnEarlierReleaseIsRefused(t *testing.T) {
	t.Parallel()
	address := storetest.UnmigratedURL(t)
	conn, s, release := connect(t, address), storetest.Open(t, store.Options{URL: address}), releaseBefore(t, address)
	steps := len(release.ListSources())
	require.Equal(t, 26, steps)
	for range steps - 1 {
		_, err := release.UpByOne(t.Context())
		require.NoError(t, err)
		schema, versions := column[string](t, conn, everyFile), column[int64](t, conn, everyVersion)
		applied, err := s.Migrate(t.Context())
		require.EqualError(t, err, "the database was last migrated by a release before 4db6fe9: "+
			"run `levy migrate` of release 4db6fe9 on it first, then `levy migrate` of this release")
		require.ErrorIs(t, err, migrations.ErrTooOld)
		require.Zero(t, applied)
		require.Equal(t, schema, column[string](t, conn, everyFile))
		require.Equal(t, versions, column[int64](t, conn, everyVersion))
		require.ErrorIs(t, s.CheckMigrated(t.Context()), pg.ErrNotMigrated)
	}
	_, err := release.Up(t.Context())
	require.NoError(t, err)
	_, err = s.Migrate(t.Context())
	require.NoError(t, err)
}

// Two processes may reach the baseline at once: one works, the other finds it done.
func TestTheBaselineIsReachedOnce(t *testing.T) {
	t.Parallel()
	upgraded := storetest.UnmigratedURL(t)
	_, err := releaseBefore(t, upgraded).Up(t.Context())
	require.NoError(t, err)
	for name, address := range map[string]string{"upgraded": upgraded, "new": storetest.UnmigratedURL(t)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var all sync.WaitGroup
			applied, errs := make([]int, 2), make([]error, 2)
			for i := range applied {
				s := storetest.Open(t, store.Options{URL: address})
				all.Go(func() { applied[i], errs[i] = s.MigrateFrom(t.Context(), noFiles) })
			}
			all.Wait()
			require.NoError(t, errors.Join(errs...))
			slices.Sort(applied)
			require.Equal(t, []int{0, 1}, applied)
			conn := connect(t, address)
			require.Equal(t, []int64{1}, column[int64](t, conn, "SELECT count(*) FROM goose_db_version WHERE version_id = 33"))
			require.Equal(t, catalog(t, connect(t, migratedURL(t))), catalog(t, conn))
		})
	}
}

// The schema is created as a whole or not at all, and an error names the file that failed.
func TestTheBaselineIsMadeAsAWhole(t *testing.T) {
	t.Parallel()
	address := storetest.UnmigratedURL(t)
	conn, s := connect(t, address), storetest.Open(t, store.Options{URL: address})
	_, err := conn.Exec(t.Context(), "CREATE TABLE filing_rates (n integer)")
	require.NoError(t, err)
	_, err = s.Migrate(t.Context())
	require.ErrorContains(t, err, `00033_schema/13_filing_claims.sql: ERROR: relation "filing_rates" already exists`)
	require.Equal(t, []string{"filing_rates", "goose_db_version"},
		column[string](t, conn, "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public' ORDER BY 1"))
	_, err = conn.Exec(t.Context(), "DROP TABLE filing_rates")
	require.NoError(t, err)
	require.Equal(t, 1, migrate(t, s))
	require.Equal(t, catalog(t, connect(t, migratedURL(t))), catalog(t, conn))
}

const (
	everyVersion = "SELECT version_id FROM goose_db_version WHERE is_applied ORDER BY 1"
	// The file of a table or an index, and its object.
	everyFile = `SELECT concat_ws(' ', oid::regclass, oid, relfilenode)
		FROM pg_class
		WHERE relnamespace = 'public'::regnamespace ORDER BY 1`
	// The rows, with the transaction that wrote them.
	everyRow = `SELECT concat_ws(' ', o.xmin, o, s.xmin, s, d.xmin, d, b.xmin, b, p.xmin, p) FROM organizations o
		JOIN organization_settings s ON s.organization_id = o.id JOIN organization_details d ON d.organization_id = o.id
		JOIN onboardings b ON b.organization_id = o.id JOIN products p ON p.organization_id = o.id ORDER BY 1`
)

// releaseBefore migrates as release 4db6fe9 does, by its own files:
// `git archive --format=zip 4db6fe9:store/migrations '*.sql'`.
func releaseBefore(t *testing.T, address string) *goose.Provider {
	t.Helper()
	files, err := zip.OpenReader("testdata/migrations_4db6fe9.zip")
	require.NoError(t, err)
	t.Cleanup(func() { _ = files.Close() })
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

// noFiles are the migrations after the baseline that a test leaves out.
var noFiles fs.FS = fstest.MapFS{}

// migrate goes to the baseline and no further.
func migrate(t *testing.T, s *store.Store) int {
	t.Helper()
	applied, err := s.MigrateFrom(t.Context(), noFiles)
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
