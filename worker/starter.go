package worker

import (
	"context"
	"errors"
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	sdkclient "go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"levy/models"
	"levy/workflows"
)

// temporalStarter starts batches on a Temporal server.
type temporalStarter struct{ client sdkclient.Client }

// NewStarter returns a starter that uses a Temporal client, which may be a lazy one.
func NewStarter(client sdkclient.Client) Starter {
	return temporalStarter{client}
}

func (s temporalStarter) Start(
	ctx context.Context, batchID string, refs []models.Ref, urgency workflows.Urgency,
) error {
	_, err := s.client.ExecuteWorkflow(
		ctx, workflows.TransactionsStart(batchID, refs, urgency), workflows.ProcessTransactionsName,
		workflows.TransactionsInput{Refs: refs},
	)
	if _, ok := errors.AsType[*serviceerror.WorkflowExecutionAlreadyStarted](err); ok {
		return nil // by an earlier attempt of this call: the id of a batch is used once
	}
	return err
}

func (s temporalStarter) Wait(ctx context.Context, batchID string) (lost bool, err error) {
	err = s.client.GetWorkflow(ctx, workflows.TransactionsID(batchID), "").Get(ctx, nil)
	if _, unknown := errors.AsType[*serviceerror.NotFound](err); unknown {
		return true, nil
	}
	if _, ended := errors.AsType[*temporal.WorkflowExecutionError](err); ended {
		_, terminated := errors.AsType[*temporal.TerminatedError](err)
		_, cancelled := errors.AsType[*temporal.CanceledError](err)
		return terminated || cancelled, nil
	}
	return false, err
}

func (s temporalStarter) Describe(ctx context.Context, batchID string) (BatchStatus, error) {
	d, err := describe(ctx, s.client, workflows.TransactionsID(batchID), "")
	if d == nil || err != nil {
		return BatchStatus{}, err
	}
	info := d.GetWorkflowExecutionInfo()
	status := BatchStatus{
		Open:  info.GetStatus() == enumspb.WORKFLOW_EXECUTION_STATUS_RUNNING,
		Began: info.GetStartTime().AsTime(),
		Taken: d.GetPendingWorkflowTask().GetStartedTime() != nil,
		Moved: info.GetStartTime().AsTime(),
	}
	type timestamp interface{ AsTime() time.Time }
	later := func(than *time.Time, at timestamp) {
		if t := at.AsTime(); t.Unix() > 0 && t.After(*than) { // without a task there is no time
			*than = t
		}
	}
	moved := func(at timestamp) { later(&status.Moved, at) }
	due := func(at timestamp) { later(&status.Due, at) }
	moved(d.GetPendingWorkflowTask().GetStartedTime())
	due(d.GetPendingWorkflowTask().GetOriginalScheduledTime())
	for _, a := range d.GetPendingActivities() {
		status.Taken = status.Taken || a.GetState() == enumspb.PENDING_ACTIVITY_STATE_STARTED
		moved(a.GetLastStartedTime())
		moved(a.GetLastHeartbeatTime())
		moved(a.GetLastAttemptCompleteTime())
		due(a.GetScheduledTime())
	}
	return status, nil
}

func (s temporalStarter) Terminate(ctx context.Context, batchID, reason string) error {
	err := s.client.TerminateWorkflow(ctx, workflows.TransactionsID(batchID), "", reason)
	if _, ended := errors.AsType[*serviceerror.NotFound](err); ended {
		return nil // it has ended meanwhile
	}
	return err
}

func (s temporalStarter) Probe(ctx context.Context) error {
	_, err := s.client.CheckHealth(ctx, &sdkclient.CheckHealthRequest{})
	return err
}
