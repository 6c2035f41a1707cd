package pg

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// reconnectPause is between two tries to connect to a database that refuses.
const reconnectPause = 100 * time.Millisecond

// reconnects bounds the tries to connect while the database refuses them: one at a time and with a pause, for all that
// want a connection. A database that recovers from a crash forks a process for each try, which its recovery waits for.
type reconnects struct {
	mu      sync.Mutex
	refused error         // what came of the last try; nil: it succeeded
	at      time.Time     // when it ended
	trying  chan struct{} // closed when the try under way ends; nil: none is
}

// beforeConnect is called before a connection is made. While the database refuses them it waits for the pause, or for the try
// of another, and fails as that does.
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

// recordAttempt notes what came of a try. One that was given up says nothing of the database.
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
