package activities

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/converter"
	sdklog "go.temporal.io/sdk/log"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	sdkworker "go.temporal.io/sdk/worker"

	"levy/models"
)

var quiet = slog.New(slog.DiscardHandler)

// call is what an activity has handed to a store or to an authority, without the context.
type call struct {
	Method string
	Args   []any
}

// recorder is embedded in fakes: it keeps their calls, and answers with errors.
type recorder struct {
	mu    sync.Mutex
	calls []call
	errs  map[string][]error // of the next calls of a method, one after the other
	slow  <-chan struct{}    // the first call waits for it
}

func (r *recorder) record(method string, args ...any) error {
	if r.slow != nil {
		select {
		case <-r.slow:
			r.slow = nil
		case <-time.After(20 * time.Second):
			return errors.New("no heartbeat")
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls = append(r.calls, call{method, args})
	errs := r.errs[method]
	if len(errs) == 0 {
		return nil
	}
	r.errs[method] = errs[1:]
	return errs[0]
}

// fail has the next calls of a method end with errors.
func (r *recorder) fail(method string, errs ...error) {
	if r.errs == nil {
		r.errs = map[string][]error{}
	}
	r.errs[method] = append(r.errs[method], errs...)
}

// of lists the calls of a method.
func (r *recorder) of(method string) (calls []call) {
	for _, c := range r.calls {
		if c.Method == method {
			calls = append(calls, c)
		}
	}
	return calls
}

// methods lists the calls by name, in their order.
func (r *recorder) methods() (names []string) {
	for _, c := range r.calls {
		names = append(names, c.Method)
	}
	return names
}

// attempt is one attempt of an activity: how many defects there were before, and the
// heartbeats that it sends.
type attempt struct {
	used int
	beat func(details converter.EncodedValues)
	late bool // no time is left
	// pacer of its stages; nil for none
	pacer Pacer
}

// run executes an activity of work by its registered name, as a worker does.
func (a attempt) run(t *testing.T, work any, name string, in any) (converter.EncodedValue, error) {
	t.Helper()
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(sdklog.NewStructuredLogger(quiet))
	env := suite.NewTestActivityEnvironment()
	env.RegisterActivity(work)
	if a.used > 0 {
		env.SetHeartbeatDetails(a.used)
	}
	if a.beat != nil {
		env.SetOnActivityHeartbeatListener(func(_ *activity.Info, details converter.EncodedValues) { a.beat(details) })
	}
	if a.late {
		soon := lateContext{t.Context(), time.Now().Add(time.Second)} // the work has one second less
		env.SetWorkerOptions(sdkworker.Options{BackgroundActivityContext: soon})
	}
	if a.pacer != nil {
		env.SetWorkerOptions(sdkworker.Options{BackgroundActivityContext: WithPacer(t.Context(), a.pacer)})
	}
	return env.ExecuteActivity(name, in)
}

// lateContext has a deadline but does not end, so that the activity can answer also on a busy machine.
type lateContext struct {
	context.Context
	deadline time.Time
}

func (c lateContext) Deadline() (time.Time, bool) { return c.deadline, true }

// execute runs an activity that succeeds and returns its result.
func execute[R any](t *testing.T, work any, name string, in any) (result R) {
	t.Helper()
	value, err := attempt{}.run(t, work, name, in)
	require.NoError(t, err, name)
	if value.HasValue() {
		require.NoError(t, value.Get(&result))
	}
	return result
}

// failing runs an activity that fails and returns the error with which it leaves.
func (a attempt) failing(t *testing.T, work any, name string, in any) *temporal.ApplicationError {
	t.Helper()
	_, err := a.run(t, work, name, in)
	left, ok := errors.AsType[*temporal.ApplicationError](err)
	require.True(t, ok, "%s: %v", name, err)
	return left
}

// codeOf is the detail of an error that is no refusal.
func codeOf(t *testing.T, left *temporal.ApplicationError) (code string) {
	t.Helper()
	require.NoError(t, left.Details(&code))
	return code
}

// storeErrors are the classes of errors of a store that are no refusals.
var storeErrors = map[string]struct {
	err     error
	errType string
	code    string
}{
	"the database cannot be reached": {models.ErrUnavailable, ErrTypeInfrastructure, "unavailable"},
	"the reply was lost":             {models.ErrOutcomeUnknown, ErrTypeInfrastructure, "unavailable"},
	"the connection was lost":        {io.ErrUnexpectedEOF, ErrTypeInfrastructure, "connection_lost"},
	"a serialization failure":        {&pgconn.PgError{Code: "40001"}, ErrTypeInfrastructure, "database_40001"},
	"a deadlock":                     {&pgconn.PgError{Code: "40P01"}, ErrTypeInfrastructure, "database_40P01"},
	"the statement took too long":    {context.DeadlineExceeded, ErrTypeInfrastructure, "timeout"},
	"a constraint is violated": {
		&pgconn.PgError{Code: "23514", Message: "078-05-1120"}, ErrTypeUnexpected, "database_23514",
	},
	"a value is out of range": {
		&pgconn.PgError{Code: "22003", Message: "078-05-1120"}, ErrTypeUnexpected, "database_22003",
	},
	"a defect": {errors.New("078-05-1120"), ErrTypeUnexpected, "unexpected"},
}

var (
	ourScope  = models.Scope{OrganizationID: "org_1"}
	ourMoment = time.Date(2026, 7, 1, 10, 5, 0, 0, time.UTC)
)
