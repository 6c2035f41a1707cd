package store

import (
	"context"
	"slices"

	"levy/store/pg"
)

// Timers are the columns that say when a record is checked again.
func Timers() []string {
	var columns []string
	for _, d := range append(slices.Clip(timers), timersOfAPI...) {
		columns = append(columns, d.table+"."+d.column)
	}
	return columns
}

// CorrectSomeSkewedTimers corrects timers that are too far in the future, once.
func (s *Store) CorrectSomeSkewedTimers(ctx context.Context) (int64, error) {
	return s.correctSkewedTimers(ctx)
}

// Translate turns a driver's error into a domain error.
var Translate = pg.Translate
