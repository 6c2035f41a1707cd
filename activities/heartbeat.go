package activities

import (
	"context"

	"go.temporal.io/sdk/activity"

	"levy/models"
)

// HeartbeatRecord notes that Temporal hands work to workers.
type HeartbeatRecord interface {
	// NoteCheck notes that a check has succeeded.
	NoteCheck(ctx context.Context, name string) error
}

// Heartbeat holds the activity of the workflow Heartbeat.
type Heartbeat struct{ store HeartbeatRecord }

// NewHeartbeat returns the activity of Heartbeat.
func NewHeartbeat(store HeartbeatRecord) *Heartbeat { return &Heartbeat{store: store} }

// NoteHeartbeat notes that it was called: Temporal hands work of this task queue to a worker that
// reaches the database.
func (h *Heartbeat) NoteHeartbeat(ctx context.Context) error {
	if err := h.store.NoteCheck(ctx, models.CheckHeartbeatOf(activity.GetInfo(ctx).TaskQueue)); err != nil {
		return stepFailure(err, 0, 0)
	}
	return nil
}
