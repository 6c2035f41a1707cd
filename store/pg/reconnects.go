package pg

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// reconnectPause is the pause between two attempts to connect to a database that refuses.
const reconnectPause = 100 * time.Millisecond

// reconnects limits the attempts to connect while the database refuses them: one at a time for the whole pool,
// with a pause. A database that recovers from a crash forks a process for each attempt, and its recovery waits for that
// process.
type reconnects struct {
	mu      sync.Mutex
	refused error         // the result of the last attempt; nil after a success
	at      time.Time     // the end of the last attempt
	trying  chan struct{} // closed when the current attempt ends; nil without one
}

// beforeConnect is called before a connection is opened. While the database refuses connections, it waits for the pause
// or for the attempt of another caller, and returns the error of that attempt.
func (r *reconnects) beforeConnect(ctx context.Context, _ *pgx.ConnConfig) error {
	r.mu.Lock()
	if r.refused == nil {
		r.mu.Unlock()
		return nil
	}
	if other := r.trying; other != nil {
		r.mu.Unlock()
		select {
		case <-other:
		case <-ctx.Done():
			return ctx.Err()
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		return r.refused
	}
	r.trying = make(chan struct{})
	pause := reconnectPause - time.Since(r.at)
	r.mu.Unlock()
	select {
	case <-time.After(pause):
		return nil
	case <-ctx.Done():
		r.recordAttempt(context.Canceled)
		return ctx.Err()
	}
}

// recordAttempt records the result of an attempt. A cancelled attempt has no result.
func (r *reconnects) recordAttempt(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !errors.Is(err, context.Canceled) {
		r.refused, r.at = err, time.Now()
	}
	if r.trying != nil {
		close(r.trying)
		r.trying = nil
	}
}

// TraceConnectStart implements pgx.ConnectTracer.
func (r *reconnects) TraceConnectStart(ctx context.Context, _ pgx.TraceConnectStartData) context.Context {
	return ctx
}

// TraceConnectEnd implements pgx.ConnectTracer.
func (r *reconnects) TraceConnectEnd(_ context.Context, data pgx.TraceConnectEndData) {
	r.recordAttempt(data.Err)
}
