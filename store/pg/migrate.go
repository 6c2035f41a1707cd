package pg

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"levy/store/migrations"
)

// Migrate brings the schema up to date while the service runs, and returns how many migrations it applied. Several
// processes may call it at once: one works, the others wait. A migration has no time limit, but it waits for a lock no
// longer than migrationLockTimeout, because later statements wait for the lock too. Migrate retries until ctx ends.
func (db *DB) Migrate(ctx context.Context) (int, error) {
	return db.MigrateFrom(ctx, migrations.FS)
}

const (
	// migrationLockTimeout is how long a migration waits for a lock, and with it all later statements on the table.
	migrationLockTimeout = time.Second
	// lockPause is the pause between two attempts. In it the waiting statements run.
	lockPause = time.Second
)

// MigrateFrom is Migrate with other migrations than those of the program, after the baseline.
func (db *DB) MigrateFrom(ctx context.Context, files fs.FS) (applied int, err error) {
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return 0, fmt.Errorf("migration lock: %w", err)
	}
	// The pool is unsuitable: its statements have 10 seconds, and an index of a big table takes longer.
	settings := db.pool.Config().ConnConfig
	settings.RuntimeParams["statement_timeout"] = "0"
	settings.RuntimeParams["idle_in_transaction_session_timeout"] = "0"
	settings.RuntimeParams["lock_timeout"] = fmt.Sprint(migrationLockTimeout.Milliseconds())
	own := stdlib.OpenDB(*settings)
	defer own.Close()
	provider, err := goose.NewProvider(goose.DialectPostgres, own, files, goose.WithGoMigrations(migrations.Baseline()),
		goose.WithSessionLocker(locker))
	if err != nil {
		return 0, fmt.Errorf("read migrations: %w", err)
	}
	for {
		results, err := provider.Up(ctx)
		if partial, ok := errors.AsType[*goose.PartialError](err); ok {
			results = partial.Applied
		}
		applied += len(results)
		if err == nil {
			return applied, nil
		}
		if errors.Is(err, migrations.ErrTooOld) {
			return applied, migrations.ErrTooOld
		}
		if refused, ok := errors.AsType[*pgconn.PgError](err); ok && refused.Code == insufficientPrivilege {
			return applied, fmt.Errorf("%w: %s", ErrNotOwner, refused.Message)
		}
		if !isLockTimeout(err) {
			return applied, fmt.Errorf("migrate: %w", err)
		}
		select {
		case <-ctx.Done():
			return applied, fmt.Errorf("migrate: %w", err)
		case <-time.After(lockPause):
		}
	}
}

// ErrNotOwner means that the user of the database may not change its schema.
var ErrNotOwner = errors.New("the user of LEVY_DATABASE_URL may not change the schema: `levy migrate` needs the " +
	"address of who owns the tables, which `levy roles` calls LEVY_OWNER_DATABASE_URL")

// ErrNotMigrated means that the database's schema is older than this program.
var ErrNotMigrated = errors.New("database schema is not up to date: run `levy migrate`")

// CheckMigrated returns ErrNotMigrated while migrations are pending.
func (db *DB) CheckMigrated(ctx context.Context) error {
	return db.compareSchema(func(provider *goose.Provider) error {
		if pending, err := provider.HasPending(ctx); err != nil || !pending {
			return err
		}
		return ErrNotMigrated
	})
}

// SchemaIsNewer reports whether a newer program has migrated the database, as it does during an upgrade.
func (db *DB) SchemaIsNewer(ctx context.Context) (newer bool, err error) {
	err = db.compareSchema(func(provider *goose.Provider) error {
		current, own, err := provider.GetVersions(ctx)
		newer = current > own
		return err
	})
	return newer, err
}

// compareSchema calls do with the migrations of the database and of this program.
func (db *DB) compareSchema(do func(*goose.Provider) error) error {
	own := stdlib.OpenDBFromPool(db.pool)
	defer own.Close()
	provider, err := goose.NewProvider(goose.DialectPostgres, own, migrations.FS,
		goose.WithGoMigrations(migrations.Baseline()))
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	return Translate(do(provider))
}
