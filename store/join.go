package store

import (
	"context"
	"database/sql"
	"fmt"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/gorm"
)

// A database transaction travels in a context: whatever the store does with that
// context happens inside it, through GORM and through pgx alike, reads included.
// A method that opens a transaction of its own gets a savepoint. So the effect of
// a request and the answer to it are committed together, and no method has to
// know whether there is such a transaction.

// joined is the database transaction of a context. It is one connection: only one
// thing at a time can be done with it.
type joined struct {
	gorm *sql.Conn // the connection, for GORM
	pgx  pgx.Tx    // the same one, for pgx
	busy sync.Mutex
}

type joinedKey struct{}

// joinedBy is the database transaction of a context, or nil.
func joinedBy(ctx context.Context) *joined {
	j, _ := ctx.Value(joinedKey{}).(*joined)
	return j
}

// begin opens a database transaction and returns the context whose work joins it.
// end gives the connection back; without a commit before, it rolls back.
func (s *Store) begin(ctx context.Context) (inside context.Context, j *joined, end func(), err error) {
	conn, err := s.sql.Conn(ctx)
	if err != nil {
		return nil, nil, nil, translate(err)
	}
	j = &joined{gorm: conn}
	err = conn.Raw(func(driver any) error {
		under, ok := driver.(*stdlib.Conn)
		if !ok {
			return fmt.Errorf("connection of an unknown driver: %T", driver)
		}
		j.pgx, err = under.Conn().Begin(ctx)
		return err
	})
	if err != nil {
		_ = conn.Close()
		return nil, nil, nil, translate(err)
	}
	end = func() {
		_ = j.pgx.Rollback(context.WithoutCancel(ctx)) // nothing after a commit
		_ = conn.Close()
	}
	return context.WithValue(ctx, joinedKey{}, j), j, end, nil
}

// pool is the connections, or the database transaction of the context.
type pool struct{ *pgxpool.Pool }

func (p pool) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	if j := joinedBy(ctx); j != nil {
		return j.pgx.Exec(ctx, sql, args...)
	}
	return p.Pool.Exec(ctx, sql, args...)
}

func (p pool) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	if j := joinedBy(ctx); j != nil {
		return j.pgx.Query(ctx, sql, args...)
	}
	return p.Pool.Query(ctx, sql, args...)
}

func (p pool) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	if j := joinedBy(ctx); j != nil {
		return j.pgx.QueryRow(ctx, sql, args...)
	}
	return p.Pool.QueryRow(ctx, sql, args...)
}

func (p pool) SendBatch(ctx context.Context, batch *pgx.Batch) pgx.BatchResults {
	if j := joinedBy(ctx); j != nil {
		return j.pgx.SendBatch(ctx, batch)
	}
	return p.Pool.SendBatch(ctx, batch)
}

func (p pool) CopyFrom(ctx context.Context, table pgx.Identifier, columns []string, rows pgx.CopyFromSource) (int64, error) {
	if j := joinedBy(ctx); j != nil {
		return j.pgx.CopyFrom(ctx, table, columns, rows)
	}
	return p.Pool.CopyFrom(ctx, table, columns, rows)
}

func (p pool) Begin(ctx context.Context) (pgx.Tx, error) {
	if j := joinedBy(ctx); j != nil {
		return j.pgx.Begin(ctx)
	}
	return p.Pool.Begin(ctx)
}

func (p pool) BeginTx(ctx context.Context, options pgx.TxOptions) (pgx.Tx, error) {
	if j := joinedBy(ctx); j != nil {
		return j.pgx.Begin(ctx)
	}
	return p.Pool.BeginTx(ctx, options)
}

// connections are the same for GORM.
type connections struct{ *sql.DB }

func (c connections) of(ctx context.Context) gorm.ConnPool {
	if j := joinedBy(ctx); j != nil {
		return j.gorm
	}
	return c.DB
}

func (c connections) PrepareContext(ctx context.Context, query string) (*sql.Stmt, error) {
	return c.of(ctx).PrepareContext(ctx, query)
}

func (c connections) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	return c.of(ctx).ExecContext(ctx, query, args...)
}

func (c connections) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return c.of(ctx).QueryContext(ctx, query, args...)
}

func (c connections) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return c.of(ctx).QueryRowContext(ctx, query, args...)
}

// BeginTx opens a database transaction, or a savepoint in that of the context.
func (c connections) BeginTx(ctx context.Context, options *sql.TxOptions) (gorm.ConnPool, error) {
	j := joinedBy(ctx)
	if j == nil {
		return c.DB.BeginTx(ctx, options)
	}
	nested, err := j.pgx.Begin(ctx)
	return &savepoint{j.gorm, nested, ctx}, err
}

// savepoint is a part of a database transaction that can be taken back alone.
type savepoint struct {
	*sql.Conn
	nested pgx.Tx
	ctx    context.Context // GORM commits without one
}

func (s *savepoint) Commit() error   { return s.nested.Commit(s.ctx) }
func (s *savepoint) Rollback() error { return s.nested.Rollback(context.WithoutCancel(s.ctx)) }
