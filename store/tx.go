package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"

	"levy/models"
)

// inTx runs fn in one database transaction. Inside fn only tx may be used. The
// error of fn comes back translated; a commit whose answer was lost is
// models.ErrOutcomeUnknown.
func (s *Store) inTx(ctx context.Context, fn func(tx *gorm.DB) error) error {
	tx := s.db.WithContext(ctx).Begin()
	if tx.Error != nil {
		return translate(tx.Error)
	}
	ended := false
	defer func() {
		if !ended { // also when fn panics
			tx.Rollback()
		}
	}()
	if err := fn(tx); err != nil {
		return translate(err)
	}
	ended = true
	err := tx.Commit().Error
	var pg *pgconn.PgError
	if err == nil || errors.As(err, &pg) && !models.PassingState(pg.Code) {
		return translate(err)
	}
	return fmt.Errorf("%w: commit", models.ErrOutcomeUnknown)
}

// inPool is inTx for work that goes to pgx alone.
func (s *Store) inPool(ctx context.Context, fn func(tx pgx.Tx) error) error {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return translate(err)
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }() // nothing after a commit
	if err := fn(tx); err != nil {
		return translate(err)
	}
	return translate(tx.Commit(ctx))
}
