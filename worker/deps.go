package worker

import (
	"context"

	"levy/models"
)

// Outbox is the part of the store that dispatcher and relay need.
type Outbox interface {
	// MarkStarted notes on the rows of refs, where they still stand at that epoch,
	// which batch carries them.
	MarkStarted(ctx context.Context, batchID string, refs []models.Ref) error
	// Lease takes up to limit rows whose time has come; nobody else gets them until
	// their next time.
	Lease(ctx context.Context, limit int) ([]models.OutboxRow, error)
	// Unassign frees the rows of a batch that completed without them: they have no
	// batch and are due now.
	Unassign(ctx context.Context, batchID string) error
}

// Starter starts batches; NewStarter makes the one that talks to Temporal.
type Starter interface {
	// Start starts the workflow of a batch or joins the one that runs. Errors:
	// ErrCompleted if it already completed; any other means that no start is known
	// to have happened.
	Start(ctx context.Context, batchID string, refs []models.Ref) error
	// Wait returns when the workflow of a batch has ended, however it ended, or with
	// the error of ctx or of Temporal.
	Wait(ctx context.Context, batchID string) error
	// Probe reports whether starts would have a chance.
	Probe(ctx context.Context) error
}
