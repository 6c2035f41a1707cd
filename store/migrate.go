package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"levy/store/migrations"
)

// Migrate brings the schema up to date and returns how many migrations it
// applied. Several processes may call it at once: one works, the others wait.
func (s *Store) Migrate(ctx context.Context) (int, error) {
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return 0, fmt.Errorf("migration lock: %w", err)
	}
	db := stdlib.OpenDBFromPool(s.pool.Pool)
	defer db.Close()
	provider, err := goose.NewProvider(goose.DialectPostgres, db, migrations.FS, goose.WithSessionLocker(locker))
	if err != nil {
		return 0, fmt.Errorf("read migrations: %w", err)
	}
	results, err := provider.Up(ctx)
	if err != nil {
		return 0, fmt.Errorf("migrate: %w", err)
	}
	return len(results), nil
}

// ErrNotMigrated: the database's schema is older than this program.
var ErrNotMigrated = errors.New("database schema is not up to date: run `levy migrate`")

// CheckMigrated returns ErrNotMigrated while migrations are pending.
func (s *Store) CheckMigrated(ctx context.Context) error {
	db := stdlib.OpenDBFromPool(s.pool.Pool)
	defer db.Close()
	provider, err := goose.NewProvider(goose.DialectPostgres, db, migrations.FS)
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	pending, err := provider.HasPending(ctx)
	if err != nil {
		return translate(err)
	}
	if pending {
		return ErrNotMigrated
	}
	return nil
}
