package pg

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/migrations"
)

// recordBackground records a background migration, so that workers execute it.
func recordBackground(ctx context.Context, tx *sql.Tx, f migrations.File) error {
	_, err := tx.ExecContext(ctx, "INSERT INTO background_migrations (version, table_name) VALUES ($1, $2) ON CONFLICT DO NOTHING",
		f.Version, f.Table)
	return err
}

// Batches of background migrations. A batch that takes longer than batchLong is followed by smaller ones, one that takes
// less than batchShort by larger ones. A batch is followed by a pause of batchShare times its duration, of all processes.
// So at most a fifth of one connection is used, and less is done the more load there is.
const (
	batchFirst  = 500
	batchLeast  = 10
	batchMost   = 5000
	batchLong   = 500 * time.Millisecond
	batchShort  = 100 * time.Millisecond
	batchShare  = 4
	batchLookUp = time.Minute // the pause after a failure, and while there is nothing to do
)

// lockBackground locks the next migration that is due and not done. One process at a time works on it.
const lockBackground = `
	SELECT version, after_key FROM background_migrations
	 WHERE ended_at IS NULL AND next_at <= now() AND version = ANY ($1) ORDER BY failed_at IS NOT NULL, version LIMIT 1 FOR UPDATE SKIP LOCKED`

// BackgroundBatch executes the next batch of the background migrations of some files, of about so many rows. It reports
// whether it did one. A batch that fails is recorded, and the other migrations come first.
func (db *DB) BackgroundBatch(ctx context.Context, files fs.FS, rows int) (done bool, err error) {
	all, err := migrations.Files(files)
	if err != nil {
		return false, err
	}
	statements := map[int64]string{}
	var versions []int64
	for _, f := range all {
		if f.Kind == migrations.Background {
			statements[f.Version], versions = f.Statements[0], append(versions, f.Version)
		}
	}
	if len(versions) == 0 {
		return false, nil
	}
	ctx = models.AcrossOrganizations(ctx) // the statements are about whole tables
	var version int64
	err = db.InTx(ctx, func(ctx context.Context) error {
		var after string
		err := db.QueryRow(ctx, lockBackground, versions).Scan(&version, &after)
		if errors.Is(err, pgx.ErrNoRows) {
			version = 0
			return nil
		}
		if err != nil {
			return err
		}
		var last *string
		var read int64
		if err := db.QueryRow(ctx, statements[version], after, rows).Scan(&last, &read); err != nil {
			return err
		}
		_, err = db.Exec(ctx, `
			UPDATE background_migrations SET after_key = coalesce($2, after_key), read_rows = read_rows + $3, failed_at = NULL,
			       failure = NULL, ended_at = CASE WHEN $2::text IS NULL THEN now() END,
			       next_at = clock_timestamp() + $4::int * (clock_timestamp() - now())
			 WHERE version = $1`, version, last, read, batchShare)
		return err
	})
	if err == nil || version == 0 || ctx.Err() != nil {
		return version != 0, Translate(err)
	}
	_, noted := db.Exec(ctx, `
		UPDATE background_migrations SET failed_at = coalesce(failed_at, now()), failure = $2 WHERE version = $1`,
		version, Translate(err).Error())
	return false, errors.Join(fmt.Errorf("migration %d: %w", version, Translate(err)), Translate(noted))
}

// KeepMigrating executes the background migrations of the program until ctx ends. Several processes may do so at once.
func (db *DB) KeepMigrating(ctx context.Context) {
	rows, next := batchFirst, time.Time{}
	Repeat(ctx, "background migrations", time.Second, func(ctx context.Context) (bool, error) {
		began := time.Now()
		if began.Before(next) {
			return false, nil
		}
		done, err := db.BackgroundBatch(ctx, migrations.FS, rows)
		if done || err != nil {
			rows = nextBatch(rows, time.Since(began), err)
		}
		open := done
		if !done && err == nil {
			open, err = db.Exists(ctx, "background_migrations WHERE ended_at IS NULL") // it is not due, or another process works
		}
		if !open {
			next = time.Now().Add(batchLookUp)
		}
		return false, err
	})
}

// nextBatch returns the rows of the next batch after one that took so long. A batch that failed may have been too
// large.
func nextBatch(rows int, took time.Duration, err error) int {
	switch {
	case err != nil, took > batchLong:
		return max(batchLeast, rows/2)
	case took < batchShort:
		return min(batchMost, rows*2)
	}
	return rows
}

// BackgroundRuns returns how far the background migrations are that are not done.
func (db *DB) BackgroundRuns(ctx context.Context) ([]models.BackgroundRun, error) {
	rows, err := db.Query(ctx, `
		SELECT m.version, '', m.table_name, m.read_rows,
		       greatest(m.read_rows, coalesce((SELECT c.reltuples::bigint FROM pg_class c WHERE c.oid = to_regclass(m.table_name)), 0)),
		       extract(epoch FROM now() - m.began_at)::bigint, coalesce(m.failure, '')
		  FROM background_migrations m WHERE m.ended_at IS NULL ORDER BY 1`)
	runs, err := Collect(rows, err, pgx.RowToStructByPos[models.BackgroundRun])
	if err != nil || len(runs) == 0 {
		return runs, Translate(err)
	}
	files, err := migrations.Files(migrations.FS)
	for i := range runs {
		if n := slices.IndexFunc(files, func(f migrations.File) bool { return f.Version == runs[i].Version }); n >= 0 {
			runs[i].File = files[n].Name
		}
	}
	return runs, err
}
