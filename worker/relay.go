package worker

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"levy/internal/failpoint"
	"levy/models"
	"levy/workflows"
)

const (
	relayTick = time.Second
	// relayRows and backgroundRows bound the rows of a lease to those of a full batch.
	relayRows      = workflows.MaxBatch
	backgroundRows = workflows.MaxBackgroundBatch
	// relayLeases bounds the leases whose batches are in progress. Thus a backlog waits in the outbox. In Temporal's
	// queue, transactions that are accepted meanwhile would wait behind all of it.
	relayLeases = 2
	// relayReserved is the number of leases for recent transactions while batches of a backlog have all others.
	relayReserved = 1
	// slotTime bounds the time for which a batch with progress holds its slot, slotTimeBusy that while other batches
	// end.
	slotTime     = time.Minute
	slotTimeBusy = 10 * time.Second
	// relayCheck is the time between two checks of a batch in progress. A batch without progress releases its slot: its
	// task may be lost, and others go on.
	relayCheck = 5 * time.Second
	// probeTimeout bounds a probe. It is short, because the relay probes with every tick.
	probeTimeout = time.Second
)

// Relay starts the rows of the outbox that are due. Their dispatcher died, their start failed, or their batch failed,
// stalled or was lost with Temporal's data. It never gives up on a row. Each batch has an id of its own, and no row
// joins a batch that has begun.
type Relay struct {
	batches     Batches
	background  bool          // it takes background work, and nothing else
	rows        int           // of one lease, at most
	underWay    chan struct{} // a slot for each lease in progress
	reserved    chan struct{} // slots for leases of recent transactions; none for background work
	wake        chan struct{} // there is an offer
	ends        sync.WaitGroup
	replaced    time.Time // when a stalled batch was last replaced
	slotRelease slotRelease
}

// NewRelay returns the relay of a process; Run makes it work.
func NewRelay(b Batches) *Relay {
	b.by = "relay"
	return newRelay(b, false, relayRows, relayLeases, relayReserved)
}

// NewBackgroundRelay returns the relay of background work, which no dispatcher starts. Each worker process has one, so
// the background batches in progress grow with the processes and with their concurrent activities.
func NewBackgroundRelay(b Batches, activities int) *Relay {
	b.by = "background"
	return newRelay(b, true, backgroundRows, backgroundSlots(activities), 0)
}

func newRelay(b Batches, background bool, rows, leases, reserved int) *Relay {
	return &Relay{
		batches: b, background: background, rows: rows, underWay: make(chan struct{}, leases),
		reserved: make(chan struct{}, reserved), wake: make(chan struct{}, 1),
	}
}

// Run reads the outbox about once a second, and after an offer, until ctx ends.
func (r *Relay) Run(ctx context.Context) {
	defer r.ends.Wait()
	for {
		if more := r.check(ctx); more {
			continue
		}
		wake, tick := r.wake, relayTick
		if r.background && len(r.underWay) > 0 {
			wake, tick = nil, gatherFor // offers of this time share the next batch
		}
		select {
		case <-ctx.Done():
			return
		case <-wake:
		case <-time.After(jittered(tick)):
		}
	}
}

