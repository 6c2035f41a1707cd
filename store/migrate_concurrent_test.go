package store_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/store"
	"levy/store/migrations"
	"levy/store/pg"
	"levy/store/storetest"
)

// twoIndexes is a concurrent migration that builds two indexes.
var twoIndexes = fstest.MapFS{"90001_two.sql": {Data: []byte(`-- +goose NO TRANSACTION
-- +goose Up
-- levy: concurrent
ALTER TABLE products ADD COLUMN IF NOT EXISTS tried boolean;
DROP INDEX CONCURRENTLY IF EXISTS first_index;
CREATE INDEX CONCURRENTLY first_index ON customers (name, id);
CREATE INDEX CONCURRENTLY IF NOT EXISTS second_index ON products (name, id);
`)}}

// lines are what a migration tells.
type lines struct {
	mu  sync.Mutex
	all []string
}

func (l *lines) tell(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, line)
}

func (l *lines) said(part string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Contains(strings.Join(l.all, "\n"), part)
}

type migrated struct {
	applied int
	err     error
}

// migrateBehind begins a migration in the background.
func migrateBehind(t *testing.T, s *store.Store, files fstest.MapFS) (*lines, <-chan migrated) {
	t.Helper()
	told, done := &lines{}, make(chan migrated, 1)
	go func() {
		applied, err := s.MigrateTelling(t.Context(), files, pg.Telling{Line: told.tell, Applied: func() {}})
		done <- migrated{applied, err}
	}()
	return told, done
}

const stateOfIndex = `SELECT i.indexrelid::text || CASE WHEN i.indisvalid THEN ' valid' ELSE ' invalid' END ||
	coalesce(' ' || obj_description(i.indexrelid, 'pg_class'), '') FROM pg_index i WHERE i.indexrelid = to_regclass($1)`

func indexState(t *testing.T, conn *pgx.Conn, name string) (state string) {
	t.Helper()
	require.NoError(t, conn.QueryRow(t.Context(), stateOfIndex, name).Scan(&state))
	return state
}

// readsFor begins a database transaction that reads, and returns the process of the server.
func readsFor(t *testing.T, address, table string) (tx pgx.Tx, process uint32) {
	t.Helper()
	conn := connectTo(t, address)
	tx, err := conn.BeginTx(t.Context(), pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), "SELECT count(*) FROM "+table)
	require.NoError(t, err)
	return tx, conn.PgConn().PID()
}

// A reader that stays longer than the limit of locks delays a concurrent migration, which names the process. Nothing that
// was built is dropped, and writes continue.
func TestAConcurrentMigrationWaitsForAReader(t *testing.T) {
	t.Parallel()
	address := storetest.URL(t)
	s := storetest.Open(t, pg.Options{URL: address})
	scope := storetest.Organization(t, address)
	look := connectTo(t, address)
	reader, process := readsFor(t, address, "customers")
	told, done := migrateBehind(t, s, twoIndexes)
	require.Eventually(t, func() bool { return told.said(fmt.Sprintf("waits for a lock of process %d of ", process)) },
		time.Minute, time.Millisecond)
	var building string
	require.Eventually(t, func() bool {
		var waited bool
		require.NoError(t, look.QueryRow(t.Context(), `SELECT EXISTS (SELECT FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'CREATE INDEX CONCURRENTLY%'
			  AND now() - query_start > interval '2500 ms')`).Scan(&waited))
		if building == "" && waited {
			require.NoError(t, look.QueryRow(t.Context(), `SELECT indexrelid::regclass::text FROM pg_index
				WHERE indexrelid IN (to_regclass('first_index'), to_regclass('second_index')) AND NOT indisvalid`).Scan(&building))
		}
		return waited
	}, time.Minute, 20*time.Millisecond)
	before := indexState(t, look, building)
	_, err := look.Exec(t.Context(), "UPDATE products SET name = 'Busy' WHERE organization_id = $1", scope.OrganizationID)
	require.NoError(t, err)
	require.NoError(t, reader.Rollback(t.Context()))
	require.Equal(t, migrated{applied: 1}, <-done)
	oid, _, _ := strings.Cut(before, " ")
	require.Equal(t, oid+" valid", indexState(t, look, building))
	require.Regexp(t, `^\d+ valid$`, indexState(t, look, "first_index"))
	require.Regexp(t, `^\d+ valid$`, indexState(t, look, "second_index"))
}

