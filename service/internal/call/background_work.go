package call

import (
	"context"
	"errors"
	"fmt"
	"time"

	"levy/contract/problem"
	"levy/models"
)

// backgroundTimeout bounds work that continues after its request. It is longer than the claim of a return may take.
const backgroundTimeout = 15 * time.Minute

// RunInBackground runs work that continues after the client has disconnected or the time of the request is over.
// If a repeat started the work again, it would never finish. A request whose time is over gets
// models.ErrOutcomeUnknown; its repeat waits for the first one and finds the result. A request
// with an idempotency key always waits, because its answer is committed with the work. Errors: those of do,
// models.ErrOutcomeUnknown.
func RunInBackground[T any](ctx context.Context, do func(context.Context) (T, error)) (result T, err error) {
	working, cancel := context.WithTimeout(context.WithoutCancel(ctx), backgroundTimeout)
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
				failed = fmt.Errorf("panic: %v", reason) // without this recovery a panic would end the process
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

// UnknownAfterWrite returns the error for an answer that cannot be read after its write. A failed read does not mean
// that nothing was written, so the outcome is models.ErrOutcomeUnknown.
func UnknownAfterWrite(err error) error {
	// guard: answer: what is written and cannot be read is unknown
	if errors.Is(err, models.ErrUnavailable) || errors.Is(err, context.Canceled) ||
		errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%w: written, and not read: %w", models.ErrOutcomeUnknown, err)
	}
	return err
}

// UnknownAfterRows returns the error that ends a bulk call after some of its rows were done, each in a commit of its own.
// The caller must not be told that nothing was written, so the outcome is models.ErrOutcomeUnknown. A defect stays one.
func UnknownAfterRows(done int, err error) error {
	if done == 0 || problem.Of(err) == nil {
		return err
	}
	// The cause is text: some causes have another answer.
	return fmt.Errorf("%w: %d rows are done: %s", models.ErrOutcomeUnknown, done, err.Error())
}
