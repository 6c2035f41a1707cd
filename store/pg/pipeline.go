package pg

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"levy/models"
)

// Pipeline is a connection for statements that are sent together with the opening
// and the end of their database transaction. In a context that has a database
// transaction already, it is a savepoint in that one.
type Pipeline struct {
	conn    reaching
	nested  bool
	release func()
}

// Pipeline takes a connection. It must be released.
func (db *DB) Pipeline(ctx context.Context) (*Pipeline, error) {
	if tx := transactionOf(ctx); tx != nil {
		return &Pipeline{conn: reaching{tx.pgx, db, tx.said}, nested: true, release: func() {}}, nil
	}
	conn, err := db.pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	return &Pipeline{conn: reaching{conn, db, &said{}}, release: conn.Release}, nil
}

// Release gives the connection back; more than once is no harm.
func (p *Pipeline) Release() { p.release() }

// Nested reports whether the pipeline is a savepoint in a database transaction around it:
// nothing is committed before that one.
func (p *Pipeline) Nested() bool { return p.nested }

// Conn is the connection, for a statement that is sent by itself between begin and end.
func (p *Pipeline) Conn() Querier { return p.conn }

// Begin puts the opening into a batch. In a savepoint the mode of the transaction
// around it counts.
func (p *Pipeline) Begin(batch *pgx.Batch, mode string) {
	if p.nested {
		batch.Queue("SAVEPOINT part")
		return
	}
	*p.conn.said = said{}
	batch.Queue("BEGIN" + mode)
}

// BeginByKey is Begin for statements that look up all their rows by key, whatever
// the statistics say: of a table that was empty when it was analyzed, they say that
// reading all of it is cheap, for every row of a batch anew.
func (p *Pipeline) BeginByKey(batch *pgx.Batch) {
	p.Begin(batch, "")
	batch.Queue("SET LOCAL enable_seqscan = off")
}

// Set puts settings for the database transaction into a batch, as a list of calls of set_config, and
// with them whose rows its statements may see: that costs less than a statement of its own.
func (p *Pipeline) Set(ctx context.Context, batch *pgx.Batch, settings string) {
	s := p.conn.db.reached(ctx)
	if s == (setting{}) || p.conn.said.role { // which has to be taken off, too
		batch.Queue("SELECT " + settings)
		return
	}
	batch.Queue("SELECT "+settings+", set_config($1, $2, true)", s.name, s.value)
	p.conn.said.note(s)
}

// Commit puts the end into a batch.
func (p *Pipeline) Commit(batch *pgx.Batch) {
	if p.nested {
		batch.Queue("RELEASE SAVEPOINT part")
		return
	}
	batch.Queue("COMMIT")
}

// Send sends a batch and reads all its answers. Its arguments go when they are sent: those of a stage are megabytes,
// and PostgreSQL is at work for most of its time.
func (p *Pipeline) Send(ctx context.Context, batch *pgx.Batch) error {
	answers := p.conn.SendBatch(ctx, batch)
	for _, q := range batch.QueuedQueries {
		q.Arguments = nil
	}
	return answers.Close()
}

// Rollback undoes everything; a connection that cannot do so is broken and
// leaves the pool when it is released.
func (p *Pipeline) Rollback(ctx context.Context) {
	batch := &pgx.Batch{}
	if p.nested {
		batch.Queue("ROLLBACK TO SAVEPOINT part")
	} else {
		batch.Queue("ROLLBACK")
	}
	_ = p.Send(ctx, batch)
}

// SendLast is Send for a batch that ends with the commit. A connection that broke may
// have broken after it: models.ErrOutcomeUnknown, unless nothing was sent.
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

// Snapshot lets read run statements that all see the database as it stood at one
// moment, so that the parts of a record fit together while stages change it.
// read gets a batch that opens the database transaction, to put its first
// statements behind, and ends it with Commit.
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
