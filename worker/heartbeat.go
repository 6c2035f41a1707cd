package worker

import (
	"context"
	"fmt"

	workflowpb "go.temporal.io/api/workflow/v1"

	"levy/workflows"
)

// beat starts Heartbeat on every task queue. A start that Temporal refuses and a run that no worker gets both show in
// the age of the last success.
func (r *Reconciler) beat(ctx context.Context) error {
	// The next heartbeat replaces the last one in the record. After that, the loss of the last one would go unnoticed.
	if _, err := r.lastHeartbeat(ctx); err != nil {
		return err
	}
	for _, queue := range workflows.Queues() {
		start, cancel := context.WithTimeout(ctx, startTimeout)
		run, err := r.client.ExecuteWorkflow(start, workflows.HeartbeatStart(queue), workflows.HeartbeatName)
		cancel()
		if err == nil && queue == workflows.TransactionsQueue {
			err = r.records.NoteHeartbeatRun(ctx, run.GetRunID())
		}
		if err != nil {
			return fmt.Errorf("queue %s: %w", queue, err)
		}
	}
	return nil
}

// lastHeartbeat returns the last run of Heartbeat, or nil without one. If Temporal does not know that run, it has lost
// its data or was restored to the past, and all records become due. Starting a run that is still open joins it.
func (r *Reconciler) lastHeartbeat(ctx context.Context) (*workflowpb.WorkflowExecutionInfo, error) {
	id, err := r.records.HeartbeatRun(ctx)
	if err != nil || id == "" {
		return nil, err
	}
	run, err := describe(ctx, r.client, workflows.HeartbeatID, id)
	if run != nil || err != nil {
		return run.GetWorkflowExecutionInfo(), err
	}
	r.log.WarnContext(ctx, "Temporal does not know a run that it had: all records are made due", "run_id", id)
	for _, w := range workflows.Carriers() {
		if _, err := r.records.RequeueAll(ctx, w.Carries); err != nil {
			return nil, fmt.Errorf("%s: %w", w.Carries, err)
		}
	}
	return nil, r.records.ForgetHeartbeatRun(ctx, id)
}
