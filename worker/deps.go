package worker

import (
	"context"
	"time"

	"levy/models"
	"levy/workflows"
)

// Outbox is the part of the store that dispatcher and relay need.
type Outbox interface {
	// MarkStarted notes on the rows of refs, where they still stand at that epoch,
	// which batch carries them.
	MarkStarted(ctx context.Context, batchID string, refs []models.Ref) error
	// Lease takes up to limit rows whose time has come, but nothing of the background;
	// no other process gets them until their next time.
	Lease(ctx context.Context, limit int) ([]models.OutboxRow, error)
	// LeaseSent is Lease for recent transactions without an attempt.
	LeaseSent(ctx context.Context, limit int) ([]models.OutboxRow, error)
	// LeaseBackground is Lease of the background for a batch that is started next: rows without one have that one.
	LeaseBackground(ctx context.Context, batchID string, limit int) ([]models.OutboxRow, error)
	// Release frees rows from the batch that carries them, where it still does: they
	// have no batch and are due now.
	Release(ctx context.Context, rows []models.OutboxRow) error
}

// Starter starts batches; NewStarter makes the one that talks to Temporal.
type Starter interface {
	// Start starts the workflow of a new batch. An error means that no start is known
	// to have happened.
	Start(ctx context.Context, batchID string, refs []models.Ref, urgency workflows.Urgency) error
	// Wait returns when the workflow of a batch has ended, or with the error of ctx or
	// of Temporal. lost: it was terminated or cancelled, or Temporal does not know it.
	Wait(ctx context.Context, batchID string) (lost bool, err error)
	// Describe says how the workflow of a batch stands.
	Describe(ctx context.Context, batchID string) (BatchStatus, error)
	// Terminate ends the workflow of a batch from outside; staff read the reason.
	Terminate(ctx context.Context, batchID, reason string) error
	// Probe reports whether starts would have a chance.
	Probe(ctx context.Context) error
}

// BatchStatus is how the workflow of a batch stands.
type BatchStatus struct {
	Open bool
	// Taken says that a worker has one of its tasks now: not for longer than a stage may take.
	Taken bool
	// Began is when an open one began, by the clock of Temporal.
	Began time.Time
	// Moved is when an open one was last seen to do something: it began, or a worker
	// began, tried or went on with one of its tasks.
	Moved time.Time
	// Due is when the task for which an open one waits was to be handed out: it came so far by then. Zero: it waits
	// for none.
	Due time.Time
}

// idleSince is since when an open one has done nothing.
func (s BatchStatus) idleSince() time.Time {
	// guard: relay: a batch whose next task was due a moment ago has progress
	if s.Due.After(s.Moved) {
		return s.Due
	}
	return s.Moved
}

// progressSince reports whether workers do something for a batch: one of them has it now, or had it since it was
// seen before. The zero value stands for its beginning.
func (s BatchStatus) progressSince(before BatchStatus) bool {
	return s.Taken || s.Moved.After(s.Began) && s.Moved.After(before.Moved)
}
