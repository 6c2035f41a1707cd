package pg

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Querier is a connection, or a database transaction on one.
type Querier interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
	SendBatch(ctx context.Context, batch *pgx.Batch) pgx.BatchResults
	CopyFrom(ctx context.Context, table pgx.Identifier, columns []string, rows pgx.CopyFromSource) (int64, error)
}

// A DB is a Querier for single statements: in the database transaction of the context, or on a connection of the pool.
// Its errors are those of the driver, see Translate.
var _ Querier = (*DB)(nil)

func (db *DB) querier(ctx context.Context) Querier {
	if tx := transactionOf(ctx); tx != nil {
		return reachQuerier{Querier: tx.pgx, db: db, reach: tx.reach}
	}
	return reachQuerier{Querier: db.pool, db: db}
}

// Exec runs one statement and returns how many rows it changed.
func (db *DB) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	return db.querier(ctx).Exec(ctx, sql, args...)
}

// Query runs one statement that returns rows. The caller must read or close them.
func (db *DB) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	return db.querier(ctx).Query(ctx, sql, args...)
}

// QueryRow runs one statement that returns one row. Scan returns its errors.
func (db *DB) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return db.querier(ctx).QueryRow(ctx, sql, args...)
}

// Exists reports whether rows exist: a table with a condition, such as "outbox WHERE due". A poll calls it before it
// takes rows. Mostly there are none, and planning the statement that takes them costs ten times as much as this one.
func (db *DB) Exists(ctx context.Context, rows string) (found bool, err error) {
	err = db.QueryRow(ctx, "SELECT EXISTS (SELECT FROM "+rows+")").Scan(&found)
	return found, Translate(err)
}

// SendBatch sends statements in one round trip. The caller must close the results. Outside a database transaction the
// batch is one of its own.
func (db *DB) SendBatch(ctx context.Context, batch *pgx.Batch) pgx.BatchResults {
	return db.querier(ctx).SendBatch(ctx, batch)
}

// CopyFrom writes rows by COPY, without a statement for each, and returns their number.
func (db *DB) CopyFrom(
	ctx context.Context, table pgx.Identifier, columns []string, rows pgx.CopyFromSource,
) (int64, error) {
	return db.querier(ctx).CopyFrom(ctx, table, columns, rows)
}
