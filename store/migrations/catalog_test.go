package migrations_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// everyObject describes each object of a schema in a line of its own, with all that may differ between two of them.
// Objects of extensions are left out: the version of the extension says what they are.
const everyObject = `
WITH extension_members AS (SELECT classid, objid FROM pg_depend WHERE deptype = 'e'),
relations AS (
  SELECT c.*, c.oid::regclass::text AS name FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace
     AND NOT EXISTS (SELECT FROM extension_members m WHERE m.classid = 'pg_class'::regclass AND m.objid = c.oid))
SELECT concat_ws(' ', 'relation', r.name, r.relkind, r.relpersistence, r.relreplident, r.relrowsecurity, r.reloptions,
       t.reloptions, r.reltablespace, r.relowner::regrole, r.relacl, (SELECT amname FROM pg_am WHERE oid = r.relam),
       pg_get_expr(r.relpartbound, r.oid), CASE WHEN r.relkind IN ('v', 'm') THEN pg_get_viewdef(r.oid) END,
       (SELECT array_agg(inhparent::regclass::text ORDER BY inhseqno) FROM pg_inherits WHERE inhrelid = r.oid))
  FROM relations r LEFT JOIN pg_class t ON t.oid = r.reltoastrelid
UNION ALL
SELECT concat_ws(' ', 'column', r.name, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
       a.attidentity, a.attgenerated, a.attstorage, a.attcompression, a.attcollation::regcollation, a.attstattarget,
       a.attoptions, a.attacl, pg_get_expr(d.adbin, d.adrelid))
  FROM pg_attribute a JOIN relations r ON r.oid = a.attrelid
  LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum WHERE a.attnum > 0
UNION ALL
SELECT concat_ws(' ', 'constraint', conrelid::regclass, contypid::regtype, conname, pg_get_constraintdef(oid),
       convalidated, condeferrable, condeferred)
  FROM pg_constraint WHERE connamespace = 'public'::regnamespace
UNION ALL
SELECT concat_ws(' ', 'index', pg_get_indexdef(i.indexrelid), i.indisvalid, i.indisprimary, i.indisclustered,
                 i.indisreplident)
  FROM pg_index i JOIN relations r ON r.oid = i.indexrelid
UNION ALL
SELECT concat_ws(' ', 'trigger', pg_get_triggerdef(g.oid), g.tgenabled)
  FROM pg_trigger g JOIN relations r ON r.oid = g.tgrelid WHERE NOT g.tgisinternal
UNION ALL
SELECT concat_ws(' ', 'function', pg_get_functiondef(p.oid), p.proowner::regrole, p.proacl)
  FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace
   AND NOT EXISTS (SELECT FROM extension_members m WHERE m.classid = 'pg_proc'::regclass AND m.objid = p.oid)
UNION ALL
SELECT concat_ws(' ', 'type', t.typname, t.typtype, format_type(t.typbasetype, t.typtypmod), t.typnotnull,
       t.typcollation::regcollation, t.typdefault, t.typacl)
  FROM pg_type t WHERE t.typnamespace = 'public'::regnamespace
   AND NOT EXISTS (SELECT FROM extension_members m WHERE m.classid = 'pg_type'::regclass AND m.objid = t.oid)
UNION ALL
SELECT concat_ws(' ', 'sequence', seqrelid::regclass, seqtypid::regtype, seqstart, seqincrement, seqmin, seqmax,
                 seqcache, seqcycle)
  FROM pg_sequence
UNION ALL
SELECT concat_ws(' ', 'extension', extname, extversion, extnamespace::regnamespace) FROM pg_extension
UNION ALL
SELECT concat_ws(' ', 'statistics', pg_get_statisticsobjdef(oid)) FROM pg_statistic_ext
UNION ALL
SELECT concat_ws(' ', 'policy', polrelid::regclass, polname, polcmd, polpermissive, polroles::regrole[],
       pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid))
  FROM pg_policy
UNION ALL
SELECT concat_ws(' ', 'publication', pubname, puballtables) FROM pg_publication
UNION ALL
SELECT concat_ws(' ', 'schema', nspname, nspowner::regrole, nspacl)
  FROM pg_namespace
 WHERE nspname !~ '^pg_(toast_)?temp'
UNION ALL
SELECT concat_ws(' ', 'comment', o.type, o.identity, d.description) FROM pg_description d
 CROSS JOIN LATERAL pg_identify_object(d.classoid, d.objoid, d.objsubid) o
 WHERE d.objoid >= 16384 AND o.schema = 'public' -- others are PostgreSQL's own
ORDER BY 1`

