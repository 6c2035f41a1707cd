package api

import (
	"context"
	"errors"
	"fmt"
	"time"

	"levy/models"
)

// outliving bounds what goes on when its request has ended. It is longer than what the
// claim of a return may take.
const outliving = 15 * time.Minute

// outlive does something that is not given up when its client has, or has no more time:
// begun anew with every repeat, it would never be finished. Who cannot wait for it is
// told that it goes on, as models.ErrOutcomeUnknown; a repeat waits for the first one
// and finds what that has done. What is committed with the answer to an idempotency key
// is waited for in any case: until then a repeat is told that the key is in use.
func outlive[T any](ctx context.Context, do func(context.Context) (T, error)) (result T, err error) {
	working, cancel := context.WithTimeout(context.WithoutCancel(ctx), outliving)
	if callOf(ctx).held != nil {
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
				failed = fmt.Errorf("panic: %v", reason) // of nobody's goroutine: it would end the process
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

// unseen is the error of reading what a call has written for its answer. That it cannot
// be read now does not mean that nothing was written.
func unseen(err error) error {
	if errors.Is(err, models.ErrUnavailable) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%w: written, and not read: %w", models.ErrOutcomeUnknown, err)
	}
	return err
}
