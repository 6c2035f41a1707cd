package workflows

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	sdkpb "go.temporal.io/api/sdk/v1"
	"go.temporal.io/sdk/activity"
	sdklog "go.temporal.io/sdk/log"
	"go.temporal.io/sdk/testsuite"
	sdkworker "go.temporal.io/sdk/worker"
)

var quietLog = slog.New(slog.DiscardHandler)

// newEnvironment returns a test environment for workflows. On a busy machine a workflow may wait for a second, which is
// no deadlock.
func newEnvironment() *testsuite.TestWorkflowEnvironment {
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(sdklog.NewStructuredLogger(quietLog))
	env := suite.NewTestWorkflowEnvironment()
	env.SetWorkerOptions(sdkworker.Options{DeadlockDetectionTimeout: time.Minute})
	return env
}

// metadataOf is what staff see of a run: its messages, and its current details.
func metadataOf(t *testing.T, env *testsuite.TestWorkflowEnvironment) *sdkpb.WorkflowMetadata {
	t.Helper()
	value, err := env.QueryWorkflow("__temporal_workflow_metadata")
	require.NoError(t, err)
	metadata := &sdkpb.WorkflowMetadata{}
	require.NoError(t, value.Get(metadata))
	return metadata
}

func detailsOf(t *testing.T, env *testsuite.TestWorkflowEnvironment) string {
	t.Helper()
	return metadataOf(t, env).GetCurrentDetails()
}

// keepAlive sends a heartbeat with the existing details. The environment counts the heartbeat timeout over all
// attempts of an activity and by the clock of the machine, which thousands of attempts may exceed.
func keepAlive(ctx context.Context) {
	var details []any
	if used := 0; activity.HasHeartbeatDetails(ctx) && activity.GetHeartbeatDetails(ctx, &used) == nil {
		details = append(details, used)
	}
	activity.RecordHeartbeat(ctx, details...)
}
