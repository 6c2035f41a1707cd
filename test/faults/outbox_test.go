package faults_test

import (
	"context"
	"fmt"
	"strings"

	"levy/test/testbed"
	"levy/workflows"
)

// describeOutbox lists what waits in the outbox and what Temporal knows of the runs that process it: the message of a
// test whose outbox does not get empty.
func describeOutbox(ctx context.Context, bed *testbed.Bed) string {
	var lines []string
	temporal := bed.Temporal()
	for _, row := range bed.Rows(`
		SELECT coalesce(o.batch_id, '') AS batch, o.attempts, coalesce(o.last_error, '') AS error,
		       o.waits_for IS NOT NULL AS waits,
		       t.type, t.processing_status AS status, o.epoch = t.epoch AS newest, count(*) AS n,
		       min(o.next_attempt_at - now())::text AS due_in
		  FROM outbox o LEFT JOIN transactions t ON t.organization_id = o.organization_id AND t.id = o.aggregate_id
		 GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1 LIMIT 20`) {
		lines = append(lines, fmt.Sprint(row))
		batch, _ := row["batch"].(string)
		if batch == "" {
			continue
		}
		run, err := temporal.DescribeWorkflowExecution(ctx, workflows.TransactionsID(batch), "")
		if err != nil {
			lines = append(lines, "  "+err.Error())
			continue
		}
		lines = append(lines, fmt.Sprintf("  %v since %v, task %v, activities %v", run.GetWorkflowExecutionInfo().GetStatus(),
			run.GetWorkflowExecutionInfo().GetStartTime().AsTime(), run.GetPendingWorkflowTask(), run.GetPendingActivities()))
	}
	return strings.Join(lines, "\n")
}
