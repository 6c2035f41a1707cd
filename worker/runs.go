package worker

import (
	"context"
	"errors"
	"strings"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	sdkclient "go.temporal.io/sdk/client"
)

// describe returns the description of a run by Temporal, or nil if Temporal does not know the run. An empty runID
// stands for the last run of the workflow.
func describe(
	ctx context.Context, client sdkclient.Client, id, runID string,
) (*workflowservice.DescribeWorkflowExecutionResponse, error) {
	run, err := client.DescribeWorkflowExecution(ctx, id, runID)
	if _, unknown := errors.AsType[*serviceerror.NotFound](err); unknown {
		return nil, nil
	}
	return run, err
}

// openRuns returns the ids of open workflows that meet a condition, up to a limit. The list of Temporal is late: it may
// have a run that has just ended, and lack one that has just begun.
func openRuns(ctx context.Context, client sdkclient.Client, where string, limit int) (map[string]bool, error) {
	list, err := client.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{
		PageSize: int32(limit), //nolint:gosec // a hundred
		Query:    "ExecutionStatus = 'Running' AND " + where,
	})
	open := map[string]bool{}
	for _, run := range list.GetExecutions() {
		open[run.GetExecution().GetWorkflowId()] = true
	}
	return open, err
}

// openAmong returns those of the workflow ids whose workflow is open.
func openAmong(ctx context.Context, client sdkclient.Client, ids []string) (map[string]bool, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	return openRuns(ctx, client, withID(ids), len(ids))
}

// withID returns the condition that a run has one of the workflow ids.
func withID(ids []string) string { return "WorkflowId IN ('" + strings.Join(ids, "', '") + "')" }
