package worker

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Sweeper starts or signals the workflows of due records of one kind: new records, changed ones, and those whose run is
// missing. The records are in the database, so nothing is lost with a process. Every process may have a sweeper of each
// kind.
type Sweeper struct {
	kind   string // in logs: "filings"
	tick   time.Duration
	rows   int           // of one lease
	calls  int           // in progress at once
	budget *rate.Limiter // of calls per second, because transactions need Temporal, too
	due    func(ctx context.Context, limit int) ([]task, error)
	swept  func(ctx context.Context) // called when all calls have ended; may be nil
	log    *slog.Logger
}

// task notifies the workflow of one record. It is nil for a record that needs no call.
type task func(ctx context.Context) error

// tasks returns a function that leases up to limit due records and returns a task for each.
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

// repeat makes a check with each tick until ctx ends, and again at once if there may be more.
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

// sweep leases due records once and notifies their workflows. It reports whether there may be more.
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

// notifyAll makes the calls that are due, several at once. It returns the first of their errors.
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
		// While Temporal does not answer, the other records are due again later. A single record that it refuses must
		// not stop them, because they would be due with it each time.
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

// notify makes a call. The call goes on when ctx ends.
func (s *Sweeper) notify(ctx context.Context, notify task) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), startTimeout)
	defer cancel()
	return notify(ctx)
}
