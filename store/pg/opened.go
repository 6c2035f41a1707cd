package pg

import (
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

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
