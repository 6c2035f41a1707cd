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
	breakerClosed   breakerState = iota // starts are made
	breakerHalfOpen                     // a probe succeeded: starts are made, one failure opens
	breakerOpen                         // no starts; the relay probes
)

// CircuitBreaker is what the dispatcher and the relay of a process share: the breaker that
// keeps an outage of Temporal from wearing out the rows of the outbox, and the
// relay's budget of starts.
type CircuitBreaker struct {
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

// NewCircuitBreaker makes a breaker with the relay's budget of starts per second and a burst. A
// start costs Temporal little but the batch it creates a lot: without the budget a
// backlog of many small batches would be opened faster than they are worked off.
func NewCircuitBreaker(perSecond float64, burst int, metrics *Metrics) *CircuitBreaker {
	return &CircuitBreaker{
		starts:  rate.NewLimiter(rate.Limit(perSecond), burst),
		relayed: rate.NewLimiter(rate.Limit(perSecond/2), 1),
		metrics: metrics,
	}
}

// waitRelay waits for the budget; while live traffic waits, half of it.
func (b *CircuitBreaker) waitRelay(ctx context.Context) error {
	if b.live.Load() > 0 {
		if err := b.relayed.Wait(ctx); err != nil {
			return err
		}
	}
	return b.starts.Wait(ctx)
}

// recordProgress notes that a batch has ended by itself: Temporal hands out tasks, and workers do them.
func (b *CircuitBreaker) recordProgress() { b.progress.Store(time.Now().UnixNano()) }

// progressSince reports whether a batch was seen to end by itself after t.
func (b *CircuitBreaker) progressSince(t time.Time) bool { return b.progress.Load() > t.UnixNano() }

// recordCall notes for the breaker how a call to Temporal went.
func (b *CircuitBreaker) recordCall(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err == nil {
		b.failures = 0
		b.set(breakerClosed)
		return
	}
	b.failures++
	if b.state == breakerHalfOpen || b.failures >= breakerThreshold {
		b.set(breakerOpen)
	}
}

// recordProbe notes for the breaker that Temporal answers again.
func (b *CircuitBreaker) recordProbe() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.state == breakerOpen {
		b.set(breakerHalfOpen)
	}
}

func (b *CircuitBreaker) current() breakerState {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.state
}

func (b *CircuitBreaker) set(state breakerState) {
	b.state = state
	open := 0.0
	if state == breakerOpen {
		open = 1
	}
	b.metrics.breakerOpen.Set(open)
}
