package migrations

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

// baselineVersion is the number of the baseline. It is higher than all numbers that it replaces. Processes of release
// 4db6fe9, which run during a rolling upgrade, refuse a database that lacks one of their numbers below the highest one.
// They ignore numbers that they do not know.
const baselineVersion = 33

// replaced are the migrations of release 4db6fe9, whose schema is now the baseline.
var replaced = []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16, 17, 18, 19, 20, 21, 24, 26, 27, 30, 31, 32}

// ErrTooOld means that the database was last migrated by a release before 4db6fe9. This program lacks the migrations
// from there to the baseline.
var ErrTooOld = errors.New("the database was last migrated by a release before 4db6fe9: " +
	"run `levy migrate` of release 4db6fe9 on it first, then `levy migrate` of this release")

// Baseline returns the migration that creates the schema of an empty database, in one database transaction.
// In a database of release 4db6fe9, which has that schema, it only records the number of the baseline.
func Baseline() *goose.Migration {
	return goose.NewGoMigration(baselineVersion, &goose.GoFunc{RunTx: reachBaseline}, nil)
}

func reachBaseline(ctx context.Context, tx *sql.Tx) error {
	var applied, known int
	err := tx.QueryRowContext(ctx, `SELECT count(DISTINCT version_id),
		  count(DISTINCT version_id) FILTER (WHERE version_id = ANY ($1))
		FROM goose_db_version WHERE version_id > 0 AND is_applied`, replaced).Scan(&applied, &known)
	switch {
	case err != nil:
		return fmt.Errorf("read the applied migrations: %w", err)
	case applied == 0:
		return createSchema(ctx, tx)
	case known < len(replaced):
		return ErrTooOld
	}
	return nil
}

// createSchema runs the files of the baseline and records the migrations that it replaces. So every database is the
// same from here on, and release 4db6fe9 can be used again on each of them.
func createSchema(ctx context.Context, tx *sql.Tx) error {
	files, err := fs.Glob(FS, fmt.Sprintf("%05d_schema/*.sql", baselineVersion))
	if err != nil {
		return err
	}
	for _, file := range files {
		content, err := fs.ReadFile(FS, file)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, string(content)); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	_, err = tx.ExecContext(ctx,
		"INSERT INTO goose_db_version (version_id, is_applied) SELECT unnest($1::bigint[]), true", replaced)
	return err
}
