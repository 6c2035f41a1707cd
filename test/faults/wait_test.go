package faults_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/history/v1"
	"go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"
	sdkclient "go.temporal.io/sdk/client"

	"levy/test/testbed"
	"levy/worker"
)

// crashing is a bed whose service can be made to fail at named points.
func crashing(t *testing.T) (*testbed.Bed, *ledger) {
	t.Helper()
	bed := testbed.New(t, testbed.Options{Failpoints: true})
	return bed, newLedger(bed)
}

// accept posts sale n, which must be accepted.
func accept(t *testing.T, bed *testbed.Bed, ledger *ledger, n int) (externalID string) {
	t.Helper()
	externalID = fmt.Sprintf("ORDER-%d", n)
	answer := bed.Post("/v1/transactions", testbed.Sale(externalID, n))
	require.Equal(t, http.StatusAccepted, answer.Status, "%s", answer.Body)
	ledger.add(externalID, n, accepted)
	return externalID
}

// acceptUndispatched posts sales for which no workflow is started: the API stops at a failpoint before it starts them, and
// is killed. Their outbox rows are as if just written.
func acceptUndispatched(t *testing.T, bed *testbed.Bed, ledger *ledger, from, to int) {
	t.Helper()
	bed.API.Start("before_start=sleep(1h)")
	for n := from; n < to; n++ {
		accept(t, bed, ledger, n)
	}
	bed.API.Kill()
	require.Equal(t, to-from, bed.Count("SELECT count(*) FROM outbox WHERE batch_id IS NULL"))
}

// requireProcessed waits until n transactions exist and all are processed, or archived.
func requireProcessed(t *testing.T, bed *testbed.Bed, n int) {
	t.Helper()
	bed.Eventually(fmt.Sprintf("%d transactions are processed", n), func(ctx context.Context) (bool, error) {
		var all, processed, waiting int
		err := bed.DB.QueryRow(ctx, "SELECT count(*) FROM outbox").Scan(&waiting)
		if err != nil || waiting > 0 { // to count all while there is work takes its time
			return false, cmp.Or(err, fmt.Errorf("%d in the outbox", waiting))
		}
		err = bed.DB.QueryRow(ctx, `SELECT count(*),
			  count(*) FILTER (WHERE processing_status IN ('ARCHIVED', 'PROCESSED', 'FILING_STARTED', 'FILING_DONE', 'LOCKED')),
			(SELECT count(*) FROM outbox) FROM transactions`).Scan(&all, &processed, &waiting)
		if err != nil {
			return false, err
		}
		return all == n && processed == n &&
			waiting == 0, fmt.Errorf("%d transactions, %d processed, %d in the outbox", all, processed, waiting)
	})
}

// endings are how workflows end besides completing, because the test makes them.
type endings struct {
	terminated       int
	nondeterministic bool                              // those that failed because the code could not continue them
	replaced         bool                              // those that made no progress for minutes, as on a busy machine
	found            []*workflow.WorkflowExecutionInfo // those that were replaced
}

