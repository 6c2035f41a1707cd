package service

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"

	"levy/internal/fair"
	"levy/models"
	"levy/service/internal/call"
)

// newWork returns the slots that bound concurrent calls of one organization, and of one partner with all its clients.
// Calls share CPUs and database equally. Without a bound, a hundred calls of one would get a hundred times the share of
// one call of another. An organization may use the whole machine while no other needs it.
func newWork(now func() time.Time) *fair.Slots {
	cpus := runtime.GOMAXPROCS(0)
	return fair.New(fair.Sizes{
		Total: 16 * cpus, Waits: RequestTimeout, Recent: time.Second,
		Partner:      fair.Share{Busy: max(2, cpus), Alone: max(4, 4*cpus)},
		Organization: fair.Share{Busy: max(2, cpus), Alone: max(4, 4*cpus)},
	}, now)
}

// largeWork is the smallest size of a body in bytes that takes a slot.
const largeWork = 16 << 10

// acquireSlot waits for one of the organization's slots. Calls that only read or compute keep it to their end.
// Writes take it only while a large body is read: the rest is short, or waits for a commit that it shares with others.
// release may be called more than once. Errors: models.ErrUnavailable.
func (s *Service) acquireSlot(ctx context.Context, c *call.Call, op *Operation, size int) (release func(), err error) {
	if op.Rule.open() || op.Stream || op.once != onceIgnored && size < largeWork {
		return func() {}, nil
	}
	who := fair.Who{Partner: c.Partner(), Organization: c.Scope.OrganizationID}
	if err := s.work.Acquire(ctx, who); err != nil {
		return nil, fmt.Errorf("%w: %w", models.ErrUnavailable, err)
	}
	return sync.OnceFunc(func() { s.work.Release(who) }), nil
}
