package worker

import (
	"context"
	"log/slog"
	"sync"
	"time"

	sdkworker "go.temporal.io/sdk/worker"
)

// Database is what all activities need.
type Database interface {
	// Ping reports whether this process reaches it.
	Ping(ctx context.Context) error
}

const (
	databaseTick = time.Second
	// databasePatience is how late the database may answer: on a busy machine that is
	// better than doing nothing.
	databasePatience = 5 * time.Second
)

// databaseWatch knows whether this process reaches its database.
type databaseWatch struct {
	database Database
	log      *slog.Logger

	mu   sync.Mutex
	back chan struct{} // closed when the database answers again; nil while it does
}

// Run looks about once a second until ctx ends.
func (w *databaseWatch) Run(ctx context.Context) { lookEvery(ctx, databaseTick, w.look) }

func (w *databaseWatch) look(ctx context.Context) (more bool) {
	ping, cancel := context.WithTimeout(ctx, databasePatience)
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
		w.log.WarnContext(ctx, "the database does not answer: this worker takes no activities until it can", "error", err.Error())
	case err == nil && w.back != nil:
		close(w.back)
		w.back = nil
		w.log.InfoContext(ctx, "the database answers again: this worker takes activities")
	}
	return false
}

// away returns nil while the database answers, otherwise what is closed when it does
// again.
func (w *databaseWatch) away() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.back
}

// places are those of a worker's activities. They are given only while the database
// answers: what a process took without it would fail when its time is over, while another
// process could do it at once. What has a place already goes on: a poller has one for the
// activity it waits for.
type places struct {
	sdkworker.SlotSupplier
	watch *databaseWatch
}

// ReserveSlot waits for a place and then for the database, which may have gone meanwhile.
// Errors: that of ctx.
func (p places) ReserveSlot(ctx context.Context, info sdkworker.SlotReservationInfo) (*sdkworker.SlotPermit, error) {
	permit, err := p.SlotSupplier.ReserveSlot(ctx, info)
	if err != nil {
		return nil, err
	}
	for away := p.watch.away(); away != nil; away = p.watch.away() {
		select {
		case <-away:
		case <-ctx.Done():
			p.ReleaseSlot(nil) // one of a fixed size asks for nothing
			return nil, ctx.Err()
		}
	}
	return permit, nil
}

// TryReserveSlot gives no place while the database is away.
func (p places) TryReserveSlot(info sdkworker.SlotReservationInfo) *sdkworker.SlotPermit {
	if p.watch.away() != nil {
		return nil
	}
	return p.SlotSupplier.TryReserveSlot(info)
}

// tuner is the SDK's one of fixed sizes, with places for activities that heed the
// database.
type tuner struct {
	sdkworker.WorkerTuner
	places places
}

func newTuner(workflowTasks, activities int, watch *databaseWatch) tuner {
	// No error is possible: the sizes are positive.
	fixed, _ := sdkworker.NewFixedSizeTuner(sdkworker.FixedSizeTunerOptions{NumWorkflowSlots: workflowTasks, NumActivitySlots: activities})
	return tuner{fixed, places{fixed.GetActivityTaskSlotSupplier(), watch}}
}

// GetActivityTaskSlotSupplier returns the places for activities.
func (t tuner) GetActivityTaskSlotSupplier() sdkworker.SlotSupplier { return t.places }
