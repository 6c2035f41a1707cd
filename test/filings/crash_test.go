package filings_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/temporal"

	"levy/test/testbed"
)

// reportDeath reports to Temporal that the worker is dead, which it would notice by itself only after a timeout of 10 or
// 30 seconds: it fails the attempt of each activity and resets the sticky queue of each workflow.
func (b *bed) reportDeath() {
	b.t.Helper()
	ctx := context.Background()
	running, err := b.temporal.ListWorkflow(ctx,
		&workflowservice.ListWorkflowExecutionsRequest{Namespace: b.TemporalNamespace,
			Query: "ExecutionStatus = 'Running'"})
	require.NoError(b.t, err)
	for _, run := range running.GetExecutions() {
		id := run.GetExecution()
		_, _ = b.temporal.WorkflowService().ResetStickyTaskQueue(ctx,
			&workflowservice.ResetStickyTaskQueueRequest{Namespace: b.TemporalNamespace, Execution: id})
		described, err := b.temporal.DescribeWorkflowExecution(ctx, id.GetWorkflowId(), id.GetRunId())
		if err != nil {
			continue // it has ended meanwhile
		}
		for _, a := range described.GetPendingActivities() {
			if a.GetState() == enumspb.PENDING_ACTIVITY_STATE_STARTED {
				_ = b.temporal.CompleteActivityByID(ctx, b.TemporalNamespace, id.GetWorkflowId(), id.GetRunId(),
					a.GetActivityId(), nil,
					temporal.NewApplicationError("the worker is dead", "Dead"))
			}
		}
	}
}

// The worker dies at every point of a filing, before and after each commit and each call of another service. The next
// worker completes the filing: each effect happens once.
func TestAFilingCompletesWhenWorkersAreKilled(t *testing.T) {
	t.Parallel()
	testbed.Kills(t)
	b := newBed(t, testbed.Options{Failpoints: true})
	b.API.Start()
	b.Worker.Start()
	b.sale("S-1")
	b.Worker.Stop() // a registration is planned at once
	b.register("NY")
	b.API.Stop() // it has a relay too
	b.autoFile()
	b.plan()
	for i, point := range []string{
		"before_plan_commit=kill", "after_plan_commit=kill",
		"before_filing_notified=kill", "after_filing_notified=kill",
		"before_filing_write=kill", "after_filing_commit=kill", // the approval
		"after_submission=kill",
		"before_filing_write=kill", "after_filing_commit=kill", // the confirmation
		"before_lock_commit=kill", "after_lock_commit=kill",
	} {
		b.Exec("UPDATE filings SET next_check_at = now() WHERE next_check_at IS NOT NULL") // the test does not wait a minute
		b.Worker.Launch(point)                                                             // it may die before it is ready
		b.Worker.WaitKilled()
		if i != 4 { // one death is detected by the missing heartbeats
			b.reportDeath()
		}
	}
	b.Worker.Start()
	b.Exec("UPDATE filings SET next_check_at = now() WHERE next_check_at IS NOT NULL")
	b.waitLocked(1)
	require.Equal(t, 1, b.Count("SELECT count(*) FROM filings WHERE attempt = 1 AND transaction_count = 1"))
	require.Equal(t, 1, b.Count("SELECT count(*) FROM sandbox_submissions"))
	require.Equal(t, 1, b.Count("SELECT count(*) FROM filing_transactions"))
	require.Equal(t, 1, b.Count("SELECT count(*) FROM transactions WHERE processing_status = 'LOCKED'"))
}
