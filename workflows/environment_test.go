package workflows

import (
	"log/slog"
	"time"

	sdklog "go.temporal.io/sdk/log"
	"go.temporal.io/sdk/testsuite"
	sdkworker "go.temporal.io/sdk/worker"
)

var quietLog = slog.New(slog.DiscardHandler)

// newEnvironment is where workflows run in tests. A machine with much to do may leave
// a workflow waiting for a second, which is no deadlock.
func newEnvironment() *testsuite.TestWorkflowEnvironment {
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(sdklog.NewStructuredLogger(quietLog))
	env := suite.NewTestWorkflowEnvironment()
	env.SetWorkerOptions(sdkworker.Options{DeadlockDetectionTimeout: time.Minute})
	return env
}
