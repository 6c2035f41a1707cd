package worker

import (
	"context"
	"errors"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/testsuite"
	sdkworker "go.temporal.io/sdk/worker"

	"levy/activities"
)

// checks is a database that answers each call with its error, or nil.
type checks struct{ err error }

func (f checks) NoteCheck(context.Context, string) error { return f.err }

// The count shows an activity that a defect makes retry without limit. An outage ends, so it does not count.
func TestDefectsOfActivitiesAreCounted(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		err  error
		want float64
	}{
		"success": {nil, 0},
		"outage":  {context.DeadlineExceeded, 0},
		"defect":  {errors.New("broken"), 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			failures := NewUnexplainedFailures(prometheus.NewRegistry())
			env := (&testsuite.WorkflowTestSuite{}).NewTestActivityEnvironment()
			env.SetWorkerOptions(sdkworker.Options{Interceptors: []interceptor.WorkerInterceptor{failures}})
			env.RegisterActivity(activities.NewHeartbeat(checks{test.err}, quiet))
			_, err := env.ExecuteActivity("NoteHeartbeat")
			require.Equal(t, test.err != nil, err != nil)
			require.InDelta(t, test.want, testutil.ToFloat64(failures.attempts.WithLabelValues("NoteHeartbeat")), 0)
		})
	}
}
