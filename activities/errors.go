package activities

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"

	"levy/models"
)

// Types of the errors that leave an activity, and of those that end a run. Workflows
// branch on them; a type never changes, because open runs hold it.
const (
	// ErrTypeInvalidInput: the input makes no sense. Never retried.
	ErrTypeInvalidInput = "InvalidInput"
	// ErrTypeInfrastructure: a part the activity needs is down or busy. Retried.
	ErrTypeInfrastructure = "Infrastructure"
	// ErrTypeUnexpected: anything else. Retried, by most until there were MaxDefects.
	ErrTypeUnexpected = "Unexpected"
	// ErrTypePending: the authority has not decided yet. Retried when it says so.
	ErrTypePending = "Pending"
	// ErrTypeBatchFailed: unexpected errors, or work that takes longer than it may, came up
	// MaxDefects times; the batch must be bisected. Its detail is the code of the last
	// error. Never retried.
	ErrTypeBatchFailed = "BatchFailed"
	// ErrTypeImportFailed is how a run ends whose import ran into a defect; it waits to be
	// resumed.
	ErrTypeImportFailed = "ImportFailed"
	// ErrTypeOnboardingFailed is how a run ends whose onboarding failed, or is not undone as far as it has to be. Details
	// of one that failed: the number of the step and the reason.
	ErrTypeOnboardingFailed = "OnboardingFailed"
)

// MaxDefects is how often an activity is attempted if no outage explains its errors. A passing cause ends within these
// attempts, and a broken record does not delay the others of its batch for long.
const MaxDefects = 3

// Codes of unexpected errors, as they stand in failures, logs and on outbox rows.
const (
	codePanic       = "panic"
	codeNotReached  = "not_moved"
	codeUnexpected  = "unexpected"
	codeUnavailable = "unavailable"
	codeUnanswered  = "authority_unanswered"
	codeTimeout     = "timeout"
	codeStopped     = "stopped"
	codeConnection  = "connection_lost"
	codeDatabase    = "database_" // and the state
)

// wordsOf are the codes in plain words, for who reads a history. Any other code is of the database.
var wordsOf = map[string]string{
	codePanic: "Levy has a defect", codeUnexpected: "Levy has a defect",
	codeNotReached:  "a transaction did not reach its next status",
	codeUnavailable: "what it needs does not answer",
	codeUnanswered:  "the tax authority does not answer",
	codeTimeout:     "it took too long",
	codeStopped:     "its worker was stopped",
	codeConnection:  "a connection was lost",
}

// The text of a failure begins with what happens to the work next.
const (
	triedAgain    = "Not done yet, and tried again: "
	triedInHalves = "Split, and each half is tried by itself: "
	givenUp       = "Given up: "
)

// inWords is the text of a failure.
func inWords(code, what string) string {
	return what + cmp.Or(wordsOf[code], "the database answers with an error") + " (" + code + ")"
}

// errNotReached says that a transaction neither reached the stage nor has a status that
// would explain why it did not.
var errNotReached = errors.New("transaction did not reach the stage")

// sqlState is what database errors offer, whichever driver they come from.
type sqlState interface {
	error
	SQLState() string
}

// failure is the only constructor of errors that leave an activity with more than one record. defects is how many there
// were with this error; 0 for an outage.
func failure(err error, defects int) error { return batchFailure(err, defects, givenUp) }

// batchFailure is a failure after the last attempt of which last becomes of the batch.
func batchFailure(err error, defects int, last string) error {
	code, infrastructure := classify(err)
	switch {
	case defects >= MaxDefects:
		return temporal.NewApplicationErrorWithOptions(inWords(code, last), ErrTypeBatchFailed,
			temporal.ApplicationErrorOptions{NonRetryable: true, Details: []any{code}})
	case infrastructure:
		return temporal.NewApplicationError(inWords(code, triedAgain), ErrTypeInfrastructure, code)
	}
	return temporal.NewApplicationError(inWords(code, triedAgain), ErrTypeUnexpected, code)
}

// stageFailure is the failure of a stage. A part of a batch has one attempt, to find what failed.
func stageFailure(err error, defects int, in StageInput) error {
	if in.Isolating && defects > 0 {
		defects = MaxDefects
	}
	if len(in.Refs) > 1 {
		return batchFailure(err, defects, triedInHalves)
	}
	return failure(err, defects)
}