// Offer wakes the relay for a transaction that is in the outbox. It never blocks.
func (r *Relay) Offer(context.Context, models.Ref) {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// jittered returns a time within 10 percent of d, so that the checks of several processes spread.
func jittered(d time.Duration) time.Duration {
	return d - d/10 + rand.N(d/5)
}

// check leases due rows once, if there is a slot, and starts them. It reports whether there may be more.
func (r *Relay) check(ctx context.Context) (more bool) {
	if r.batches.Breaker.current() == breakerOpen {
		r.probe(ctx)
		return false
	}
	select {
	case r.underWay <- struct{}{}:
		return r.use(ctx, r.underWay, r.lease)
	case <-time.After(relayTick): // the breaker may have opened meanwhile
	case <-ctx.Done():
		return false
	}
	// guard: relay: a slot is kept for what is just sent
	if len(r.reserved) < cap(r.reserved) {
		r.reserved <- struct{}{}
		r.use(ctx, r.reserved, r.leaseRecent)
	}
	return true
}

// leased are due rows. batchID is the new batch that those without a batch belong to, if the lease has assigned one.
type leased struct {
	rows    []models.OutboxRow
	batchID string
}

// lease leases due rows: background work, or all but that.
func (r *Relay) lease(ctx context.Context, limit int) (leased, error) {
	if !r.background {
		rows, err := r.batches.Outbox.Lease(ctx, limit)
		return leased{rows: rows}, err
	}
	l := leased{batchID: models.NewID(models.PrefixBatch)}
	var err error
	l.rows, err = r.batches.Outbox.LeaseBackground(ctx, l.batchID, limit)
	for i := range l.rows {
		if l.rows[i].BatchID == l.batchID {
			l.rows[i].BatchID = "" // the new batch has not begun
		}
	}
	return l, err
}

// leaseRecent leases rows of recent transactions without an attempt.
func (r *Relay) leaseRecent(ctx context.Context, limit int) (leased, error) {
	rows, err := r.batches.Outbox.LeaseRecent(ctx, limit)
	return leased{rows: rows}, err
}

// use leases and starts rows by an acquired slot. The slot is released when the batches have ended, or at once without
// any.
func (r *Relay) use(
	ctx context.Context, slots <-chan struct{}, lease func(context.Context, int) (leased, error),
) (more bool) {
	last, more := r.take(ctx, lease)
	if last == nil {
		<-slots
		return more
	}
	r.ends.Go(func() {
		defer func() { <-slots }()
		r.waitForEnd(ctx, last)
	})
	return more
}

// waitForEnd returns when a batch has ended or its time is over: a minute with progress, seconds without. It also
// returns if Temporal does not know the end. Starts fail then, and the breaker stops the relay.
func (r *Relay) waitForEnd(ctx context.Context, g *group) {
	ctx, cancel := context.WithTimeout(ctx, slotTime)
	defer cancel()
	began := time.Now()
	ended := make(chan struct{})
	r.ends.Go(func() {
		defer close(ended)
		_ = r.batches.wait(ctx, g.id, g.refs)
	})
	checks := time.NewTicker(relayCheck)
	defer checks.Stop()
	for seen := (BatchStatus{}); ; {
		select {
		case <-ended:
			return
		case <-checks.C:
		}
		status, err := r.batches.Starter.Describe(ctx, g.id)
		if err != nil {
			continue
		}
		progress := status.progressSince(seen)
		seen = status
		now := time.Now()
		switch {
		case r.batches.Breaker.progressSince(began):
			if !progress || now.Sub(began) >= slotTimeBusy {
				return
			}
		case !progress && r.slotRelease.allows(now, r.batches.Breaker.progressSince):
			return
		}
	}
}

// take leases rows and starts their batches. It returns the batch that it started last: when that has ended, those
// before it have ended, too, or nearly. more reports whether there may be more rows.
func (r *Relay) take(
	ctx context.Context, lease func(context.Context, int) (leased, error),
) (last *group, more bool) {
	limit := r.rows
	switch r.batches.Breaker.current() {
	case breakerOpen:
		return nil, false
	case breakerHalfOpen:
		limit = 1 // a lease costs each row an attempt, and the start may fail
	case breakerClosed:
	}
	l, err := lease(ctx, limit)
	if err != nil {
		if ctx.Err() == nil {
			r.batches.Metrics.failedCalls.WithLabelValues("lease").Inc()
			r.batches.Log.WarnContext(ctx, "outbox not read", "error", err.Error())
		}
		return nil, false
	}
	rows := l.rows
	r.batches.Metrics.leasedRows.Add(float64(len(rows)))
	if len(rows) > 0 {
		_ = failpoint.Hit("relay_after_lease")
	}
	released := r.releaseEnded(ctx, rows)
	for i, g := range r.groups(rows) {
		if i == 0 && l.batchID != "" {
			g.id, g.marked = l.batchID, true
		}
		if r.batches.Breaker.current() == breakerOpen || r.batches.Breaker.waitRelay(ctx) != nil {
			return last, false
		}
		if r.batches.start(context.WithoutCancel(ctx), g.id, g.refs, g.urgency, g.marked) {
			last = g
		}
	}
	return last, (len(rows) == limit || released) && ctx.Err() == nil
}

// probe asks whether Temporal answers, and tells the breaker if so.
func (r *Relay) probe(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	if r.batches.Starter.Probe(ctx) == nil {
		r.batches.Breaker.recordProbe()
	}
}
