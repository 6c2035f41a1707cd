package worker

import (
	"context"
	"errors"
	"strings"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	sdkclient "go.temporal.io/sdk/client"
)

// describe returns what Temporal knows of a run, or of the last run of a workflow where runID is empty. It returns nil
// if Temporal does not know it.
func describe(
	ctx context.Context, client sdkclient.Client, id, runID string,
) (*workflowservice.DescribeWorkflowExecutionResponse, error) {
	run, err := client.DescribeWorkflowExecution(ctx, id, runID)
	if _, unknown := errors.AsType[*serviceerror.NotFound](err); unknown {
		return nil, nil
	}
	return run, err
}

// openRuns returns the ids of open workflows by what Temporal lists, up to a limit. The list is late: a run that ended a
// moment ago may be in it, and one that began a moment ago may not.
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

// openAmong returns those of the ids whose workflow is open.
func openAmong(ctx context.Context, client sdkclient.Client, ids []string) (map[string]bool, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	return openRuns(ctx, client, withID(ids), len(ids))
}

// withID is the condition that a run has one of the workflow ids.
func withID(ids []string) string { return "WorkflowId IN ('" + strings.Join(ids, "', '") + "')" }
