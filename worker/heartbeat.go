package worker

import (
	"context"
	"fmt"

	"levy/workflows"
)

// beat starts Heartbeat on every task queue. A start that Temporal refuses and a run that no worker gets both show in
// the age of the last success.
func (r *Reconciler) beat(ctx context.Context) error {
	// The next run replaces the last one in the record, after which its loss would not be noticed.
	if _, err := r.lost.heartbeat(ctx); err != nil {
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
