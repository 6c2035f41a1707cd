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
	// relayRows is what one lease takes, of the background backgroundRows: a full batch.
	relayRows      = workflows.MaxBatch
	backgroundRows = workflows.MaxBackgroundBatch
	// relayLeases bounds the leases whose batches are under way. A backlog waits in the
	// outbox, not in Temporal's queue: there whatever is accepted meanwhile would have to
	// wait behind all of it.
	relayLeases = 2
	// relayReserved are the leases kept for recent transactions, when batches of a backlog have all others.
	relayReserved = 1
	// slotTime is how long a batch with progress keeps a slot without ending, slotTimeBusy while others
	// end.
	slotTime     = time.Minute
	slotTimeBusy = 10 * time.Second
	// relayCheck is the time until a batch that has not ended is checked, and between the checks. One without
	// progress gives its slot back: its task may be lost, and others go on.
	relayCheck = 5 * time.Second
	// probeTimeout is short: a probe is made every tick.
	probeTimeout = time.Second
)

// Relay starts whatever is still in the outbox when its time has come: rows whose
// dispatcher died, whose start failed, whose batch failed, makes no progress or was
// lost with Temporal's data. It never gives up on a row. Each batch has an id of its own and carries
// what it began with: rows never join a run that may not have them.
type Relay struct {
	batches     Batches
	background  bool          // it takes what is in the background, and nothing else
	rows        int           // at most, in a lease
	underWay    chan struct{} // a slot for each lease
	reserved    chan struct{} // slots for leases of recent transactions; none in the background
	wake        chan struct{} // something was offered
	ends        sync.WaitGroup
	replaced    time.Time // the last batch without progress
	slotRelease slotRelease
}

// NewRelay makes a relay; Run makes it work. Every process has one.
func NewRelay(b Batches) *Relay {
	b.by = "relay"
	return newRelay(b, false, relayRows, relayLeases, relayReserved)
}

// NewBackgroundRelay makes the relay of what is done in the background, of which no dispatcher knows. Those processes
// have one that work it off: how much of it is under way grows with them, and with the activities that
// each runs at once.
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

// Run reads the outbox about once a second, and when something was offered, until ctx ends.
func (r *Relay) Run(ctx context.Context) {
	defer r.ends.Wait()
	for {
		if more := r.check(ctx); more {
			continue
		}
		wake, tick := r.wake, relayTick
		if r.background && len(r.underWay) > 0 {
			wake, tick = nil, gatherFor // what is offered meanwhile shares the next batch
		}
		select {
		case <-ctx.Done():
			return
		case <-wake:
		case <-time.After(jittered(tick)):
		}
	}
}

// Offer says that a transaction is in the outbox. It never blocks.
func (r *Relay) Offer(context.Context, models.Ref) {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// jittered spreads the checks of several processes.
func jittered(d time.Duration) time.Duration {
	return d - d/10 + rand.N(d/5)
}

// check takes what is due once, when there is a slot for it. It reports whether more is
// to be expected at once.
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

// leased are rows that are due, and the batch that those without one have already; empty where they have none.
type leased struct {
	rows    []models.OutboxRow
	batchID string
}

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
			l.rows[i].BatchID = "" // it has not begun
		}
	}
	return l, err
}

func (r *Relay) leaseRecent(ctx context.Context, limit int) (leased, error) {
	rows, err := r.batches.Outbox.LeaseSent(ctx, limit)
	return leased{rows: rows}, err
}

// use takes what is due with a slot, which is given back when the batches that it starts have ended.
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

// waitForEnd returns when a batch has ended or has had its time: a minute while it makes progress, seconds
// otherwise. When Temporal does not know, the slot is given back: starts fail then, and the breaker
// holds the relay.
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

// take starts what is due, and says which batch it started last: when that one has ended,
// those before it have, too, or nearly.
func (r *Relay) take(
	ctx context.Context, lease func(context.Context, int) (leased, error),
) (last *group, more bool) {
	limit := r.rows
	switch r.batches.Breaker.current() {
	case breakerOpen:
		return nil, false
	case breakerHalfOpen:
		limit = 1 // a lease costs the row an attempt: risk one
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

func (r *Relay) probe(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	if r.batches.Starter.Probe(ctx) == nil {
		r.batches.Breaker.recordProbe()
	}
}