// ofDay matches the table of a day of events, and what belongs to it.
var ofDay = regexp.MustCompile(`\bevents_\d{8}`)

// catalog returns the schema of a database, one line for each object. It leaves out the days of events,
// because they depend on the day of the migration. The database that tests copy may be from the day before.
func catalog(t *testing.T, conn querier) []string {
	t.Helper()
	objects := slices.DeleteFunc(column[string](t, conn, everyObject), ofDay.MatchString)
	for i := range objects {
		// Of two processes that make goose's own table at once, one takes another name for its sequence.
		objects[i] = strings.ReplaceAll(objects[i], "goose_db_version_id_seq1", "goose_db_version_id_seq")
	}
	slices.Sort(objects)
	return objects
}

// A schema that differs in any of these ways is not the same.
func TestTheCatalogShowsEveryDifference(t *testing.T) {
	t.Parallel()
	conn := connect(t, migratedURL(t))
	before := catalog(t, conn)
	for _, change := range []string{
		"ALTER TABLE transactions SET (fillfactor = 41)",
		"ALTER TABLE outbox SET (autovacuum_vacuum_scale_factor = 0.03)",
		"ALTER TABLE transactions SET (toast.autovacuum_enabled = false)",
		"ALTER TABLE products ADD COLUMN more text",
		"ALTER TABLE products ALTER COLUMN name DROP NOT NULL",
		"ALTER TABLE products ALTER COLUMN name SET STATISTICS 7",
		"ALTER TABLE products ALTER COLUMN name SET STORAGE EXTERNAL",
		"ALTER TABLE outbox ALTER COLUMN attempts SET DEFAULT 1",
		"ALTER TABLE products RENAME CONSTRAINT products_status_check TO products_status",
		"ALTER TABLE transaction_stages ALTER COLUMN seq SET INCREMENT BY 2",
		"ALTER DOMAIN amount DROP CONSTRAINT amount_check",
		"DROP INDEX products_created_at",
		"ALTER INDEX products_created_at RENAME TO products_created",
		"DROP TRIGGER filings_status_moves ON filings",
		"ALTER TABLE filings DISABLE TRIGGER filings_status_moves",
		"CREATE OR REPLACE FUNCTION refuse_move() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$",
		"REVOKE EXECUTE ON FUNCTION refuse_move() FROM PUBLIC",
		"GRANT SELECT ON products TO PUBLIC",
		"COMMENT ON TABLE products IS 'goods'",
		"CREATE STATISTICS more ON status, source FROM products",
		"CREATE POLICY mine ON products",
		"ALTER POLICY own_organization ON events USING (true)",
		"CREATE PUBLICATION more FOR ALL TABLES",
		"CREATE VIEW more AS SELECT 1 AS n",
		"CREATE SCHEMA more",
		"DROP EXTENSION btree_gist CASCADE",
	} {
		tx, err := conn.Begin(t.Context())
		require.NoError(t, err)
		_, err = tx.Exec(t.Context(), change)
		require.NoError(t, err, change)
		require.NotEqual(t, before, catalog(t, tx), change)
		require.NoError(t, tx.Rollback(t.Context()))
	}
	require.Equal(t, before, catalog(t, conn))
}

func column[T any](t *testing.T, conn querier, sql string) []T {
	t.Helper()
	rows, err := conn.Query(t.Context(), sql)
	require.NoError(t, err)
	values, err := pgx.CollectRows(rows, pgx.RowTo[T])
	require.NoError(t, err)
	return values
}