// requireOnce waits until n transactions are processed and all workflows are
// closed, and checks that everything happened exactly once. other is nil when all
// workflows complete.
func requireOnce(t *testing.T, bed *testbed.Bed, ledger *ledger, n int, other *endings) {
	t.Helper()
	began := time.Now()
	requireProcessed(t, bed, n)
	healed := time.Since(began)
	if other == nil {
		other = &endings{}
	}
	completed, nondeterministic, temporal := 0, 0, bed.Temporal()
	bed.Eventually("all workflows have completed, or as the test made them", func(ctx context.Context) (bool, error) {
		others := map[enums.WorkflowExecutionStatus]int{}
		completed, nondeterministic, other.found = 0, 0, nil
		for _, run := range runs(t, bed) { // none, when Temporal lost its data after the last one
			switch {
			case run.GetStatus() == enums.WORKFLOW_EXECUTION_STATUS_COMPLETED:
				completed++
			case other.nondeterministic && isNondeterministic(ctx, t, temporal, run):
				nondeterministic++
			case other.replaced && isReplaced(ctx, t, temporal, run):
				other.found = append(other.found, run)
			default:
				others[run.GetStatus()]++
			}
		}
		terminated := others[enums.WORKFLOW_EXECUTION_STATUS_TERMINATED]
		delete(others, enums.WORKFLOW_EXECUTION_STATUS_TERMINATED)
		return len(others) == 0 && terminated == other.terminated,
			fmt.Errorf("terminated: %d, not completed besides: %v", terminated, others)
	})
	requireInvariants(t, bed, moment{quiet: true, ledger: ledger})
	require.Empty(t, bed.Rows(miscounted), "what lists count is what there is")
	t.Logf("%s; %d processed once, %.1f s after the wait began; "+
		"%d workflows completed, %d failed as nondeterministic; stage attempts: %v",
		ledger, n, healed.Seconds(), completed, nondeterministic,
		bed.Rows("SELECT attempt, count(*) FROM transaction_stages GROUP BY 1 ORDER BY 1"))
}

// isNondeterministic reports whether a run failed because the code could not continue it.
func isNondeterministic(
	ctx context.Context, t *testing.T, temporal sdkclient.Client, run *workflow.WorkflowExecutionInfo,
) bool {
	t.Helper()
	if run.GetStatus() != enums.WORKFLOW_EXECUTION_STATUS_FAILED {
		return false
	}
	event := lastEvent(ctx, t, temporal, run)
	failure := event.GetWorkflowExecutionFailedEventAttributes().GetFailure()
	return failure.GetCause().GetApplicationFailureInfo().GetType() == "PanicError"
}

// isReplaced reports whether Levy itself terminated a run that had done nothing for minutes.
func isReplaced(
	ctx context.Context, t *testing.T, temporal sdkclient.Client, run *workflow.WorkflowExecutionInfo,
) bool {
	t.Helper()
	if run.GetStatus() != enums.WORKFLOW_EXECUTION_STATUS_TERMINATED {
		return false
	}
	return lastEvent(ctx, t, temporal,
		run).GetWorkflowExecutionTerminatedEventAttributes().GetReason() == worker.ReplacedReason
}

