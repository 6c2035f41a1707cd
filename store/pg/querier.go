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

// A DB is a Querier for single statements: in the database transaction of the context, or
// on a connection of the pool. Errors are those of the driver, see Translate.
var _ Querier = (*DB)(nil)

func (db *DB) querier(ctx context.Context) Querier {
	if tx := transactionOf(ctx); tx != nil {
		return reaching{tx.pgx, db, tx.said}
	}
	return reaching{db.pool, db, nil}
}

// Exec carries out one statement and says how many rows it touched.
func (db *DB) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	return db.querier(ctx).Exec(ctx, sql, args...)
}

// Query carries out one statement that returns rows, which have to be read or closed.
func (db *DB) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	return db.querier(ctx).Query(ctx, sql, args...)
}

// QueryRow carries out one statement that returns a row; its errors come with Scan.
func (db *DB) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return db.querier(ctx).QueryRow(ctx, sql, args...)
}

// Exists reports whether there are rows, which a table and a condition name. A poll asks it before it takes rows, since
// mostly there are none: to plan what takes them costs ten times as much as all of this.
func (db *DB) Exists(ctx context.Context, rows string) (found bool, err error) {
	err = db.QueryRow(ctx, "SELECT EXISTS (SELECT FROM "+rows+")").Scan(&found)
	return found, Translate(err)
}

// SendBatch sends statements in one round trip; the results have to be closed. Outside a
// database transaction they are one of their own.
func (db *DB) SendBatch(ctx context.Context, batch *pgx.Batch) pgx.BatchResults {
	return db.querier(ctx).SendBatch(ctx, batch)
}

// CopyFrom writes rows by COPY, without a statement for each, and returns how many.
func (db *DB) CopyFrom(
	ctx context.Context, table pgx.Identifier, columns []string, rows pgx.CopyFromSource,
) (int64, error) {
	return db.querier(ctx).CopyFrom(ctx, table, columns, rows)
}
