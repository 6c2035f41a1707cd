package pg

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"levy/models"
)

// Pipeline is a connection for statements that are sent together with the begin and the end of their database
// transaction. In a context that has a database transaction, it is a savepoint in that one.
type Pipeline struct {
	conn    reachQuerier
	nested  bool
	release func()
}

// Pipeline acquires a connection. The caller must release it.
func (db *DB) Pipeline(ctx context.Context) (*Pipeline, error) {
	if tx := transactionOf(ctx); tx != nil {
		return &Pipeline{conn: reachQuerier{Querier: tx.pgx, db: db, reach: tx.reach}, nested: true, release: func() {}}, nil
	}
	conn, err := db.pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	return &Pipeline{conn: reachQuerier{Querier: conn, db: db, reach: &reachState{}}, release: conn.Release}, nil
}

// Release releases the connection. It may be called more than once.
func (p *Pipeline) Release() { p.release() }

// Nested reports whether the pipeline is a savepoint. Its changes are committed with the surrounding transaction.
func (p *Pipeline) Nested() bool { return p.nested }

// Conn returns the connection, for a statement that is sent alone between begin and end.
func (p *Pipeline) Conn() Querier { return p.conn }

// Begin adds the begin of the transaction to a batch. A savepoint has the mode of the surrounding transaction.
func (p *Pipeline) Begin(batch *pgx.Batch, mode string) {
	if p.nested {
		batch.Queue("SAVEPOINT part")
		return
	}
	*p.conn.reach = reachState{begins: true}
	batch.Queue("BEGIN" + mode)
}

// BeginByKey is Begin for statements that look up all their rows by key. It forbids sequential scans.
// If a table was empty when it was analyzed, a scan of it for every row of a batch seems cheap.
func (p *Pipeline) BeginByKey(batch *pgx.Batch) {
	p.Begin(batch, "")
	batch.Queue("SET LOCAL enable_seqscan = off")
}

// Set adds settings for the database transaction to a batch, as a list of calls of set_config. It adds the reach of the
// context to them, because that costs less than another statement.
func (p *Pipeline) Set(ctx context.Context, batch *pgx.Batch, settings string) {
	s := p.conn.db.reachOf(ctx)
	if s == (setting{}) || p.conn.reach.role { // a role must be reset, too
		batch.Queue("SELECT " + settings)
		return
	}
	batch.Queue("SELECT "+settings+", set_config($1, $2, true)", s.name, s.value)
	p.conn.reach.record(s)
}

// Commit adds the end of the transaction to a batch.
func (p *Pipeline) Commit(batch *pgx.Batch) {
	if p.nested {
		batch.Queue("RELEASE SAVEPOINT part")
		return
	}
	batch.Queue("COMMIT")
}

// Send sends a batch and reads all its results. It drops the arguments once they are sent: those of a stage are
// megabytes, and PostgreSQL works for most of the time.
func (p *Pipeline) Send(ctx context.Context, batch *pgx.Batch) error {
	answers := p.conn.SendBatch(ctx, batch)
	for _, q := range batch.QueuedQueries {
		q.Arguments = nil
	}
	return answers.Close()
}

// Rollback undoes all changes. A connection that cannot do so is broken and leaves the pool when it is released.
func (p *Pipeline) Rollback(ctx context.Context) {
	batch := &pgx.Batch{}
	if p.nested {
		batch.Queue("ROLLBACK TO SAVEPOINT part")
	} else {
		batch.Queue("ROLLBACK")
	}
	_ = p.conn.Querier.SendBatch(ctx, batch).Close()
	p.conn.reach.clear() // the rollback may have undone the setting
	p.conn.reach.begins = false
}

// SendLast is Send for a batch that ends with the commit. If the connection breaks, the commit may have happened:
// it then returns models.ErrOutcomeUnknown, unless nothing was sent.
func (p *Pipeline) SendLast(ctx context.Context, batch *pgx.Batch) error {
	err := p.Send(ctx, batch)
	if err == nil || p.nested || RolledBack(err) {
		return Translate(err)
	}
	if err = Translate(err); errors.Is(err, models.ErrUnavailable) {
		return fmt.Errorf("%w: commit", models.ErrOutcomeUnknown)
	}
	return err
}

// Snapshot calls read for statements that all see the database at one moment. So the parts of a record fit together
// while stages change it. read gets a batch that begins the database transaction. It adds its first statements and ends
// the transaction with Commit.
func (db *DB) Snapshot(ctx context.Context, read func(conn *Pipeline, begin *pgx.Batch) error) error {
	conn, err := db.Pipeline(ctx)
	if err != nil {
		return Translate(err)
	}
	defer conn.Release()
	begin := &pgx.Batch{}
	conn.Begin(begin, " ISOLATION LEVEL REPEATABLE READ READ ONLY")
	if err := read(conn, begin); err != nil {
		conn.Rollback(ctx)
		return Translate(err)
	}
	return nil
}
