package call

import (
	"context"
	"errors"
	"fmt"
	"time"

	"levy/models"
)

// detachedTimeout bounds work that continues when its request has ended. It is longer than
// the claim of a return may take.
const detachedTimeout = 15 * time.Minute

// RunDetached does work that continues when the client has disconnected or the time of the
// request is over: started again with every repeat, it would never finish. A request that
// cannot wait for it is answered with models.ErrOutcomeUnknown; a repeat waits for the first
// one and finds its result. Work that is committed with the answer to an idempotency key is
// awaited in any case: until then a repeat is answered that the key is in use.
func RunDetached[T any](ctx context.Context, do func(context.Context) (T, error)) (result T, err error) {
	working, cancel := context.WithTimeout(context.WithoutCancel(ctx), detachedTimeout)
	if Of(ctx).Commit != nil {
		defer cancel()
		return do(working)
	}
	done := make(chan struct{})
	var found T
	var failed error
	go func() {
		defer close(done)
		defer cancel()
		defer func() {
			if reason := recover(); reason != nil {
				failed = fmt.Errorf("panic: %v", reason) // in a goroutine without recovery it would end the process
			}
		}()
		found, failed = do(working)
	}()
	select {
	case <-done:
		return found, failed
	case <-ctx.Done():
		return result, fmt.Errorf("%w: it goes on", models.ErrOutcomeUnknown)
	}
}

// UnknownAfterWrite is the error of reading what a call has written for its answer. That it cannot
// be read now does not mean that nothing was written.
func UnknownAfterWrite(err error) error {
	// guard: answer: what is written and cannot be read is unknown
	if errors.Is(err, models.ErrUnavailable) || errors.Is(err, context.Canceled) ||
		errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%w: written, and not read: %w", models.ErrOutcomeUnknown, err)
	}
	return err
}
