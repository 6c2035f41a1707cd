package pg

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// reachQuerier is a Querier that sets the reach of the context with each statement.
type reachQuerier struct {
	Querier
	db    *DB
	reach *reachState // the reach set in its database transaction; nil outside one
	open  bool        // for OpenTables, which needs no reach
}

// reachStatement returns the statement that must precede the next one, or nil. Inside a database transaction it records
// the reach, so that later statements do not set it again.
func (r reachQuerier) reachStatement(ctx context.Context) *pgx.QueuedQuery {
	if r.open {
		return nil
	}
	before := r.reach
	if !r.inTransaction() {
		before = nil
	}
	setReach, now := r.db.reachStatement(ctx, before)
	if setReach != nil && ctx.Err() == nil { // otherwise it is not sent
		r.reach.record(now)
	}
	return setReach
}

// inTransaction reports whether the connection is in a database transaction, or the next batch begins one.
func (r reachQuerier) inTransaction() bool {
	if r.reach == nil || r.reach.begins {
		return r.reach != nil
	}
	of, ok := r.Querier.(interface{ Conn() *pgx.Conn })
	return ok && of.Conn().PgConn().TxStatus() == 'T'
}

func (r reachQuerier) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	if setReach := r.reachStatement(ctx); setReach != nil {
		return r.execAfter(ctx, setReach, sql, args)
	}
	return r.Querier.Exec(ctx, sql, args...)
}

func (r reachQuerier) execAfter(
	ctx context.Context, setReach *pgx.QueuedQuery, sql string, args []any,
) (pgconn.CommandTag, error) {
	results := r.sendAfter(ctx, setReach, sql, args)
	tag, err := results.Exec()
	if ended := results.Close(); err == nil {
		err = ended
	}
	return tag, err
}

func (r reachQuerier) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	if setReach := r.reachStatement(ctx); setReach != nil {
		return r.queryAfter(ctx, setReach, sql, args)
	}
	return r.Querier.Query(ctx, sql, args...)
}

func (r reachQuerier) queryAfter(ctx context.Context, setReach *pgx.QueuedQuery, sql string, args []any) (pgx.Rows, error) {
	results := r.sendAfter(ctx, setReach, sql, args)
	rows, err := results.Query()
	if err != nil {
		_ = results.Close() // the same error
	}
	return &batchRows{Rows: rows, results: results}, err
}

func (r reachQuerier) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	setReach := r.reachStatement(ctx)
	if setReach == nil {
		return r.Querier.QueryRow(ctx, sql, args...)
	}
	results := r.sendAfter(ctx, setReach, sql, args)
	return batchRow{results.QueryRow(), results}
}

func (r reachQuerier) SendBatch(ctx context.Context, batch *pgx.Batch) pgx.BatchResults {
	if len(batch.QueuedQueries) == 0 {
		return r.Querier.SendBatch(ctx, batch)
	}
	for _, q := range batch.QueuedQueries {
		if sizeOf(q.Arguments) >= longArrays {
			q.Arguments = BulkArguments(q.Arguments)
		}
	}
	setReach, at := r.reachStatement(ctx), 0
	if r.reach != nil && r.reach.begins { // the mode of the transaction must be set before the first read
		at, r.reach.begins = 1, false
	}
	if setReach == nil {
		return r.Querier.SendBatch(ctx, batch)
	}
	whole := &pgx.Batch{QueuedQueries: slices.Insert(slices.Clone(batch.QueuedQueries), at, setReach)}
	return &resultsWithoutReach{BatchResults: r.Querier.SendBatch(ctx, whole), before: at}
}

// sendAfter sends a statement after the one that sets the reach. Its results are those of the statement alone.
func (r reachQuerier) sendAfter(ctx context.Context, setReach *pgx.QueuedQuery, sql string, args []any) pgx.BatchResults {
	batch := &pgx.Batch{QueuedQueries: []*pgx.QueuedQuery{setReach, {SQL: sql, Arguments: args}}}
	return &resultsWithoutReach{BatchResults: r.Querier.SendBatch(ctx, batch)}
}

// resultsWithoutReach are the results of a batch without that of the statement that sets the reach.
type resultsWithoutReach struct {
	pgx.BatchResults
	before int // results before that of the reach; negative once it has been read
}

// skip reads the result of the statement that sets the reach when it is next. If that statement failed,
// all later results have the same error.
func (r *resultsWithoutReach) skip() {
	if r.before == 0 {
		_, _ = r.BatchResults.Exec()
	}
	r.before--
}

func (r *resultsWithoutReach) Exec() (pgconn.CommandTag, error) {
	r.skip()
	return r.BatchResults.Exec()
}

func (r *resultsWithoutReach) Query() (pgx.Rows, error) {
	r.skip()
	return r.BatchResults.Query()
}

func (r *resultsWithoutReach) QueryRow() pgx.Row {
	r.skip()
	return r.BatchResults.QueryRow()
}

// batchRows are the rows of a batch. Closing them closes the batch, which releases the connection.
type batchRows struct {
	pgx.Rows
	results pgx.BatchResults
	ended   bool
	err     error
}

func (r *batchRows) Next() bool {
	if r.Rows.Next() {
		return true
	}
	r.Close()
	return false
}

func (r *batchRows) Close() {
	r.Rows.Close()
	if !r.ended {
		r.ended = true
		r.err = r.results.Close()
	}
}

func (r *batchRows) Err() error {
	if err := r.Rows.Err(); err != nil {
		return err
	}
	return r.err
}

// batchRow is the row of a batch. Scan closes the batch.
type batchRow struct {
	row     pgx.Row
	results pgx.BatchResults
}

func (r batchRow) Scan(dest ...any) error {
	err := r.row.Scan(dest...)
	if ended := r.results.Close(); err == nil {
		err = ended
	}
	return err
}
