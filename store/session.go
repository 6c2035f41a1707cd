package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"levy/models"
)

// querier is a connection, or a database transaction on one.
type querier interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
	SendBatch(ctx context.Context, batch *pgx.Batch) pgx.BatchResults
}

// session is a connection for statements that are sent together with the opening
// and the end of their database transaction. In a context that has a database
// transaction already, it is a savepoint in that one.
type session struct {
	conn    querier
	nested  bool
	release func()
}

// session takes a connection. It must be released.
func (s *Store) session(ctx context.Context) (*session, error) {
	if j := joinedBy(ctx); j != nil {
		return &session{conn: j.pgx, nested: true, release: func() {}}, nil
	}
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	return &session{conn: conn, release: conn.Release}, nil
}

// begin puts the opening into a batch. In a savepoint the mode of the transaction
// around it counts.
func (s *session) begin(batch *pgx.Batch, mode string) {
	if s.nested {
		batch.Queue("SAVEPOINT part")
		return
	}
	batch.Queue("BEGIN" + mode)
}

// beginByKey is begin for statements that look up all their rows by key, whatever
// the statistics say: of a table that was empty when it was looked at, they say that
// reading all of it is cheap, for every row of a batch anew.
func (s *session) beginByKey(batch *pgx.Batch) {
	s.begin(batch, "")
	batch.Queue("SET LOCAL enable_seqscan = off")
}

// commit puts the end into a batch.
func (s *session) commit(batch *pgx.Batch) {
	if s.nested {
		batch.Queue("RELEASE SAVEPOINT part")
		return
	}
	batch.Queue("COMMIT")
}

// send sends a batch and reads all its answers.
func (s *session) send(ctx context.Context, batch *pgx.Batch) error {
	return s.conn.SendBatch(ctx, batch).Close()
}

// rollback takes everything back; a connection that cannot do so is broken and
// leaves the pool when it is released.
func (s *session) rollback(ctx context.Context) {
	batch := &pgx.Batch{}
	if s.nested {
		batch.Queue("ROLLBACK TO SAVEPOINT part")
	} else {
		batch.Queue("ROLLBACK")
	}
	_ = s.send(ctx, batch)
}

// sendLast is send for a batch that ends with the commit. A connection that broke may
// have broken after it: models.ErrOutcomeUnknown, unless nothing was sent.
func (s *session) sendLast(ctx context.Context, batch *pgx.Batch) error {
	err := s.send(ctx, batch)
	if err == nil || s.nested || pgconn.SafeToRetry(err) {
		return translate(err)
	}
	var refused *pgconn.PgError
	if errors.As(err, &refused) && refused.SeverityUnlocalized == "ERROR" {
		return translate(err)
	}
	if err = translate(err); errors.Is(err, models.ErrUnavailable) {
		return fmt.Errorf("%w: commit", models.ErrOutcomeUnknown)
	}
	return err
}
