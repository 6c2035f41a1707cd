package pg

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// reaching is a Querier that says with each statement whose rows it may see.
type reaching struct {
	Querier
	db   *DB
	said *said // in its database transaction; nil where none will be
	open bool  // of OpenTables, for which nothing has to be said
}

// opening is the statement that has to precede others. What it says is remembered for those that
// follow in the same database transaction.
func (r reaching) opening(ctx context.Context) *pgx.QueuedQuery {
	if r.open {
		return nil
	}
	before := r.said
	if !r.began() {
		before = nil
	}
	opening, says := r.db.opening(ctx, before)
	if opening != nil && ctx.Err() == nil { // otherwise it is not sent
		r.said.note(says)
	}
	return opening
}

// began reports whether the connection is in a database transaction, or the next batch begins one.
func (r reaching) began() bool {
	if r.said == nil || r.said.begins {
		return r.said != nil
	}
	of, ok := r.Querier.(interface{ Conn() *pgx.Conn })
	return ok && of.Conn().PgConn().TxStatus() == 'T'
}

func (r reaching) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	if opening := r.opening(ctx); opening != nil {
		return r.execAfter(ctx, opening, sql, args)
	}
	return r.Querier.Exec(ctx, sql, args...)
}

func (r reaching) execAfter(
	ctx context.Context, opening *pgx.QueuedQuery, sql string, args []any,
) (pgconn.CommandTag, error) {
	results := r.sendAfter(ctx, opening, sql, args)
	tag, err := results.Exec()
	if ended := results.Close(); err == nil {
		err = ended
	}
	return tag, err
}

func (r reaching) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	if opening := r.opening(ctx); opening != nil {
		return r.queryAfter(ctx, opening, sql, args)
	}
	return r.Querier.Query(ctx, sql, args...)
}

func (r reaching) queryAfter(ctx context.Context, opening *pgx.QueuedQuery, sql string, args []any) (pgx.Rows, error) {
	results := r.sendAfter(ctx, opening, sql, args)
	rows, err := results.Query()
	if err != nil {
		_ = results.Close() // the same error
	}
	return &rowsOfBatch{Rows: rows, results: results}, err
}

func (r reaching) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	opening := r.opening(ctx)
	if opening == nil {
		return r.Querier.QueryRow(ctx, sql, args...)
	}
	results := r.sendAfter(ctx, opening, sql, args)
	return rowOfBatch{results.QueryRow(), results}
}

func (r reaching) SendBatch(ctx context.Context, batch *pgx.Batch) pgx.BatchResults {
	if len(batch.QueuedQueries) == 0 {
		return r.Querier.SendBatch(ctx, batch)
	}
	for _, q := range batch.QueuedQueries {
		if sizeOf(q.Arguments) >= longArrays {
			q.Arguments = BulkArguments(q.Arguments)
		}
	}
	opening, at := r.opening(ctx), 0
	if r.said != nil && r.said.begins { // its mode must be known before anything is read
		at, r.said.begins = 1, false
	}
	if opening == nil {
		return r.Querier.SendBatch(ctx, batch)
	}
	whole := &pgx.Batch{QueuedQueries: slices.Insert(slices.Clone(batch.QueuedQueries), at, opening)}
	return &resultsWithout{BatchResults: r.Querier.SendBatch(ctx, whole), before: at}
}

// sendAfter sends a statement behind its opening, whose result is read.
func (r reaching) sendAfter(ctx context.Context, opening *pgx.QueuedQuery, sql string, args []any) pgx.BatchResults {
	batch := &pgx.Batch{QueuedQueries: []*pgx.QueuedQuery{opening, {SQL: sql, Arguments: args}}}
	return &resultsWithout{BatchResults: r.Querier.SendBatch(ctx, batch)}
}

// resultsWithout are the results of a batch without that of the opening.
type resultsWithout struct {
	pgx.BatchResults
	before int // results that come before that of the opening; negative when it has been read
}

// skip reads the result of the opening when it comes next. Its error is that of all that follow.
func (r *resultsWithout) skip() {
	if r.before == 0 {
		_, _ = r.BatchResults.Exec()
	}
	r.before--
}

func (r *resultsWithout) Exec() (pgconn.CommandTag, error) {
	r.skip()
	return r.BatchResults.Exec()
}

func (r *resultsWithout) Query() (pgx.Rows, error) {
	r.skip()
	return r.BatchResults.Query()
}

func (r *resultsWithout) QueryRow() pgx.Row {
	r.skip()
	return r.BatchResults.QueryRow()
}

// rowsOfBatch are rows whose end is that of their batch, which gives the connection back.
type rowsOfBatch struct {
	pgx.Rows
	results pgx.BatchResults
	ended   bool
	err     error
}

func (r *rowsOfBatch) Next() bool {
	if r.Rows.Next() {
		return true
	}
	r.Close()
	return false
}

func (r *rowsOfBatch) Close() {
	r.Rows.Close()
	if !r.ended {
		r.ended = true
		r.err = r.results.Close()
	}
}

func (r *rowsOfBatch) Err() error {
	if err := r.Rows.Err(); err != nil {
		return err
	}
	return r.err
}

// rowOfBatch is a row whose end is that of its batch.
type rowOfBatch struct {
	row     pgx.Row
	results pgx.BatchResults
}

func (r rowOfBatch) Scan(dest ...any) error {
	err := r.row.Scan(dest...)
	if ended := r.results.Close(); err == nil {
		err = ended
	}
	return err
}
