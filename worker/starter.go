package worker

import (
	"context"
	"errors"

	"go.temporal.io/api/serviceerror"
	sdkclient "go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"levy/models"
	"levy/workflows"
)

// ErrCompleted says that the workflow of a batch has completed.
var ErrCompleted = errors.New("batch has completed")

type temporalStarter struct{ client sdkclient.Client }

// NewStarter starts batches through a Temporal client, which may be a lazy one.
func NewStarter(client sdkclient.Client) Starter { return temporalStarter{client: client} }

func (s temporalStarter) Start(ctx context.Context, batchID string, refs []models.Ref) error {
	_, err := s.client.ExecuteWorkflow(ctx, workflows.TransactionsStart(batchID, refs),
		workflows.ProcessTransactionsName, workflows.TransactionsInput{Refs: refs})
	if _, ok := errors.AsType[*serviceerror.WorkflowExecutionAlreadyStarted](err); ok {
		return ErrCompleted
	}
	return err
}

func (s temporalStarter) Wait(ctx context.Context, batchID string) error {
	err := s.client.GetWorkflow(ctx, workflows.TransactionsID(batchID), "").Get(ctx, nil)
	if _, failed := errors.AsType[*temporal.WorkflowExecutionError](err); failed {
		return nil // it has ended
	}
	return err
}

func (s temporalStarter) Probe(ctx context.Context) error {
	_, err := s.client.CheckHealth(ctx, &sdkclient.CheckHealthRequest{})
	return err
}
