package activities

import (
	"context"
	"log/slog"

	"go.temporal.io/sdk/activity"

	"levy/models"
)

// HeartbeatRecord notes that Temporal hands work to workers.
type HeartbeatRecord interface {
	// NoteCheck notes that a check has succeeded.
	NoteCheck(ctx context.Context, name string) error
}

// Heartbeat holds the activity of the workflow Heartbeat.
type Heartbeat struct {
	store HeartbeatRecord
	log   *slog.Logger
}

// NewHeartbeat returns the activity of Heartbeat.
func NewHeartbeat(store HeartbeatRecord, log *slog.Logger) *Heartbeat {
	return &Heartbeat{store: store, log: log}
}

// NoteHeartbeat notes that it was called: Temporal hands work of this task queue to a worker that
// reaches the database.
func (h *Heartbeat) NoteHeartbeat(ctx context.Context) error {
	err := guarded(ctx, h.log, func(ctx context.Context) error {
		return h.store.NoteCheck(ctx, models.CheckHeartbeatOf(activity.GetInfo(ctx).TaskQueue))
	})
	if err != nil {
		return stepFailure(err, 0, 0)
	}
	return nil
}
