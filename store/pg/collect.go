package pg

import "github.com/jackc/pgx/v5"

// Collect returns all rows of a query. It returns the error of the query, if there is one.
func Collect[T any](rows pgx.Rows, err error, scan pgx.RowToFunc[T]) ([]T, error) {
	if err != nil {
		return nil, Translate(err)
	}
	all, err := pgx.CollectRows(rows, scan)
	return all, Translate(err)
}

// ForEach scans each row of a query into the same variables and calls each. It returns the error of the query or of
// each.
func ForEach(rows pgx.Rows, err error, into []any, each func() error) error {
	if err != nil {
		return Translate(err)
	}
	_, err = pgx.ForEachRow(rows, into, each)
	return Translate(err)
}

// All returns a reader for a statement of a batch that collects all rows in to.
func All[T any](to *[]T, scan pgx.RowToFunc[T]) func(pgx.Rows) error {
	return func(rows pgx.Rows) (err error) {
		*to, err = pgx.CollectRows(rows, scan)
		return err
	}
}

// Each returns a reader for a statement of a batch that scans each row into the same variables and calls each.
func Each(into []any, each func() error) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		_, err := pgx.ForEachRow(rows, into, each)
		return err
	}
}
