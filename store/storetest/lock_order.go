package storetest

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"

	"levy/store/pg"
)

// LockOrder records each database transaction that waits for an advisory lock although it has a later one in the order
// of pg.Lock. It reads the text of the statements, and the locks in the database, including those of triggers.
type LockOrder struct {
	mu     sync.Mutex
	faults []string
	known  map[*pgx.Conn][]pg.Lock // locks with hashed keys, by the connection that has them
}

// Faults returns the recorded faults.
func (o *LockOrder) Faults() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.faults)
}

type readsLocks struct{}

// TraceQueryStart implements pgx.QueryTracer.
func (o *LockOrder) TraceQueryStart(ctx context.Context, conn *pgx.Conn, d pgx.TraceQueryStartData) context.Context {
	o.track(ctx, conn, d.SQL)
	return ctx
}

// TraceQueryEnd implements pgx.QueryTracer.
func (o *LockOrder) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// TraceBatchStart implements pgx.BatchTracer.
func (o *LockOrder) TraceBatchStart(ctx context.Context, conn *pgx.Conn, d pgx.TraceBatchStartData) context.Context {
	statements := make([]string, len(d.Batch.QueuedQueries))
	for i, q := range d.Batch.QueuedQueries {
		statements[i] = q.SQL
	}
	o.track(ctx, conn, statements...)
	return ctx
}

// TraceBatchQuery implements pgx.BatchTracer.
func (o *LockOrder) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd implements pgx.BatchTracer.
func (o *LockOrder) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

const waits = "pg_advisory_xact_lock"

// track tracks the locks of a connection through statements before they are sent.
func (o *LockOrder) track(ctx context.Context, conn *pgx.Conn, statements ...string) {
	if ctx.Value(readsLocks{}) != nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if conn.PgConn().TxStatus() == 'I' { // the locks of the previous transaction were released with it
		delete(o.known, conn)
	}
	if !slices.ContainsFunc(statements, func(sql string) bool { return strings.Contains(sql, waits) }) {
		return
	}
	held, err := o.locksOf(ctx, conn)
	if err != nil {
		return // the statements fail, too
	}
	var saved [][]pg.Lock
	for _, sql := range statements {
		switch {
		case strings.HasPrefix(sql, "SAVEPOINT"):
			saved = append(saved, slices.Clone(held))
		case strings.HasPrefix(sql, "ROLLBACK TO") && len(saved) > 0:
			held, saved = saved[len(saved)-1], saved[:len(saved)-1]
		}
		for _, wanted := range lockedBy(sql) {
			for _, h := range held {
				if h > wanted {
					o.faults = append(o.faults, fmt.Sprintf("waits for (%s) with (%s): %s", wanted.Key("?"), h.Key("?"), sql))
				}
			}
			held = append(held, wanted)
		}
	}
	if o.known == nil {
		o.known = map[*pgx.Conn][]pg.Lock{}
	}
	o.known[conn] = held
}

// locksOf returns the locks that the database transaction of a connection has.
func (o *LockOrder) locksOf(ctx context.Context, conn *pgx.Conn) ([]pg.Lock, error) {
	if conn.PgConn().TxStatus() == 'I' {
		return nil, nil
	}
	rows, err := conn.Query(context.WithValue(context.WithoutCancel(ctx), readsLocks{}, true), selectLocks)
	if err != nil {
		return nil, err
	}
	found, err := pgx.CollectRows(rows, pgx.RowTo[int])
	if err != nil {
		return nil, err
	}
	var held []pg.Lock
	for _, n := range found {
		if n >= 0 {
			held = append(held, pg.Lock(n))
			continue
		}
		for _, l := range o.known[conn] { // the database does not know the kind of locks with one key
			if !hasTwoKeys(l) {
				held = append(held, l)
			}
		}
	}
	return held, nil
}

// hasTwoKeys reports whether the first key of a lock identifies its kind.
func hasTwoKeys(l pg.Lock) bool {
	return strings.Contains(l.Key("x"), ", ") && !strings.Contains(l.Key("x"), "extended")
}

// selectLocks reads the kinds of the locks that a connection has, -1 for locks with one key.
var selectLocks = func() string {
	var kinds []string
	for _, l := range pg.Locks() {
		if hasTwoKeys(l) {
			first, _, _ := strings.Cut(l.Key("x"), ", ")
			kinds = append(kinds, fmt.Sprintf("(%d, (%s)::bigint & 4294967295)", l, first))
		}
	}
	return `SELECT k.n FROM pg_locks p JOIN (VALUES ` + strings.Join(kinds, ", ") + `) AS k (n, class)
		    ON p.objsubid = 2 AND p.classid::bigint = k.class WHERE p.locktype = 'advisory' AND p.pid = pg_backend_pid()
		 UNION SELECT -1 FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid() AND objsubid = 1`
}()

// patterns match a wait for a lock in a statement.
var patterns = func() map[pg.Lock]*regexp.Regexp {
	all := map[pg.Lock]*regexp.Regexp{}
	for _, l := range pg.Locks() {
		if l != pg.LockAnswer { // it is only tried, and its key matches any other
			key := strings.ReplaceAll(regexp.QuoteMeta(l.Key("\x00")), "\x00", "[^()]*")
			all[l] = regexp.MustCompile(waits + `(_shared)?\(` + key + `\)`)
		}
	}
	return all
}()

// lockedBy returns the locks that a statement waits for.
func lockedBy(sql string) (locks []pg.Lock) {
	for l, pattern := range patterns {
		if pattern.MatchString(sql) {
			locks = append(locks, l)
		}
	}
	slices.Sort(locks)
	return locks
}
