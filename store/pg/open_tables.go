package pg

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"
)

// OpenTables is the database for statements that name only tables without row-level security. Outside a database
// transaction it sends them without the reach of their context, because setting the reach costs 12 µs in PostgreSQL.
// In a closed table such a statement sees no rows.
type OpenTables struct{ db *DB }

// OpenTables returns the database for statements that name no closed table.
func (db *DB) OpenTables() OpenTables { return OpenTables{db} }

// observeOpen passes the statements that are sent without a reach to the tests.
func (db *DB) observeOpen(statement string) {
	if db.onOpenTables != nil {
		db.onOpenTables(statement)
	}
}

func (o OpenTables) querier(ctx context.Context) Querier {
	if InTransaction(ctx) {
		return o.db.querier(ctx)
	}
	return reachQuerier{Querier: o.db.pool, db: o.db, open: true}
}

// Exec is DB.Exec.
func (o OpenTables) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	o.db.observeOpen(sql)
	return o.querier(ctx).Exec(ctx, sql, args...)
}

// Query is DB.Query.
func (o OpenTables) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	o.db.observeOpen(sql)
	return o.querier(ctx).Query(ctx, sql, args...)
}

// QueryRow is DB.QueryRow.
func (o OpenTables) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	o.db.observeOpen(sql)
	return o.querier(ctx).QueryRow(ctx, sql, args...)
}

// SendBatch is DB.SendBatch.
func (o OpenTables) SendBatch(ctx context.Context, batch *pgx.Batch) pgx.BatchResults {
	for _, q := range batch.QueuedQueries {
		o.db.observeOpen(q.SQL)
	}
	return o.querier(ctx).SendBatch(ctx, batch)
}

// GORM is DB.GORM.
func (o OpenTables) GORM(ctx context.Context) *gorm.DB { return o.db.openORM.WithContext(ctx) }
