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
	what   string // in logs: "filings"
	tick   time.Duration
	rows   int           // taken with one look
	calls  int           // under way at once
	budget *rate.Limiter // of calls per second: transactions want to be processed, too
	due    func(ctx context.Context, limit int) ([]errand, error)
	swept  func(ctx context.Context) // when all calls have ended; may be nil
	log    *slog.Logger
}

// errand tells the workflow of one record. Nil: that one needs nothing.
type errand func(ctx context.Context) error

// errands takes up to limit records that are due and says what is to be done for each.
func errands[T any](lease func(context.Context, int) ([]T, error), tell func(context.Context, T) error) func(context.Context, int) ([]errand, error) {
	return func(ctx context.Context, limit int) ([]errand, error) {
		due, err := lease(ctx, limit)
		list := make([]errand, len(due))
		for i := range due {
			list[i] = func(ctx context.Context) error { return tell(ctx, due[i]) }
		}
		return list, err
	}
}

// Run sweeps until ctx ends.
func (s *Sweeper) Run(ctx context.Context) { lookEvery(ctx, s.tick, s.sweep) }

// lookEvery looks again and again until ctx ends: at once when more is to be expected.
func lookEvery(ctx context.Context, tick time.Duration, look func(context.Context) (more bool)) {
	for {
		if more := look(ctx); more {
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
			s.log.WarnContext(ctx, "what is due was not read", "of", s.what, "error", err.Error())
		}
		return false
	}
	failed := make(chan error, len(due))
	next := make(chan errand)
	var calls sync.WaitGroup
	for range min(s.calls, len(due)) {
		calls.Go(func() {
			for tell := range next {
				if err := s.tell(ctx, tell); err != nil {
					failed <- err
				}
			}
		})
	}
	for _, tell := range due {
		if tell == nil {
			continue
		}
		// Once Temporal is away, the others are due again later.
		if len(failed) > 0 || s.budget.Wait(ctx) != nil {
			break
		}
		next <- tell
	}
	close(next)
	calls.Wait()
	if s.swept != nil && len(due) > 0 {
		_ = s.tell(ctx, func(ctx context.Context) error {
			s.swept(ctx)
			return nil
		})
	}
	select {
	case err := <-failed:
		s.log.WarnContext(ctx, "workflows not told", "of", s.what, "due", len(due), "error", err.Error())
		return false
	default:
		return len(due) == s.rows && ctx.Err() == nil
	}
}

// tell lets a call that was begun come to its end.
func (s *Sweeper) tell(ctx context.Context, tell errand) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), startTimeout)
	defer cancel()
	return tell(ctx)
}
