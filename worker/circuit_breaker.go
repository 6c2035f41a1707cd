package worker

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// breakerThreshold is the number of failed starts in a row after which Temporal counts as down.
const breakerThreshold = 5

// breakerState is the state of a circuit breaker.
type breakerState int

const (
	breakerClosed   breakerState = iota // starts are allowed
	breakerHalfOpen                     // a probe succeeded: starts are allowed, and one failure opens
	breakerOpen                         // no start is made, and the relay probes Temporal
)

// CircuitBreaker stops the starts of a process while Temporal is down, so that an outage does not use up the attempts
// of outbox rows. The dispatcher and the relays share it, and with it the relays' budget of starts.
type CircuitBreaker struct {
	starts  *rate.Limiter
	relayed *rate.Limiter // bounds the relays while the dispatcher has transactions
	live    atomic.Int64  // transactions waiting in the dispatcher
	// progress is the last time when a batch ended, unless from outside, in Unix nanoseconds.
	progress atomic.Int64

	mu       sync.Mutex
	state    breakerState
	failures int
	metrics  *Metrics
}

// NewCircuitBreaker returns a closed breaker with the relays' budget of starts per second and a burst. A start costs
// Temporal little, but its batch costs a lot. Without the budget, many small batches of a backlog would start faster
// than they are processed.
func NewCircuitBreaker(perSecond float64, burst int, metrics *Metrics) *CircuitBreaker {
	return &CircuitBreaker{
		starts:  rate.NewLimiter(rate.Limit(perSecond), burst),
		relayed: rate.NewLimiter(rate.Limit(perSecond/2), 1),
		metrics: metrics,
	}
}

// waitRelay waits until the budget allows a start of a relay. While the dispatcher has transactions, it allows half as
// many. Errors: that of ctx.
func (b *CircuitBreaker) waitRelay(ctx context.Context) error {
	if b.live.Load() > 0 {
		if err := b.relayed.Wait(ctx); err != nil {
			return err
		}
	}
	return b.starts.Wait(ctx)
}

// recordProgress records that a batch has ended: Temporal hands out tasks, and workers do them.
func (b *CircuitBreaker) recordProgress() { b.progress.Store(time.Now().UnixNano()) }

// progressSince reports whether a batch has ended after t, by recordProgress.
func (b *CircuitBreaker) progressSince(t time.Time) bool { return b.progress.Load() > t.UnixNano() }

// recordCall changes the state by the result of a call to Temporal.
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

// recordProbe records that Temporal answers again: an open breaker becomes half-open.
func (b *CircuitBreaker) recordProbe() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.state == breakerOpen {
		b.set(breakerHalfOpen)
	}
}

// current returns the state.
func (b *CircuitBreaker) current() breakerState {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.state
}

// set changes the state and its metric.
func (b *CircuitBreaker) set(state breakerState) {
	b.state = state
	open := 0.0
	if state == breakerOpen {
		open = 1
	}
	b.metrics.breakerOpen.Set(open)
}
