package activities

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime"

	"go.temporal.io/sdk/temporal"

	"levy/models"
)

// Types of the errors that leave an activity. Workflows branch on them.
const (
	// ErrTypeInvalidInput: the input makes no sense. Never retried.
	ErrTypeInvalidInput = "InvalidInput"
	// ErrTypeInfrastructure: a part the activity needs is down or busy. Retried.
	ErrTypeInfrastructure = "Infrastructure"
	// ErrTypeUnexpected: anything else. Retried until UnexpectedAttempts are used up.
	ErrTypeUnexpected = "Unexpected"
	// ErrTypeBatchFailed: unexpected errors used up the attempts; the batch must be
	// taken apart. Its detail is the code of the last error. Never retried.
	ErrTypeBatchFailed = "BatchFailed"
	// ErrTypeImportFailed: an import ran into a defect; it waits to be resumed.
	ErrTypeImportFailed = "ImportFailed"
)

// UnexpectedAttempts is how often a stage is tried in the face of errors that no
// outage explains: often enough for a passing cause, few enough that one broken
// record does not hold up its mates.
const UnexpectedAttempts = 3

// Codes of unexpected errors, as they stand in failures, logs and on outbox rows.
const (
	codePanic      = "panic"
	codeNotMoved   = "not_moved"
	codeUnexpected = "unexpected"
)

// errNotMoved says that a transaction neither moved nor stands anywhere that
// would explain why it did not.
var errNotMoved = errors.New("transaction did not reach the stage")

// panicError is a panic of an activity turned into an error.
type panicError struct{ value any }

// Error shows the text of runtime errors (an index, a nil pointer), which holds no
// content of records; of other panic values it shows only the type.
func (e *panicError) Error() string {
	if err, ok := e.value.(runtime.Error); ok {
		return err.Error()
	}
	return fmt.Sprintf("panic with a %T", e.value)
}

// sqlState is what database errors offer, whichever driver they come from.
type sqlState interface {
	error
	SQLState() string
}

// failure is the only constructor of errors that leave a stage. isolating is the
// last try of a part of a batch: an unexpected error then counts as final.
func failure(err error, attempt int, isolating bool) error {
	code, infrastructure := classify(err)
	if infrastructure {
		return temporal.NewApplicationErrorWithOptions(message(code), ErrTypeInfrastructure,
			temporal.ApplicationErrorOptions{Details: []any{code}})
	}
	if isolating || attempt >= UnexpectedAttempts {
		return temporal.NewApplicationErrorWithOptions(message(code), ErrTypeBatchFailed,
			temporal.ApplicationErrorOptions{NonRetryable: true, Details: []any{code}})
	}
	return temporal.NewApplicationErrorWithOptions(message(code), ErrTypeUnexpected,
		temporal.ApplicationErrorOptions{Details: []any{code}})
}

// invalidInput refuses an input for good.
func invalidInput(reason string) error {
	return temporal.NewApplicationErrorWithOptions(reason, ErrTypeInvalidInput,
		temporal.ApplicationErrorOptions{NonRetryable: true})
}

func message(code string) string { return "stage failed: " + code }

// classify names an error and says whether it is an outage that will pass.
func classify(err error) (code string, infrastructure bool) {
	if db, ok := errors.AsType[sqlState](err); ok {
		state := db.SQLState()
		return "database_" + state, passing(state)
	}
	if _, ok := errors.AsType[*panicError](err); ok {
		return codePanic, false
	}
	switch {
	case errors.Is(err, models.ErrUnavailable), errors.Is(err, models.ErrOutcomeUnknown):
		return "unavailable", true
	case errors.Is(err, context.DeadlineExceeded):
		return "timeout", true
	case errors.Is(err, context.Canceled):
		return "stopped", true
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed):
		return "connection_lost", true
	case errors.Is(err, errNotMoved):
		return codeNotMoved, false
	}
	if _, ok := errors.AsType[net.Error](err); ok {
		return "connection_lost", true
	}
	return codeUnexpected, false
}

// passing reports whether a database error says nothing about the data: lost
// connections, resources, shutdown, I/O, and transactions that lost a race.
func passing(state string) bool {
	if len(state) != 5 {
		return false
	}
	switch state[:2] {
	case "08", "53", "57", "58":
		return true
	}
	switch state {
	case "40001", "40P01", "55P03":
		return true
	}
	return false
}

// diagnosis is the text of an error for the log. Data errors (class 22) quote the
// value that caused them, so of those only the code is shown.
func diagnosis(err error) string {
	if db, ok := errors.AsType[sqlState](err); ok && len(db.SQLState()) == 5 && db.SQLState()[:2] == "22" {
		return "database error " + db.SQLState()
	}
	return err.Error()
}
