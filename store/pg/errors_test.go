package pg_test

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/pg"
)

// However a connection breaks, the answer is that the database is away, which passes: a
// process that starts waits for it, and a request may be sent again.
func TestEveryBrokenConnectionIsAnOutage(t *testing.T) {
	t.Parallel()
	for name, err := range map[string]error{
		"refused":             &net.OpError{Op: "dial", Err: errors.New("connection refused")},
		"ended by the server": io.ErrUnexpectedEOF,
		"while it starts":     &pgconn.PgError{Code: "57P03"},
		"while it stops":      &pgconn.PgError{Code: "57P01"},
		"while it only reads": &pgconn.PgError{Code: "25006"},
		"on the migrations' way": fmt.Errorf(
			"failed to initialize: %w", errors.Join(driver.ErrBadConn, sql.ErrConnDone),
		),
		"in the hands of another": sql.ErrConnDone,
	} {
		require.ErrorIs(t, pg.Translate(fmt.Errorf("somewhere: %w", err)), models.ErrUnavailable, name)
	}
	require.NotErrorIs(t, pg.Translate(&pgconn.PgError{Code: "23505"}), models.ErrUnavailable)
}
