package worker

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Sweeper makes sure that records of one kind have the workflow they need: what is
// new, what changed, and what was terminated or lost with Temporal's data. The list of
// it is in the database, so nothing is lost with a process. Every process may have one
// of each kind.
type Sweeper struct {
	kind   string // in logs: "filings"
	tick   time.Duration
	rows   int           // of one lease
	calls  int           // under way at once
	budget *rate.Limiter // of calls per second: transactions want to be processed, too
	due    func(ctx context.Context, limit int) ([]task, error)
	swept  func(ctx context.Context) // when all calls have ended; may be nil
	log    *slog.Logger
}

// task notifies the workflow of one record. Nil: that one needs nothing.
type task func(ctx context.Context) error

// tasks takes up to limit records that are due and says what is to be done for each.
func tasks[T any](
	lease func(context.Context, int) ([]T, error), notify func(context.Context, T) error,
) func(context.Context, int) ([]task, error) {
	return func(ctx context.Context, limit int) ([]task, error) {
		due, err := lease(ctx, limit)
		list := make([]task, len(due))
		for i := range due {
			list[i] = func(ctx context.Context) error { return notify(ctx, due[i]) }
		}
		return list, err
	}
}

// Run sweeps until ctx ends.
func (s *Sweeper) Run(ctx context.Context) { repeat(ctx, s.tick, s.sweep) }

// repeat checks again and again until ctx ends: at once when more is to be expected.
func repeat(ctx context.Context, tick time.Duration, check func(context.Context) (more bool)) {
	for {
		if more := check(ctx); more {
			continue
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(jittered(tick)):
		}
	}
}

// sweep does what is due once. It reports whether more is to be expected at once.
func (s *Sweeper) sweep(ctx context.Context) (more bool) {
	due, err := s.due(ctx, s.rows)
	if err != nil {
		if ctx.Err() == nil {
			s.log.WarnContext(ctx, "what is due was not read", "of", s.kind, "error", err.Error())
		}
		return false
	}
	err = s.notifyAll(ctx, due)
	if s.swept != nil && len(due) > 0 {
		_ = s.notify(ctx, func(ctx context.Context) error {
			s.swept(ctx)
			return nil
		})
	}
	if err != nil {
		s.log.WarnContext(ctx, "workflows not notified", "of", s.kind, "due", len(due), "error", err.Error())
		return false
	}
	return len(due) == s.rows && ctx.Err() == nil
}

// notifyAll makes the calls that are due, some at once. The error is the first of them.
func (s *Sweeper) notifyAll(ctx context.Context, due []task) error {
	failed := make(chan error, len(due))
	next := make(chan task)
	var calls sync.WaitGroup
	for range min(s.calls, len(due)) {
		calls.Go(func() {
			for notify := range next {
				if err := s.notify(ctx, notify); err != nil {
					failed <- err
				}
			}
		})
	}
	for _, notify := range due {
		if notify == nil {
			continue
		}
		// Once Temporal does not answer, the others are due again later. A single record that it refuses is not that: they
		// would be due with it each time.
		if len(failed) >= s.calls || s.budget.Wait(ctx) != nil {
			break
		}
		next <- notify
	}
	close(next)
	calls.Wait()
	close(failed)
	return <-failed
}

// notify lets a call that was begun come to its end.
func (s *Sweeper) notify(ctx context.Context, notify task) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), startTimeout)
	defer cancel()
	return notify(ctx)
}