// waitedFor says what a terminated run had done last, and when.
func waitedFor(
	ctx context.Context, t *testing.T, temporal sdkclient.Client, run *workflow.WorkflowExecutionInfo,
) string {
	t.Helper()
	all := temporal.GetWorkflowHistory(ctx, run.GetExecution().GetWorkflowId(), run.GetExecution().GetRunId(), false,
		enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	var last *history.HistoryEvent
	for all.HasNext() {
		event, err := all.Next()
		require.NoError(t, err)
		if event.GetEventType() == enums.EVENT_TYPE_WORKFLOW_EXECUTION_TERMINATED {
			break
		}
		last = event
	}
	ended := run.GetCloseTime().AsTime()
	return fmt.Sprintf("began %.0f s, %s %.0f s before it was replaced", ended.Sub(run.GetStartTime().AsTime()).Seconds(),
		last.GetEventType(), ended.Sub(last.GetEventTime().AsTime()).Seconds())
}

// lastEvent is the event that closed a run.
func lastEvent(
	ctx context.Context, t *testing.T, temporal sdkclient.Client, run *workflow.WorkflowExecutionInfo,
) *history.HistoryEvent {
	t.Helper()
	last := temporal.GetWorkflowHistory(ctx, run.GetExecution().GetWorkflowId(), run.GetExecution().GetRunId(), false,
		enums.HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT)
	require.True(t, last.HasNext())
	event, err := last.Next()
	require.NoError(t, err)
	return event
}

// runs lists the workflow executions that process transactions. Work that follows from them, such as the evaluation of
// nexus, is not awaited.
func runs(t *testing.T, bed *testbed.Bed) []*workflow.WorkflowExecutionInfo {
	t.Helper()
	var list []*workflow.WorkflowExecutionInfo
	client := bed.Temporal()
	var page []byte
	for {
		answer, err := client.ListWorkflow(context.Background(), &workflowservice.ListWorkflowExecutionsRequest{
			Namespace: bed.TemporalNamespace, NextPageToken: page, Query: "WorkflowType = 'ProcessTransactions'",
		})
		require.NoError(t, err)
		list = append(list, answer.GetExecutions()...)
		if page = answer.GetNextPageToken(); len(page) == 0 {
			return list
		}
	}
}

// waitForRuns waits until there are n workflow executions, and returns them.
func waitForRuns(t *testing.T, bed *testbed.Bed, n int) (list []*workflow.WorkflowExecutionInfo) {
	t.Helper()
	bed.Eventually(fmt.Sprintf("there are %d workflow executions", n), func(context.Context) (bool, error) {
		list = runs(t, bed)
		return len(list) == n, fmt.Errorf("there are %d", len(list))
	})
	return list
}

// makeDue lets the relay check all rows of the outbox now. The service locks
// some of them at the same time, in another order.
func makeDue(bed *testbed.Bed) {
	bed.Eventually("the outbox is due", func(ctx context.Context) (bool, error) {
		_, err := bed.DB.Exec(ctx, "UPDATE outbox SET next_attempt_at = now()")
		var refused *pgconn.PgError
		if errors.As(err, &refused) && refused.Code == "40P01" {
			return false, err
		}
		require.NoError(bed.TB(), err)
		return true, nil
	})
}

// makeAllDue lets the sweepers check all pending work now: otherwise they would find what Temporal has lost only within
// the hour.
func makeAllDue(bed *testbed.Bed) {
	makeDue(bed)
	for _, table := range []string{"onboardings", "registrations", "filings"} {
		bed.Exec("UPDATE " + table + " SET next_check_at = now() WHERE next_check_at IS NOT NULL")
	}
}

// miscounted lists where the counts behind lists differ from the transactions:
// by day with all that is counted, by month, without the state, and without what
// processing decides.
const miscounted = `
	WITH counted AS (
	  SELECT organization_id, span, start, status, processing_status, state, n FROM transaction_counts
	  UNION ALL
	  SELECT organization_id, span || ' coarse', start, status, processing_status, NULL, n FROM transaction_coarse_counts
	  UNION ALL
	  SELECT c.organization_id, s.span || v.kind, s.start, c.status,
	         CASE WHEN v.kind <> ' of all' THEN c.processing_status END, CASE WHEN v.kind = '' THEN c.state END, c.n
	    FROM transaction_count_changes c
	   CROSS JOIN (VALUES (''), (' coarse'), (' of all')) v(kind)
	   CROSS JOIN LATERAL (VALUES ('day', c.day), ('month', date_trunc('month', c.day)::date)) s(span, start)),
	there AS (
	  SELECT t.organization_id, s.span || v.kind AS span, s.start, t.status,
	         CASE WHEN v.kind <> ' of all'
	         AND is_settled(t.processing_status) THEN t.processing_status END AS processing_status,
	         CASE WHEN v.kind = '' AND is_settled(t.processing_status) THEN t.state END AS state, 1 AS n
	    FROM transactions t
	   CROSS JOIN (VALUES (''), (' coarse'), (' of all')) v(kind)
	   CROSS JOIN LATERAL (VALUES ('day', (t.date AT TIME ZONE 'UTC')::date),
	                       ('month', date_trunc('month', t.date AT TIME ZONE 'UTC')::date)) s(span, start))
	SELECT organization_id, span, start::text, status, processing_status, state, sum(n) AS too_many
	  FROM (SELECT * FROM counted UNION ALL
	        SELECT organization_id, span, start, status, processing_status, state, -n FROM there) x
	 GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(n) <> 0`
