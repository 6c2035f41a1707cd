package worker

import (
	"context"
	"time"

	"levy/models"
	"levy/workflows"
)

// Outbox reads and writes the rows of transactions that are not processed yet.
type Outbox interface {
	// MarkStarted records the batch of the rows of refs, unless their epoch has changed.
	MarkStarted(ctx context.Context, batchID string, refs []models.Ref) error
	// Lease returns up to limit due rows without background work. No other process gets them before their next attempt.
	Lease(ctx context.Context, limit int) ([]models.OutboxRow, error)
	// LeaseRecent is Lease for recent transactions without an attempt.
	LeaseRecent(ctx context.Context, limit int) ([]models.OutboxRow, error)
	// LeaseBackground is Lease for background work. It assigns rows without a batch to the batch that starts next.
	LeaseBackground(ctx context.Context, batchID string, limit int) ([]models.OutboxRow, error)
	// Release makes rows due that still belong to the batch they name. They have no batch then.
	Release(ctx context.Context, rows []models.OutboxRow) error
}

// Starter starts the workflows of batches and reads their status. NewStarter returns the one for Temporal.
type Starter interface {
	// Start starts the workflow of a new batch. After an error it may have started all the same.
	Start(ctx context.Context, batchID string, refs []models.Ref, urgency workflows.Urgency) error
	// Wait returns when the workflow of a batch has ended. It is lost if it was terminated or cancelled, or Temporal
	// does not know it. Errors: those of ctx and of Temporal.
	Wait(ctx context.Context, batchID string) (lost bool, err error)
	// Describe returns the status of the workflow of a batch, or the zero value if Temporal does not know it.
	Describe(ctx context.Context, batchID string) (BatchStatus, error)
	// Terminate ends the workflow of a batch. Staff read the reason in the Temporal UI.
	Terminate(ctx context.Context, batchID, reason string) error
	// Probe returns nil if Temporal answers.
	Probe(ctx context.Context) error
}

// BatchStatus is the status of the workflow of a batch.
type BatchStatus struct {
	Open bool
	// Taken reports whether a worker has one of its tasks now. A task takes at most as long as a stage.
	Taken bool
	// Began is when an open workflow began, by the clock of Temporal.
	Began time.Time
	// Moved is the last sign of work on an open workflow: its start, or the start, a heartbeat or an attempt of a task.
	Moved time.Time
	// Due is when the next task of an open workflow was to be handed out. Zero: it waits for no task.
	Due time.Time
}

// idleSince returns the time since which an open workflow has made no progress. Scheduling its next task is progress.
func (s BatchStatus) idleSince() time.Time {
	// guard: relay: a batch whose next task was due a moment ago has progress
	if s.Due.After(s.Moved) {
		return s.Due
	}
	return s.Moved
}

// progressSince reports whether a worker has a task of the batch now, or has worked on it since an earlier status. The
// zero value of before stands for the start of the batch.
func (s BatchStatus) progressSince(before BatchStatus) bool {
	return s.Taken || s.Moved.After(s.Began) && s.Moved.After(before.Moved)
}
