package pg_test

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/pg"
)

// Every broken connection is a temporary outage of the database. A process that starts waits for it,
// and a request may be sent again.
func TestEveryBrokenConnectionIsAnOutage(t *testing.T) {
	t.Parallel()
	for name, err := range map[string]error{
		"refused":             &net.OpError{Op: "dial", Err: errors.New("connection refused")},
		"ended by the server": io.ErrUnexpectedEOF,
		"while it starts":     &pgconn.PgError{Code: "57P03"},
		"while it stops":      &pgconn.PgError{Code: "57P01"},
		"while it only reads": &pgconn.PgError{Code: "25006"},
		"an error of the migrations": fmt.Errorf(
			"failed to initialize: %w", errors.Join(driver.ErrBadConn, sql.ErrConnDone),
		),
		"an error that another one wraps": sql.ErrConnDone,
	} {
		require.ErrorIs(t, pg.Translate(fmt.Errorf("somewhere: %w", err)), models.ErrUnavailable, name)
	}
	require.NotErrorIs(t, pg.Translate(&pgconn.PgError{Code: "23505"}), models.ErrUnavailable)
}

// A file that cannot be written in a database transaction is no outage of the database.
func TestAnErrorOfAFileStaysOne(t *testing.T) {
	t.Parallel()
	for _, err := range []error{
		&fs.PathError{Op: "mkdir", Path: "/keys", Err: syscall.EROFS},
		&os.LinkError{Op: "rename", Old: "/keys/a", New: "/keys/b", Err: syscall.ENOSPC},
	} {
		require.Equal(t, err, pg.Translate(err))
	}
}

// Errors that an operator must fix have a message in plain words.
func TestRefusalsAreSaidInWords(t *testing.T) {
	t.Parallel()
	for code, says := range map[string]string{
		"28P01": "refuses this login", "3D000": "no database of this name", "42501": "does not allow its user this",
		"25006": "service unavailable: PostgreSQL is read-only, SQLSTATE 25006", "53100": "disk of PostgreSQL is full",
		"08006": "service unavailable: SQLSTATE 08006",
	} {
		require.ErrorContains(t, pg.Translate(&pgconn.PgError{Code: code}), says)
	}
	rows := &pgconn.PgError{Code: "42501", Message: `new row violates row-level security policy for table "filings"`}
	require.NotContains(t, pg.Translate(rows).Error(), "levy roles", "no grant allows it")
}
