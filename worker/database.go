package worker

import (
	"context"
	"log/slog"
	"sync"
	"time"

	sdkworker "go.temporal.io/sdk/worker"
)

// Database is the database of a process. All activities need it.
type Database interface {
	// Ping returns nil if this process reaches the database.
	Ping(ctx context.Context) error
}

const (
	databaseTick = time.Second
	// databaseTimeout bounds a ping. It is long, because a slow answer on a busy machine is better than an idle worker.
	databaseTimeout = 5 * time.Second
)

// databaseWatch knows whether this process reaches its database.
type databaseWatch struct {
	database Database
	log      *slog.Logger

	mu   sync.Mutex
	back chan struct{} // closed when the database answers again; nil while it does
}

// Run checks about once a second until ctx ends.
func (w *databaseWatch) Run(ctx context.Context) { repeat(ctx, databaseTick, w.check) }

// check pings the database and records whether it answers.
func (w *databaseWatch) check(ctx context.Context) (more bool) {
	ping, cancel := context.WithTimeout(ctx, databaseTimeout)
	defer cancel()
	err := w.database.Ping(ping)
	if ctx.Err() != nil {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case err != nil && w.back == nil:
		w.back = make(chan struct{})
		w.log.WarnContext(
			ctx, "the database does not answer: this worker takes no activities until it can", "error", err.Error(),
		)
	case err == nil && w.back != nil:
		close(w.back)
		w.back = nil
		w.log.InfoContext(ctx, "the database answers again: this worker takes activities")
	}
	return false
}

// unreachable returns nil while the database answers. Otherwise it returns a channel that is closed when it answers
// again.
func (w *databaseWatch) unreachable() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.back
}

// slots are the activity slots of a worker. It gives them only while the database answers. Without it an activity would
// fail by its time limit, while another process could do it at once. An activity that has a slot goes on, and so does a
// poller, which has a slot for its next activity.
type slots struct {
	sdkworker.SlotSupplier
	watch *databaseWatch
}

// ReserveSlot waits for a slot and then for the database, which may have become unreachable meanwhile. Errors: that of
// ctx.
func (s slots) ReserveSlot(ctx context.Context, info sdkworker.SlotReservationInfo) (*sdkworker.SlotPermit, error) {
	permit, err := s.SlotSupplier.ReserveSlot(ctx, info)
	if err != nil {
		return nil, err
	}
	for down := s.watch.unreachable(); down != nil; down = s.watch.unreachable() {
		select {
		case <-down:
		case <-ctx.Done():
			s.ReleaseSlot(nil) // a supplier of a fixed size reads no argument
			return nil, ctx.Err()
		}
	}
	return permit, nil
}

// TryReserveSlot gives no slot while the database does not answer.
func (s slots) TryReserveSlot(info sdkworker.SlotReservationInfo) *sdkworker.SlotPermit {
	if s.watch.unreachable() != nil {
		return nil
	}
	return s.SlotSupplier.TryReserveSlot(info)
}

// tuner is the SDK's tuner of fixed sizes, with activity slots that depend on the database.
type tuner struct {
	sdkworker.WorkerTuner
	slots slots
}

// workflowSlots bounds the workflow tasks that the worker of a queue handles at once.
const workflowSlots = 32

// newTuner returns the tuner of a worker.
func newTuner(activities int, watch *databaseWatch) tuner {
	// No error is possible: the sizes are positive.
	fixed, _ := sdkworker.NewFixedSizeTuner(sdkworker.FixedSizeTunerOptions{
		NumWorkflowSlots: workflowSlots, NumActivitySlots: activities,
	})
	return tuner{fixed, slots{fixed.GetActivityTaskSlotSupplier(), watch}}
}

// GetActivityTaskSlotSupplier returns the slots for activities.
func (t tuner) GetActivityTaskSlotSupplier() sdkworker.SlotSupplier { return t.slots }
