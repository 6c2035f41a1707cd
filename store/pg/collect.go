package pg

import "github.com/jackc/pgx/v5"

// Collect reads all rows that a query returned, and passes on its error.
func Collect[T any](rows pgx.Rows, err error, scan pgx.RowToFunc[T]) ([]T, error) {
	if err != nil {
		return nil, Translate(err)
	}
	all, err := pgx.CollectRows(rows, scan)
	return all, Translate(err)
}

// ForEach reads the rows that a query returned one after the other into the same variables, and passes on its error
// and that of each.
func ForEach(rows pgx.Rows, err error, into []any, each func() error) error {
	if err != nil {
		return Translate(err)
	}
	_, err = pgx.ForEachRow(rows, into, each)
	return Translate(err)
}

// All is how a statement of a batch reads all its rows.
func All[T any](to *[]T, scan pgx.RowToFunc[T]) func(pgx.Rows) error {
	return func(rows pgx.Rows) (err error) {
		*to, err = pgx.CollectRows(rows, scan)
		return err
	}
}

// Each is how a statement of a batch reads its rows one after the other into the same variables.
func Each(into []any, each func() error) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		_, err := pgx.ForEachRow(rows, into, each)
		return err
	}
}
