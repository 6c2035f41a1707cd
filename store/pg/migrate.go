package pg

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"levy/store/migrations"
)

// Migrate brings the schema up to date while the service runs, and returns how many migrations it applied. Several
// processes may call it at once: one works, the others wait. Neither a migration nor the whole has a time limit. A
// statement waits for a lock no longer than migrationLockTimeout, because later statements wait for the lock too. Then, and
// after a deadlock, it is tried again until ctx ends. Only statements that nothing waits for, such as CREATE INDEX
// CONCURRENTLY, wait on.
func (db *DB) Migrate(ctx context.Context) (int, error) {
	return db.MigrateFrom(ctx, migrations.FS)
}

const (
	// migrationLockTimeout is how long a statement waits for a lock, and with it all later statements on the table.
	migrationLockTimeout = time.Second
	// lockPause is the pause between two attempts. In it the waiting statements run.
	lockPause = time.Second
	// migrationName begins the name of the connections of a migration in pg_stat_activity.
	migrationName = "levy migrate"
)

// MigrateFrom is Migrate with other migrations than those of the program.
func (db *DB) MigrateFrom(ctx context.Context, files fs.FS) (applied int, err error) {
	return db.MigrateTelling(ctx, files, Telling{Line: func(string) {}, Applied: func() {}})
}

// Telling receives how far a migration is.
type Telling struct {
	Line    func(line string) // about what takes long; also called from another goroutine
	Applied func()            // after each file
}

// MigrateTelling is MigrateFrom and tells a line for each migration that took longer than a second. It also tells
// one, from another goroutine, when the sessions change that it waits for, and when the build of an index proceeds.
func (db *DB) MigrateTelling(ctx context.Context, files fs.FS, tell Telling) (applied int, err error) {
	// The migration of another process may take as long as it needs.
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, math.MaxInt32))
	if err != nil {
		return 0, fmt.Errorf("migration lock: %w", err)
	}
	all, err := migrations.Files(files)
	if err != nil {
		return 0, err
	}
	settings := db.migrationSettings()
	own := stdlib.OpenDB(*settings)
	defer own.Close()
	m := &migrating{tell: tell.Line}
	quick, byHand := m.divide(files, all)
	provider, err := goose.NewProvider(goose.DialectPostgres, own, quick, goose.WithGoMigrations(byHand...),
		goose.WithSessionLocker(locker))
	if err != nil {
		return 0, fmt.Errorf("read migrations: %w", err)
	}
	if err := db.refuseTooOld(ctx); err != nil {
		return 0, err
	}
	ctx, stop := context.WithCancel(ctx)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		m.watch(ctx, settings)
	}()
	defer func() {
		stop()
		<-watched
	}()
	for {
		result, err := provider.UpByOne(ctx)
		if errors.Is(err, goose.ErrNoNextVersion) {
			return applied, nil
		}
		if err == nil {
			tell.Applied()
			if applied++; result.Duration > migrationLockTimeout {
				tell.Line(fmt.Sprintf("migration %s: done in %s", nameOf(result.Source), result.Duration.Round(time.Millisecond)))
			}
			continue
		}
		if refused, ok := errors.AsType[*pgconn.PgError](err); ok && refused.Code == insufficientPrivilege {
			return applied, fmt.Errorf("%w: %s", ErrNotOwner, refused.Message)
		}
		if !isLockLost(err) {
			return applied, fmt.Errorf("migrate: %w", err)
		}
		select {
		case <-ctx.Done():
			return applied, fmt.Errorf("migrate: %w", err)
		case <-time.After(lockPause):
		}
	}
}

// nameOf is the name of a migration: its file, or its number if Levy and not goose executes it.
func nameOf(s *goose.Source) string {
	if s.Path == "" {
		return fmt.Sprintf("%05d", s.Version)
	}
	return path.Base(s.Path)
}

// refuseTooOld returns migrations.ErrTooOld if a version before 0.3.0 was the last to migrate the database. The baseline is
// recorded in the database transaction that creates the schema, so none is refused while another process creates it.
func (db *DB) refuseTooOld(ctx context.Context) error {
	var migrated, old bool
	err := db.QueryRow(ctx, "SELECT to_regclass('goose_db_version') IS NOT NULL").Scan(&migrated)
	if err != nil || !migrated {
		return Translate(err)
	}
	err = db.QueryRow(ctx, `
		SELECT EXISTS (SELECT FROM goose_db_version WHERE version_id > 0)
		   AND NOT EXISTS (SELECT FROM goose_db_version WHERE version_id = $1)`, migrations.Baseline).Scan(&old)
	if err == nil && old {
		return migrations.ErrTooOld
	}
	return Translate(err)
}

// migrationSettings are those of the connections of a migration. The pool is unsuitable: its statements have 10 seconds,
// and an index of a big table takes longer. The server ends a statement whose process is gone, so that a killed migration
// does not go on.
func (db *DB) migrationSettings() *pgx.ConnConfig {
	settings := db.pool.Config().ConnConfig
	settings.Tracer = nil
	settings.RuntimeParams["application_name"] = fmt.Sprintf("%s %d", migrationName, os.Getpid())
	settings.RuntimeParams["statement_timeout"] = "0"
	settings.RuntimeParams["idle_in_transaction_session_timeout"] = "0"
	settings.RuntimeParams["client_connection_check_interval"] = "5s"
	settings.RuntimeParams["lock_timeout"] = fmt.Sprint(migrationLockTimeout.Milliseconds())
	return settings
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
	provider, err := goose.NewProvider(goose.DialectPostgres, own, migrations.FS)
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	return Translate(do(provider))
}
