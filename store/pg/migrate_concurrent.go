package pg

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"levy/store/migrations"
)

// migrating is a migration in progress.
type migrating struct {
	tell func(line string)
}

// divide returns the files that goose executes, and a function of Levy for each other one. After each failure goose would
// begin a concurrent file from its first statement again, and build its indexes again. A background file is only recorded.
func (m *migrating) divide(files fs.FS, all []migrations.File) (quick fs.FS, byHand []*goose.Migration) {
	hidden := map[string]bool{}
	for _, f := range all {
		up := &goose.GoFunc{RunDB: func(ctx context.Context, db *sql.DB) error { return m.concurrently(ctx, db, f) }}
		switch f.Kind {
		case migrations.Quick:
			continue
		case migrations.Background:
			up = &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error { return recordBackground(ctx, tx, f) }}
		case migrations.Concurrent:
		}
		hidden[f.Name] = true
		byHand = append(byHand, goose.NewGoMigration(f.Version, up, nil))
	}
	return without{files, hidden}, byHand
}

// without is a folder without some of its files.
type without struct {
	fs.FS

	hidden map[string]bool
}

// ReadDir implements fs.ReadDirFS.
func (w without) ReadDir(name string) ([]fs.DirEntry, error) {
	all, err := fs.ReadDir(w.FS, name)
	var shown []fs.DirEntry
	for _, entry := range all {
		if !w.hidden[entry.Name()] {
			shown = append(shown, entry)
		}
	}
	return shown, err
}

// Statements for which nothing waits while they wait: their locks on a table conflict only with changes of its schema.
var (
	createsIndex = regexp.MustCompile(`(?is)^CREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+(?:IF\s+NOT\s+EXISTS\s+)?(\w+)`)
	dropsIndex   = regexp.MustCompile(`(?is)^DROP\s+INDEX\s+CONCURRENTLY\s+(?:IF\s+EXISTS\s+)?(\w+)`)
)

// selectBuilt reports whether an earlier attempt of a migration, $2, has built an index, $1, to its end.
const selectBuilt = `
	SELECT EXISTS (SELECT FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
	         WHERE c.oid = to_regclass($1) AND i.indisvalid AND i.indisready AND obj_description(c.oid, 'pg_class') = $2)`

// selectBroken returns the name of an index that an earlier attempt has not built to its end; no row for another one.
const selectBroken = `
	SELECT indexrelid::regclass::text FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT (indisvalid AND indisready)`

// concurrently executes the statements of a concurrent migration, each by itself. An index that it has built has its
// number as comment until the end. So it neither drops nor builds such an index again when it begins anew, and an invalid
// one that an interruption left is dropped.
func (m *migrating) concurrently(ctx context.Context, db *sql.DB, f migrations.File) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	mark := fmt.Sprintf("built by migration %d", f.Version)
	created := map[string]bool{}
	for _, statement := range f.Statements {
		if match := createsIndex.FindStringSubmatch(statement); match != nil {
			created[match[1]] = true
		}
	}
	var marked []string
	for _, statement := range f.Statements {
		create, drop := createsIndex.FindStringSubmatch(statement), dropsIndex.FindStringSubmatch(statement)
		index := ""
		switch {
		case create != nil:
			index = create[1]
		case drop != nil && created[drop[1]]:
			index = drop[1]
		}
		if index != "" {
			var built bool
			if err := conn.QueryRowContext(ctx, selectBuilt, index, mark).Scan(&built); err != nil {
				return err
			}
			// guard: migrations: an index that was built is not built again
			if built {
				marked = append(marked, index)
				continue
			}
		}
		if err := m.execute(ctx, conn, statement, create != nil || drop != nil); err != nil {
			return err
		}
		if create != nil {
			if err := m.rebuild(ctx, conn, index, statement); err != nil {
				return err
			}
			marked = append(marked, index)
			comment := fmt.Sprintf("COMMENT ON INDEX %s IS '%s'", pgx.Identifier{index}.Sanitize(), mark)
			if err := m.execute(ctx, conn, comment, false); err != nil {
				return err
			}
		}
	}
	for _, index := range marked {
		comment := fmt.Sprintf("COMMENT ON INDEX %s IS NULL", pgx.Identifier{index}.Sanitize())
		if err := m.execute(ctx, conn, comment, false); err != nil {
			return err
		}
	}
	return nil
}

