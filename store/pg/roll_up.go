package pg

import (
	"context"
	"time"
)

// rollUpRows is the most rows that one statement rolls up.
const rollUpRows = 10_000

// RollUp rolls up the rows of the table changes until none are left, and returns their number. The statement takes at
// most $1 of them and returns how many it took.
func RollUp(ctx context.Context, db *DB, changes, statement string) (int, error) {
	if changed, err := db.Exists(ctx, changes); err != nil || !changed {
		return 0, err
	}
	total := 0
	for taken := rollUpRows; taken == rollUpRows; total += taken {
		if err := db.QueryRow(ctx, statement, rollUpRows).Scan(&taken); err != nil {
			return total, Translate(err)
		}
	}
	return total, nil
}

// KeepRolledUp calls rollUp about once a second until ctx ends. Several processes may do so at once. Lists are exact
// without it, but slower.
func KeepRolledUp(ctx context.Context, rollUp func(context.Context) (int, error)) {
	Repeat(ctx, "rolling up counts of lists", time.Second, func(ctx context.Context) (bool, error) {
		_, err := rollUp(ctx)
		return false, err
	})
}