// A migration that is killed goes on where it stopped: an index that it has built stays, an invalid one is built again.
func TestAKilledMigrationGoesOn(t *testing.T) {
	t.Parallel()
	address := storetest.URL(t)
	s := storetest.Open(t, pg.Options{URL: address})
	look := connectTo(t, address)
	_, err := look.Exec(t.Context(), "ALTER TABLE products ADD COLUMN IF NOT EXISTS tried boolean")
	require.NoError(t, err)
	// The reader holds a lock of the second table alone that its index waits for from the beginning.
	holder := connectTo(t, address)
	held, err := holder.Begin(t.Context())
	require.NoError(t, err)
	_, err = held.Exec(t.Context(), "LOCK TABLE products IN SHARE UPDATE EXCLUSIVE MODE")
	require.NoError(t, err)
	_, done := migrateBehind(t, s, fstest.MapFS{"90001_two.sql": {Data: []byte(strings.Replace(
		string(twoIndexes["90001_two.sql"].Data), "ALTER TABLE products ADD COLUMN IF NOT EXISTS tried boolean;\n", "", 1))}})
	var process int
	require.Eventually(t, func() bool {
		err := look.QueryRow(t.Context(), `SELECT coalesce(min(pid), 0) FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock'
			  AND query LIKE 'CREATE INDEX CONCURRENTLY IF NOT EXISTS second_index%'`).Scan(&process)
		require.NoError(t, err)
		return process != 0
	}, time.Minute, 5*time.Millisecond)
	first := indexState(t, look, "first_index")
	require.Regexp(t, `^\d+ valid built by migration 90001$`, first)
	_, err = look.Exec(t.Context(), "SELECT pg_terminate_backend($1)", process)
	require.NoError(t, err)
	outcome := <-done
	require.Error(t, outcome.err)
	require.Zero(t, outcome.applied)
	require.NoError(t, held.Rollback(t.Context()))

	// The second index is left invalid, as after a kill while it waits for a reader.
	_, err = look.Exec(t.Context(), "CREATE INDEX CONCURRENTLY second_index ON products (name, id)")
	require.NoError(t, err)
	_, err = look.Exec(t.Context(), "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'second_index'::regclass")
	require.NoError(t, err)
	left := indexState(t, look, "second_index")
	applied, err := s.MigrateFrom(t.Context(), twoIndexes)
	require.NoError(t, err)
	require.Equal(t, 1, applied)
	oid, _, _ := strings.Cut(first, " ")
	require.Equal(t, oid+" valid", indexState(t, look, "first_index"), "it was not built again")
	second := indexState(t, look, "second_index")
	require.Regexp(t, `^\d+ valid$`, second)
	require.NotEqual(t, strings.Fields(left)[0], strings.Fields(second)[0])
}

// A quick migration says which session has its lock.
func TestAQuickMigrationSaysWhoHasItsLock(t *testing.T) {
	t.Parallel()
	address := storetest.URL(t)
	s := storetest.Open(t, pg.Options{URL: address})
	reader, process := readsFor(t, address, "products")
	told, done := migrateBehind(t, s, fstest.MapFS{"90001_quick.sql": {Data: []byte(
		"-- +goose Up\n-- levy: quick\nALTER TABLE products ADD COLUMN tried boolean;\n")}})
	require.Eventually(t, func() bool { return told.said(fmt.Sprintf("waits for a lock of process %d of ", process)) },
		time.Minute, time.Millisecond)
	require.NoError(t, reader.Rollback(t.Context()))
	require.Equal(t, migrated{applied: 1}, <-done)
}

// A publication of all tables breaks no write: every table says what identifies its rows.
func TestEveryTableHasAnIdentity(t *testing.T) {
	t.Parallel()
	address := storetest.URL(t)
	conn := connectTo(t, address)
	rows, err := conn.Query(t.Context(), `SELECT c.relname::text FROM pg_class c
		WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace AND c.relreplident IN ('d', 'n')
		  AND NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary)`)
	require.NoError(t, err)
	without, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Empty(t, without)
	scope := storetest.Organization(t, address)
	_, err = conn.Exec(t.Context(), "CREATE PUBLICATION everything FOR ALL TABLES")
	require.NoError(t, err)
	_, err = conn.Exec(t.Context(), `INSERT INTO nexus_tax_changes (organization_id, country_code, state_code, member_code,
		  currency, day, tax, collected, liability) VALUES ($1, 'US', 'NY', 'US', 'USD', '2026-01-01', 1, 1, 1)`,
		scope.OrganizationID)
	require.NoError(t, err)
	_, err = conn.Exec(t.Context(), "DELETE FROM nexus_tax_changes")
	require.NoError(t, err)
}

// The plan lists what the database lacks, with the sizes of existing tables, and changes nothing.
func TestThePlanOfAMigration(t *testing.T) {
	t.Parallel()
	address := storetest.URL(t)
	s := storetest.Open(t, pg.Options{URL: address})
	plan, err := s.MigrationPlan(t.Context())
	require.NoError(t, err)
	require.Empty(t, plan)
	conn := connectTo(t, address)
	_, err = conn.Exec(t.Context(), "DELETE FROM goose_db_version WHERE version_id = 270")
	require.NoError(t, err)
	plan, err = s.MigrationPlan(t.Context())
	require.NoError(t, err)
	require.Len(t, plan, 1)
	require.Equal(t, "00270_identities.sql", plan[0].File)
	require.Equal(t, migrations.Concurrent, plan[0].Kind)
	require.Len(t, plan[0].Tables, 7)
	require.Positive(t, plan[0].Tables[0].Bytes)

	empty := storetest.Open(t, pg.Options{URL: storetest.UnmigratedURL(t)})
	plan, err = empty.MigrationPlan(context.WithoutCancel(t.Context()))
	require.NoError(t, err)
	require.Greater(t, len(plan), 30)
	require.Equal(t, "00240_baseline.sql", plan[0].File)
	require.Empty(t, plan[0].Tables)
}
