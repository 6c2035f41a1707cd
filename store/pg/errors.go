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
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"

	"levy/models"
)

// Codes of errors of PostgreSQL (its manual, appendix A) that the store distinguishes. models.PassingState has those of
// outages.
const (
	cannotConnectNow      = "57P03"
	deadlockDetected      = "40P01"
	diskFull              = "53100"
	duplicateObject       = "42710"
	insufficientPrivilege = "42501"
	internalError         = "XX000" // "tuple concurrently updated"
	invalidLogin          = "28000"
	lockNotAvailable      = "55P03"
	notNullViolation      = "23502"
	numberOutOfRange      = "22003"
	protocolViolation     = "08P01" // from PgBouncer: it does not pass a setting on
	readOnlyTransaction   = "25006"
	tooManyConnections    = "53300"
	uniqueViolation       = "23505"
	unknownDatabase       = "3D000"
	wrongPassword         = "28P01"
)

// Translate returns the domain error for an error of the driver, if there is one. The text of a PostgreSQL error keeps
// its code and constraint but loses DETAIL, which contains values of rows.
func Translate(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, pgx.ErrNoRows) || errors.Is(err, gorm.ErrRecordNotFound) {
		return models.ErrNotFound
	}
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		switch pg.Code {
		case deadlockDetected:
			return ErrDeadlock
		case lockNotAvailable:
			return models.ErrLockTimeout
		}
		if models.PassingState(pg.Code) {
			return fmt.Errorf("%w: %sSQLSTATE %s", models.ErrUnavailable, passingStates[pg.Code], pg.Code)
		}
		return &databaseError{code: pg.Code, constraint: pg.ConstraintName, message: pg.Message}
	}
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path) || errors.As(err, &link):
		return err // it wraps a code of the operating system, which would count as a network error below
	case disconnected(err):
		return fmt.Errorf("%w: database does not answer", models.ErrUnavailable)
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%w: database took too long", models.ErrUnavailable)
	}
	return err
}

// disconnected reports whether the database did not answer pgx, GORM or the migrations.
func disconnected(err error) bool {
	var connect *pgconn.ConnectError
	var network net.Error
	return errors.As(err, &connect) || errors.As(err, &network) || pgconn.SafeToRetry(err) || pgconn.Timeout(err) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone)
}

// hasCode reports whether PostgreSQL refused a statement with one of these codes.
func hasCode(err error, codes ...string) bool {
	refused, ok := errors.AsType[*pgconn.PgError](err)
	return ok && slices.Contains(codes, refused.Code)
}

// NumberTooLarge reports whether a number exceeds the range of its column.
func NumberTooLarge(err error) bool { return hasCode(err, numberOutOfRange) }

// ValueMissing reports whether a row of the table lacks a required value.
func ValueMissing(err error, table string) bool {
	refused, ok := errors.AsType[*pgconn.PgError](err)
	return ok && refused.Code == notNullViolation && refused.TableName == table
}

// isLockTimeout reports whether another transaction kept a lock for too long.
func isLockTimeout(err error) bool { return hasCode(err, lockNotAvailable) }

// isLockLost reports whether a statement did not get a lock: another transaction kept it for too long, or waited for a lock
// of this one.
func isLockLost(err error) bool { return hasCode(err, lockNotAvailable, deadlockDetected) }

// isConcurrentlyCreated reports whether another process created the same role or grant at the same moment.
func isConcurrentlyCreated(err error) bool {
	return hasCode(err, duplicateObject, uniqueViolation, internalError)
}

// RolledBack reports whether a database transaction that ended with this error certainly changed nothing: PostgreSQL
// refused it, or nothing was sent. A server that ended the connection (FATAL) may have committed before.
func RolledBack(err error) bool {
	refused, ok := errors.AsType[*pgconn.PgError](err)
	return ok && refused.SeverityUnlocalized == "ERROR" || pgconn.SafeToRetry(err)
}

// passingStates are messages for the operator, by the code of PostgreSQL.
var passingStates = map[string]string{
	readOnlyTransaction: "PostgreSQL is read-only, ",
	diskFull:            "the disk of PostgreSQL is full, ",
	tooManyConnections:  "PostgreSQL has no connection left, ",
	cannotConnectNow:    "PostgreSQL starts or stops, ",
}

// ErrDeadlock means that the database rolled a transaction back: it waited for another one that waited for it.
var ErrDeadlock = fmt.Errorf("%w: deadlock", models.ErrUnavailable)

// databaseError is a refusal by the database that a repetition does not change.
type databaseError struct{ code, constraint, message string }

func (e *databaseError) Error() string {
	switch e.code {
	case wrongPassword, invalidLogin:
		return "PostgreSQL refuses this login, or its password (SQLSTATE " + e.code + ")"
	case unknownDatabase:
		return "PostgreSQL has no database of this name (SQLSTATE " + e.code + ")"
	case insufficientPrivilege:
		if strings.Contains(e.message, "row-level security") {
			break // row-level security refused a row of another organization; no grant would allow it
		}
		return "PostgreSQL does not allow its user this: levy roles, and levy migrate as levy_owner, grant what a process needs (SQLSTATE " +
			e.code + ")"
	}
	return fmt.Sprintf("database refused: SQLSTATE %s, constraint %q", e.code, e.constraint)
}

// SQLState returns the code of PostgreSQL.
func (e *databaseError) SQLState() string { return e.code }

// Violates reports whether err is a violation of the named constraint or index.
func Violates(err error, constraint string) bool {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		return pg.ConstraintName == constraint
	}
	db, ok := errors.AsType[*databaseError](err)
	return ok && db.constraint == constraint
}