// stepFailure is the only constructor of errors of activities with one record. The error is a refusal of its workflow,
// an outage that will pass, or an unexpected error. An unexpected error is final after MaxDefects attempts; defects
// counts them, and 0 means never.
func stepFailure(err error, of workflowKind, defects int) error {
	if refusal := refusalOf(err, of); refusal != nil {
		return refusal
	}
	if pending, ok := errors.AsType[*pendingError](err); ok {
		return temporal.NewApplicationErrorWithOptions(err.Error(), ErrTypePending, temporal.ApplicationErrorOptions{
			NextRetryDelay: pending.pause(), Category: temporal.ApplicationErrorCategoryBenign,
		})
	}
	if down, ok := errors.AsType[*models.AuthorityDownError](err); ok {
		return temporal.NewApplicationErrorWithOptions(
			err.Error(), ErrTypeInfrastructure, temporal.ApplicationErrorOptions{NextRetryDelay: spread(down.Again)},
		)
	}
	code, infrastructure := classify(err)
	errType := ErrTypeUnexpected
	if infrastructure {
		errType = ErrTypeInfrastructure
	}
	final, what := defects >= MaxDefects, triedAgain
	if final {
		what = givenUp
	}
	return temporal.NewApplicationErrorWithOptions(inWords(code, what), errType, temporal.ApplicationErrorOptions{
		NonRetryable: final, Details: []any{code},
	})
}

// The longest pause after an outage, and for how long records that wait for its end come one after the other.
const (
	longestPause = time.Minute
	spreadOver   = 5 * time.Second
)

// spread is a pause that does not end at the same moment for all.
func spread(pause time.Duration) time.Duration {
	return min(pause, longestPause-spreadOver) + rand.N(spreadOver)
}

// invalidInput refuses an input for good.
func invalidInput(reason string) error {
	return temporal.NewApplicationErrorWithOptions(reason, ErrTypeInvalidInput,
		temporal.ApplicationErrorOptions{NonRetryable: true})
}

// classify names an error and says whether it is an outage that will pass.
func classify(err error) (code string, infrastructure bool) {
	if db, ok := errors.AsType[sqlState](err); ok {
		state := db.SQLState()
		return codeDatabase + state, models.PassingState(state)
	}
	if _, ok := errors.AsType[*panicError](err); ok {
		return codePanic, false
	}
	if _, ok := errors.AsType[*models.UnansweredError](err); ok {
		return codeUnanswered, true
	}
	switch {
	case errors.Is(err, models.ErrUnavailable), errors.Is(err, models.ErrOutcomeUnknown):
		return codeUnavailable, true
	case errors.Is(err, context.DeadlineExceeded):
		return codeTimeout, true
	case errors.Is(err, context.Canceled):
		return codeStopped, true
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed):
		return codeConnection, true
	case errors.Is(err, errNotReached):
		return codeNotReached, false
	}
	if _, ok := errors.AsType[net.Error](err); ok {
		return codeConnection, true
	}
	return codeUnexpected, false
}

// report logs why an activity failed: an outage that will pass as a warning, anything else as an error.
func report(ctx context.Context, log *slog.Logger, what string, err error, more ...any) {
	level := slog.LevelError
	if _, infrastructure := classify(err); infrastructure {
		level = slog.LevelWarn
	}
	log.Log(ctx, level, what, failureAttributes(ctx, err, more...)...)
}

// failureAttributes are those of the log that say which activity failed, and why.
func failureAttributes(ctx context.Context, err error, more ...any) []any {
	info := activity.GetInfo(ctx)
	code, _ := classify(err)
	return append([]any{
		"activity", info.ActivityType.Name, "attempt", info.Attempt, "workflow_id", info.WorkflowExecution.ID,
		"code", code, "error", diagnosis(err),
	}, more...)
}

// diagnosis is the text of an error for the log: of one that quotes data only the code.
func diagnosis(err error) string {
	if db, ok := errors.AsType[sqlState](err); ok && models.QuotesData(db.SQLState()) {
		return "database error " + db.SQLState()
	}
	return err.Error()
}
