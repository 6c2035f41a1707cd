package pg

import (
	"context"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// ErrPooled means that a pooler between this process and PostgreSQL shares connections between transactions. Such a
// connection loses its settings. Its locks, notifications, prepared statements and timeouts would be those of other
// callers.
var ErrPooled = errors.New("the connection to PostgreSQL does not keep its settings: connect to PostgreSQL itself, " +
	"not to a pooler such as PgBouncer (every process has a pool of its own, bounded by LEVY_DATABASE_CONNECTIONS)")

// CheckDirect returns an error if connections lose the settings that Open gives them. Errors: ErrPooled;
// models.ErrUnavailable if the database does not answer.
func (db *DB) CheckDirect(ctx context.Context) error {
	var mode string
	err := db.pool.QueryRow(ctx, "SELECT current_setting('plan_cache_mode')").Scan(&mode)
	refused, ok := errors.AsType[*pgconn.PgError](err)
	if ok && refused.Code == protocolViolation && strings.Contains(refused.Message, "startup parameter") {
		return ErrPooled
	}
	if err == nil && mode != planCacheMode {
		return ErrPooled
	}
	return Translate(err)
}
