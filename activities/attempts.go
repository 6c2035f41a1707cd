package activities

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"
)

// heartbeatInterval is well within the shortest heartbeat timeout.
const heartbeatInterval = 3 * time.Second

// record is the record on which an activity works.
type record struct {
	of      workflowKind
	givesUp bool  // after MaxDefects; otherwise whatever fails is repeated without a limit: staff see a pending activity
	names   []any // attributes of the log that name it
}

// onRecord works on a record and turns an error into a failure.
func onRecord(ctx context.Context, log *slog.Logger, r record, work func(context.Context) error) error {
	return recordFailure(ctx, log, r, withHeartbeats(ctx, log, work))
}

// recordFailure is the form in which an error of such work leaves the activity.
func recordFailure(ctx context.Context, log *slog.Logger, r record, err error) error {
	if _, ready := errors.AsType[*temporal.ApplicationError](err); err == nil || ready {
		return err
	}
	if refusalOf(err, r.of) != nil || undecided(err) || notCalled(err) {
		return stepFailure(err, r.of, 0)
	}
	log.WarnContext(ctx, "activity failed", failureAttributes(ctx, err, r.names...)...)
	defects := 0
	if r.givesUp {
		defects = countDefect(ctx, err)
	}
	return stepFailure(err, r.of, defects)
}

// withHeartbeats does the work of an activity within its own deadline. Heartbeats are sent meanwhile, so that a dead
// worker is noticed long before.
func withHeartbeats(ctx context.Context, log *slog.Logger, work func(context.Context) error) error {
	ctx, cancel := ownDeadline(ctx)
	defer cancel()
	defer sendHeartbeats(ctx)()
	return guarded(ctx, log, work)
}

// sendHeartbeats sends heartbeats until the function it returns is called.
func sendHeartbeats(ctx context.Context) (stop func()) {
	done := make(chan struct{})
	defects := defectsBefore(ctx)
	go func() {
		ticker := time.NewTicker(heartbeatInterval)
		defer ticker.Stop()
		for {
			select {
			case <-done:
				return
			case <-ctx.Done():
				return
			case <-ticker.C:
				activity.RecordHeartbeat(ctx, defects)
			}
		}
	}()
	return func() { close(done) }
}

// An outage ends an attempt of an activity, and so does an authority that has not decided yet. Neither counts as a
// defect. The number of defects is therefore kept in the detail of the heartbeats, where the next attempt finds it.

// defectsBefore is how many earlier attempts of the activity ended by a defect.
func defectsBefore(ctx context.Context) (n int) {
	if activity.HasHeartbeatDetails(ctx) {
		_ = activity.GetHeartbeatDetails(ctx, &n) // other details count as none
	}
	return n
}

// addDefect counts a defect and returns how many there are with it.
func addDefect(ctx context.Context) int {
	n := defectsBefore(ctx) + 1
	activity.RecordHeartbeat(ctx, n)
	return n
}

// countDefect counts an error that is a defect and returns how many there are with it; 0 for an outage.
func countDefect(ctx context.Context, err error) int {
	if _, infrastructure := classify(err); infrastructure {
		return 0
	}
	return addDefect(ctx)
}
