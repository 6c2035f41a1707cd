package worker

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"levy/internal/failpoint"
	"levy/models"
	"levy/workflows"
)

const (
	relayTick = time.Second
	// relayRows is what one lease takes: a full batch.
	relayRows = workflows.MaxBatch
	// relayLeases bounds the leases whose batches are under way. A backlog waits in the
	// outbox, not in Temporal's queue: there whatever is accepted meanwhile would have to
	// wait behind all of it.
	relayLeases = 2
	// relayAtMost is how long batches that do not end keep the relay from the next lease:
	// as long as it leaves the rows of a started batch alone.
	relayAtMost = time.Minute
	// probeTimeout is short: a probe is made every tick.
	probeTimeout = time.Second
)

// Relay starts whatever is still in the outbox when its time has come: rows whose
// dispatcher died, whose start failed, whose batch failed or was lost with
// Temporal's data. It never gives up on a row.
type Relay struct {
	batches  batches
	underWay chan struct{} // a slot for each lease
	ends     sync.WaitGroup
}

// NewRelay makes a relay; Run makes it work. Every process has one.
func NewRelay(starter Starter, outbox Outbox, gate *Gate, metrics *Metrics, log *slog.Logger) *Relay {
	return &Relay{
		batches:  batches{by: "relay", starter: starter, outbox: outbox, gate: gate, metrics: metrics, log: log},
		underWay: make(chan struct{}, relayLeases),
	}
}

// Run reads the outbox about once a second until ctx ends.
func (r *Relay) Run(ctx context.Context) {
	defer r.ends.Wait()
	repeat(ctx, relayTick, r.check)
}

// jittered spreads the checks of several processes.
func jittered(d time.Duration) time.Duration {
	return d - d/10 + rand.N(d/5)
}

// check takes what is due once, when there is a slot for it. It reports whether more is
// to be expected at once.
func (r *Relay) check(ctx context.Context) (more bool) {
	if r.batches.gate.breaker() == breakerOpen {
		r.probe(ctx)
		return false
	}
	select {
	case r.underWay <- struct{}{}:
	case <-time.After(relayTick):
		return true // the breaker may have opened meanwhile
	case <-ctx.Done():
		return false
	}
	last, more := r.take(ctx)
	if last == "" {
		<-r.underWay
		return more
	}
	r.ends.Go(func() {
		defer func() { <-r.underWay }()
		wait, cancel := context.WithTimeout(ctx, relayAtMost)
		defer cancel()
		// When Temporal does not know, the slot is given back: starts fail then, and the
		// breaker holds the relay.
		_ = r.batches.starter.Wait(wait, last)
	})
	return more
}

// take starts what is due, and says which batch it started last: when that one has ended,
// those before it have, too, or nearly.
func (r *Relay) take(ctx context.Context) (last string, more bool) {
	limit := relayRows
	switch r.batches.gate.breaker() {
	case breakerOpen:
		return "", false
	case breakerTrying:
		limit = 1 // a lease costs the row an attempt: risk one
	case breakerClosed:
	}
	rows, err := r.batches.outbox.Lease(ctx, limit)
	if err != nil {
		if ctx.Err() == nil {
			r.batches.metrics.failedCalls.WithLabelValues("lease").Inc()
			r.batches.log.WarnContext(ctx, "outbox not read", "error", err.Error())
		}
		return "", false
	}
	r.batches.metrics.leasedRows.Add(float64(len(rows)))
	if len(rows) > 0 {
		_ = failpoint.Hit("relay_after_lease")
	}
	for _, b := range regroup(rows) {
		if r.batches.gate.breaker() == breakerOpen || r.batches.gate.waitRelay(ctx) != nil {
			return last, false
		}
		if r.batches.start(context.WithoutCancel(ctx), b.id, b.refs) {
			last = b.id
		}
	}
	return last, len(rows) == limit && ctx.Err() == nil
}

func (r *Relay) probe(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	if r.batches.starter.Probe(ctx) == nil {
		r.batches.gate.probed()
	}
}

// group is a batch to be started.
type group struct {
	id            string
	refs          []models.Ref
	organizations map[string]struct{}
}

// regroup forms batches of leased rows, in the order of the rows: those that had a
// batch stay together under its id, the others form new ones.
func regroup(rows []models.OutboxRow) []*group {
	var groups []*group
	known := make(map[string]*group)
	var fresh *group
	for _, row := range rows {
		g := known[row.BatchID]
		if row.BatchID == "" {
			if fresh == nil || !fresh.takes(row.Ref) {
				fresh = newGroup(models.NewID(models.PrefixBatch))
				groups = append(groups, fresh)
			}
			g = fresh
		} else if g == nil {
			g = newGroup(row.BatchID)
			known[row.BatchID] = g
			groups = append(groups, g)
		}
		g.refs = append(g.refs, row.Ref)
		g.organizations[row.OrganizationID] = struct{}{}
	}
	return groups
}

func newGroup(id string) *group {
	return &group{id: id, organizations: make(map[string]struct{})}
}

// takes reports whether a new batch may take another transaction.
func (g *group) takes(ref models.Ref) bool {
	_, known := g.organizations[ref.OrganizationID]
	return len(g.refs) < workflows.MaxBatch && (known || len(g.organizations) < workflows.MaxBatchOrganizations)
}
