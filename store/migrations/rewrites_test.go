package migrations_test

import (
	"io/fs"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"levy/store"
	"levy/store/migrations"
	"levy/store/storetest"
)

// A migration that writes a table anew locks it for hours, and a reader of an older snapshot finds it empty. A column
// of a domain with a CHECK does that, even without a default.
func TestNoMigrationWritesATableAnew(t *testing.T) {
	t.Parallel()
	address := migratedURL(t)
	conn, s := connect(t, address), storetest.Open(t, store.Options{URL: address})
	names, err := fs.Glob(migrations.FS, "*.sql")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	files := fstest.MapFS{}
	for _, name := range names {
		content, err := fs.ReadFile(migrations.FS, name)
		require.NoError(t, err)
		files[name] = &fstest.MapFile{Data: content}
		before := column[string](t, conn, everyTableFile)
		_, err = s.MigrateFrom(t.Context(), files)
		require.NoError(t, err, name)
		after := column[string](t, conn, everyTableFile)
		for _, table := range before {
			if !slices.Contains(after, table) {
				t.Errorf("%s writes %s anew", name, table)
			}
		}
	}
}

// everyTableFile is each table with the file that has its rows.
const everyTableFile = `SELECT concat_ws(' ', oid::regclass, oid, relfilenode)
	FROM pg_class
	WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1`
