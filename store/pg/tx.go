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

// InTx runs fn in one database transaction, or in a savepoint if the context has a transaction. All calls with the
// context that fn gets happen inside it, with GORM and with pgx, reads included. It rolls back if fn returns an error,
// and returns that error translated. If the answer to the commit was lost, it returns models.ErrOutcomeUnknown.
func (db *DB) InTx(ctx context.Context, fn func(ctx context.Context) error) error {
	inside, tx, end, err := db.begin(ctx)
	if err != nil {
		return err
	}
	defer end() // also if fn panics
	if err := fn(inside); err != nil {
		return Translate(err)
	}
	return tx.commit(ctx)
}

// ErrRollback is returned to InTx by a function whose changes must not remain although it succeeded.
var ErrRollback = errors.New("roll back")

// commit ends a database transaction. It ignores a disconnected client, because the work is done.
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

// GORM returns a GORM handle that uses the database transaction of the context, if there is one.
func (db *DB) GORM(ctx context.Context) *gorm.DB { return db.orm.WithContext(ctx) }

// InSnapshot calls read with a transaction that sees the database at one moment. Its statements have no time limit. It
// returns the errors of read unchanged.
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
	return read(ctx, reachQuerier{Querier: tx, db: db, reach: &reachState{}})
}

// Now returns the time for new and changed records.
func (db *DB) Now() time.Time { return db.orm.NowFunc() }
