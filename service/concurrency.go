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

// newWork bounds how many calls of one partner are worked on at a time, whichever of its clients calls. Calls share the
// CPUs and the database equally: without a bound a partner with a hundred calls under way has a hundred times the share
// of one with a single call. The bound lets one use the whole machine while no one else wants it, and less while
// somebody else does.
func newWork(now func() time.Time) *fair.Slots {
	cpus := runtime.GOMAXPROCS(0)
	return fair.New(fair.Sizes{
		Total: 16 * cpus, One: max(2, cpus), Alone: max(4, 4*cpus), Waits: RequestTimeout, Recent: time.Second,
	}, now)
}

// largeWork is the size of a body in bytes from which on reading it is work.
const largeWork = 16 << 10

// acquireSlot keeps what costs CPU time or asks much of the database within the share of the partner: calls that only
// read or compute as a whole, and of others the reading of large bodies, until endReading. The rest of those is short, or
// waits for a commit that it shares with others. release may be called more than once. Errors: models.ErrUnavailable.
func (s *Service) acquireSlot(ctx context.Context, c *call.Call, op *Operation, size int) (release func(), err error) {
	if op.Rule.open() || op.Stream || op.once != onceIgnored && size < largeWork {
		return func() {}, nil
	}
	partner := c.Partner()
	if err := s.work.Acquire(ctx, partner); err != nil {
		return nil, fmt.Errorf("%w: %w", models.ErrUnavailable, err)
	}
	return sync.OnceFunc(func() { s.work.Release(partner) }), nil
}
