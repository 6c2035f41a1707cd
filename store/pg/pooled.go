package pg

import (
	"context"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// ErrPooled says that something between this process and PostgreSQL keeps the settings of a
// connection from it, as a pooler does that shares connections between transactions. Locks,
// notifications, prepared statements and timeouts would be those of somebody else.
var ErrPooled = errors.New("the connection to PostgreSQL does not keep its settings: connect to PostgreSQL itself, " +
	"not to a pooler such as PgBouncer (every process has a pool of its own, bounded by LEVY_DATABASE_CONNECTIONS)")

// CheckDirect reports whether connections keep the settings that Open gives them. Errors: ErrPooled;
// models.ErrUnavailable while nobody answers.
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
