package worker

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// breakerThreshold is the number of failed starts in a row after which Temporal
// counts as down.
const breakerThreshold = 5

// breakerState says whether starts are made.
type breakerState int

const (
	breakerClosed breakerState = iota // starts are made
	breakerTrying                     // a probe succeeded: starts are made, one failure opens
	breakerOpen                       // no starts; the relay probes
)

// Gate is what the dispatcher and the relay of a process share: the breaker that
// keeps an outage of Temporal from wearing out the rows of the outbox, and the
// relay's budget of starts.
type Gate struct {
	starts  *rate.Limiter
	relayed *rate.Limiter // binds the relay while live traffic waits
	live    atomic.Int64  // transactions waiting in the dispatcher
	// progress is when a batch was last seen to end by itself, in Unix nanoseconds.
	progress atomic.Int64

	mu       sync.Mutex
	state    breakerState
	failures int
	metrics  *Metrics
}

// NewGate makes a gate with the relay's budget of starts per second and a burst. A
// start costs Temporal little but the batch it creates a lot: without the budget a
// backlog of many small batches would be opened faster than they are worked off.
func NewGate(perSecond float64, burst int, metrics *Metrics) *Gate {
	return &Gate{
		starts:  rate.NewLimiter(rate.Limit(perSecond), burst),
		relayed: rate.NewLimiter(rate.Limit(perSecond/2), 1),
		metrics: metrics,
	}
}

// waitRelay waits for the budget; while live traffic waits, half of it.
func (g *Gate) waitRelay(ctx context.Context) error {
	if g.live.Load() > 0 {
		if err := g.relayed.Wait(ctx); err != nil {
			return err
		}
	}
	return g.starts.Wait(ctx)
}

// progressed notes that a batch has ended by itself: Temporal hands out tasks, and workers do them.
func (g *Gate) progressed() { g.progress.Store(time.Now().UnixNano()) }

// progressSince reports whether a batch was seen to end by itself after t.
func (g *Gate) progressSince(t time.Time) bool { return g.progress.Load() > t.UnixNano() }

// report notes for the breaker how a call to Temporal went.
func (g *Gate) report(err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if err == nil {
		g.failures = 0
		g.become(breakerClosed)
		return
	}
	g.failures++
	if g.state == breakerTrying || g.failures >= breakerThreshold {
		g.become(breakerOpen)
	}
}

// probed notes for the breaker that Temporal answers again.
func (g *Gate) probed() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.state == breakerOpen {
		g.become(breakerTrying)
	}
}

func (g *Gate) breaker() breakerState {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.state
}

func (g *Gate) become(state breakerState) {
	g.state = state
	open := 0.0
	if state == breakerOpen {
		open = 1
	}
	g.metrics.breakerOpen.Set(open)
}