// rebuild builds an index again that the statement has passed over, because an interrupted attempt left it invalid. The
// statement has waited for a session of that attempt that still builds: only now is the index what it stays.
func (m *migrating) rebuild(ctx context.Context, conn *sql.Conn, index, statement string) error {
	var broken string
	err := conn.QueryRowContext(ctx, selectBroken, index).Scan(&broken)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := m.execute(ctx, conn, "DROP INDEX CONCURRENTLY IF EXISTS "+broken, true); err != nil {
		return err
	}
	return m.execute(ctx, conn, statement, true)
}

// execute executes one statement. If it waits, it has no time limit for its locks. Otherwise it is repeated until it gets
// them within theirs. A deadlock leaves an invalid index. So a statement that waits is not repeated after it by itself: the
// migration begins anew and drops the index.
func (m *migrating) execute(ctx context.Context, conn *sql.Conn, statement string, waits bool) error {
	timeout := migrationLockTimeout
	// guard: migrations: concurrent statements wait for readers as long as these take
	if waits {
		timeout = 0
	}
	if _, err := conn.ExecContext(ctx, fmt.Sprintf("SET lock_timeout = %d", timeout.Milliseconds())); err != nil {
		return err
	}
	for {
		_, err := conn.ExecContext(ctx, statement)
		if !isLockTimeout(err) && (waits || !isLockLost(err)) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(lockPause):
		}
	}
}

// watchInterval is the pause between two looks at the sessions that a migration waits for.
const watchInterval = 200 * time.Millisecond

// selectWaiting describes what the connections of a migration wait for, and how far they are.
const selectWaiting = `
	WITH mine AS (
	  SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1),
	blockers AS (
	  SELECT DISTINCT b.pid, b.usename, b.application_name, b.client_addr, b.state,
	         date_trunc('second', b.xact_start) AS since
	    FROM mine m CROSS JOIN LATERAL unnest(pg_blocking_pids(m.pid)) x (pid) JOIN pg_stat_activity b ON b.pid = x.pid
	   WHERE b.pid NOT IN (SELECT pid FROM mine))
	SELECT coalesce(
	  (SELECT 'waits for a lock of ' || string_agg(format('process %s of %s (%s, %s%s%s)', b.pid,
	            coalesce(b.usename, 'another login'), coalesce(nullif(b.application_name, ''), 'without a name'),
	            coalesce(host(b.client_addr), 'local'), ', ' || b.state, ', transaction since ' || b.since), ', and of ' ORDER BY b.pid)
	     FROM blockers b),
	  (SELECT format('builds an index of %s: %s, %s %%', p.relid::regclass, p.phase,
	          coalesce(100 * p.blocks_done / nullif(p.blocks_total, 0), 0) / 10 * 10)
	     FROM pg_stat_progress_create_index p JOIN mine USING (pid) WHERE p.datname = current_database() LIMIT 1),
	  (SELECT format('waits for another migration, process %s', l.pid) FROM pg_locks l
	    WHERE l.locktype = 'advisory' AND l.granted AND l.classid = 0 AND l.objid = $2::bigint
	      AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
	      AND l.pid NOT IN (SELECT pid FROM mine) LIMIT 1),
	  '')`

// watch tells what the migration waits for until ctx ends. Without the right to see other sessions it tells less.
func (m *migrating) watch(ctx context.Context, settings *pgx.ConnConfig) {
	own := settings.Copy()
	own.RuntimeParams["application_name"] = migrationName + " watch"
	conn, err := pgx.ConnectConfig(ctx, own)
	if err != nil {
		return // the migration fails for the same reason
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	tick := time.NewTicker(watchInterval)
	defer tick.Stop()
	last := ""
	for {
		var line string
		err := conn.QueryRow(ctx, selectWaiting, settings.RuntimeParams["application_name"], lock.DefaultLockID).Scan(&line)
		if err != nil {
			return // ctx has ended, or the database does not answer, as the migration says
		}
		if line != "" && line != last {
			last = line
			m.tell("migration " + line)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
