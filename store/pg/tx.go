package pg

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"

	"levy/models"
)

// InTx is the unit of work: everything that fn does through the context it is given,
// with GORM or with pgx, reads included, is one database transaction. In a context
// that has a database transaction already it is a savepoint of that one. The error of
// fn comes back translated, and nothing stays of what it did; a commit whose answer
// was lost is models.ErrOutcomeUnknown.
func (db *DB) InTx(ctx context.Context, fn func(ctx context.Context) error) error {
	inside, tx, end, err := db.begin(ctx)
	if err != nil {
		return err
	}
	defer end() // also when fn panics
	if err := fn(inside); err != nil {
		return Translate(err)
	}
	return tx.commit(ctx)
}

// ErrRollback is what fn returns to InTx that wants nothing to stay, and is not an error.
var ErrRollback = errors.New("roll back")

// commit ends a database transaction. The work is done: a client that hangs up is no
// reason to lose it.
func (tx *transaction) commit(ctx context.Context) error {
	ctx, cancel := Detached(ctx)
	defer cancel()
	err := tx.pgx.Commit(ctx)
	var refused *pgconn.PgError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, pgx.ErrTxCommitRollback), errors.As(err, &refused) && !models.PassingState(refused.Code):
		return fmt.Errorf("commit: %w", Translate(err))
	}
	return fmt.Errorf("%w: commit", models.ErrOutcomeUnknown)
}

// GORM is GORM in the database transaction of the context, if it has one.
func (db *DB) GORM(ctx context.Context) *gorm.DB { return db.orm.WithContext(ctx) }

// InSnapshot reads as of one moment, for as long as the reader takes: without the bound
// of other statements. The errors of read come back as they are.
func (db *DB) InSnapshot(ctx context.Context, read func(ctx context.Context, tx Querier) error) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	conn, err := db.pool.Acquire(ctx)
	if err != nil {
		return Translate(err)
	}
	defer conn.Release()
	tx, err := conn.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return Translate(err)
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }() // it has written nothing
	if _, err := tx.Exec(ctx, "SET LOCAL statement_timeout = 0"); err != nil {
		return Translate(err)
	}
	return read(ctx, reaching{tx, db, &said{}})
}

// Now is the time that records are stamped with.
func (db *DB) Now() time.Time { return db.orm.NowFunc() }
