package pg

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
)

// A table that was never analyzed has no statistics. The planner then considers an index on the organization alone as
// good as the primary key, and reads all rows of the organization. Autovacuum would analyze a new table within a minute
// or so. The first minute may be the busiest one of a new installation.

// minAnalyzedRows is the number of rows from which statistics are useful.
const minAnalyzedRows = 100

// growingTables are the tables that every accepted transaction adds rows to.
var growingTables = []string{"customers", "transactions", "transaction_items", "transaction_addresses"}

// AnalyzeNew analyzes tables for the first time as soon as they have some rows. It returns when all growingTables have
// statistics, or with the error of ctx.
func (db *DB) AnalyzeNew(ctx context.Context) error {
	for {
		done, err := db.analyzeNew(ctx)
		if done || ctx.Err() != nil {
			return ctx.Err()
		}
		pause := time.Second
		if err != nil { // the database is down: no hurry
			pause = 10 * time.Second
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

func (db *DB) analyzeNew(ctx context.Context) (done bool, err error) {
	rows, err := db.pool.Query(ctx, `
		SELECT relname, last_analyze IS NOT NULL OR last_autoanalyze IS NOT NULL, n_mod_since_analyze
		  FROM pg_stat_user_tables WHERE schemaname = current_schema()`)
	var name string
	var analyzed bool
	var changes int64
	var due []string
	known := 0
	if err := ForEach(rows, err, []any{&name, &analyzed, &changes}, func() error {
		if !analyzed && changes >= minAnalyzedRows {
			due = append(due, pgx.Identifier{name}.Sanitize())
		}
		if analyzed && slices.Contains(growingTables, name) {
			known++
		}
		return nil
	}); err != nil {
		return false, err
	}
	for _, table := range due {
		batch := &pgx.Batch{}
		batch.Queue(setValue, roleSetting, "none") // only the owner of a table may analyze it
		batch.Queue("ANALYZE " + table)
		if err := db.pool.SendBatch(ctx, batch).Close(); err != nil {
			return false, Translate(err)
		}
	}
	return known == len(growingTables), nil
}
