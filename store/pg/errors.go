package pg

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"

	"levy/models"
)

// Translate turns a driver's error into a domain error where there is one. The
// text of a PostgreSQL error keeps its code and constraint but loses DETAIL,
// which prints the values of rows.
func Translate(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, pgx.ErrNoRows) || errors.Is(err, gorm.ErrRecordNotFound) {
		return models.ErrNotFound
	}
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		switch pg.Code {
		case "40P01":
			return ErrDeadlock
		case "55P03":
			return models.ErrLockTimeout
		}
		if models.PassingState(pg.Code) {
			return fmt.Errorf("%w: %sSQLSTATE %s", models.ErrUnavailable, passingStates[pg.Code], pg.Code)
		}
		return &databaseError{code: pg.Code, constraint: pg.ConstraintName, message: pg.Message}
	}
	var path *fs.PathError
	var link *os.LinkError
	if errors.As(err, &path) || errors.As(err, &link) {
		return err // the code that it wraps is taken for one of the network otherwise
	}
	var connect *pgconn.ConnectError
	var network net.Error
	broken := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(
			err, driver.ErrBadConn,
		) || errors.Is(err, sql.ErrConnDone) // of the migrations' and GORM's way to the database
	if errors.As(
		err, &connect,
	) || errors.As(err, &network) || broken || pgconn.SafeToRetry(err) || pgconn.Timeout(err) {
		return fmt.Errorf("%w: database does not answer", models.ErrUnavailable)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%w: database took too long", models.ErrUnavailable)
	}
	return err
}

// passingStates say what an operator has to see to, where the code of PostgreSQL says it.
var passingStates = map[string]string{
	"25006": "PostgreSQL is read-only, ",
	"53100": "the disk of PostgreSQL is full, ",
	"53300": "PostgreSQL has no connection left, ",
	"57P03": "PostgreSQL starts or stops, ",
}

// ErrDeadlock: the database rolled a transaction back that waited for another one, which waited for it.
var ErrDeadlock = fmt.Errorf("%w: deadlock", models.ErrUnavailable)

// databaseError is a refusal by the database that is not a matter of luck.
type databaseError struct{ code, constraint, message string }

func (e *databaseError) Error() string {
	switch e.code {
	case "28P01", "28000":
		return "PostgreSQL refuses this login, or its password (SQLSTATE " + e.code + ")"
	case "3D000":
		return "PostgreSQL has no database of this name (SQLSTATE 3D000)"
	case insufficientPrivilege:
		if strings.Contains(e.message, "row-level security") {
			break // a row of another organization, which no grant may allow
		}
		return "PostgreSQL does not allow its user this: levy roles and levy migrate grant what a process needs (SQLSTATE " +
			e.code + ")"
	}
	return fmt.Sprintf("database refused: SQLSTATE %s, constraint %q", e.code, e.constraint)
}

// SQLState is the code of the refusal.
func (e *databaseError) SQLState() string { return e.code }

// Violates reports whether err is a violation of the named constraint or index.
func Violates(err error, constraint string) bool {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return pg.ConstraintName == constraint
	}
	var db *databaseError
	return errors.As(err, &db) && db.constraint == constraint
}
