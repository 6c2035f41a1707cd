package api

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"github.com/gin-gonic/gin"

	"levy/models"
)

// lanes let only so many calls of one organization be worked on at the same time; its
// others wait, in the order in which they came. Work shares the CPUs and the database by
// the call: without lanes an organization with a hundred calls under way has a hundred
// times the share of one with a single call.
type lanes struct {
	width int // calls of one organization that are worked on

	mu   sync.Mutex
	used map[string]*lane
}

type lane struct {
	working int
	waiting []chan struct{} // each is closed when its turn has come
}

// newLanes makes lanes that are wide enough for one organization to use the whole
// machine while nobody else wants it.
func newLanes() *lanes {
	return &lanes{width: max(4, 4*runtime.GOMAXPROCS(0)), used: map[string]*lane{}}
}

// enter waits until a call of the organization may be worked on. One that may must
// leave. Errors: models.ErrUnavailable when ctx ends first.
func (l *lanes) enter(ctx context.Context, organizationID string) error {
	l.mu.Lock()
	own := l.used[organizationID]
	if own == nil {
		own = &lane{}
		l.used[organizationID] = own
	}
	if own.working < l.width {
		own.working++
		l.mu.Unlock()
		return nil
	}
	turn := make(chan struct{})
	own.waiting = append(own.waiting, turn)
	l.mu.Unlock()
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
		l.giveUp(organizationID, own, turn)
		return fmt.Errorf("%w: other calls of the organization are ahead: %w", models.ErrUnavailable, ctx.Err())
	}
}

// giveUp ends a wait. A turn that came at the same moment goes to the next.
func (l *lanes) giveUp(organizationID string, own *lane, turn chan struct{}) {
	l.mu.Lock()
	for i, waiting := range own.waiting {
		if waiting == turn {
			own.waiting = append(own.waiting[:i], own.waiting[i+1:]...)
			l.mu.Unlock()
			return
		}
	}
	l.mu.Unlock()
	l.leave(organizationID)
}

func (l *lanes) leave(organizationID string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	own := l.used[organizationID]
	if len(own.waiting) > 0 {
		next := own.waiting[0]
		own.waiting = own.waiting[1:]
		close(next)
		return
	}
	if own.working--; own.working == 0 {
		delete(l.used, organizationID)
	}
}

// largeWork is the size of a body in bytes from which on reading it is work.
const largeWork = 16 << 10

// takeLane keeps what costs CPU time or asks much of the database within the lane of
// the organization that owns the key: calls that only read or compute as a whole, and
// of others the reading of large bodies, until leaveLane. What is left of those is
// short, or waits for a commit that it shares with others.
func (s *Server) takeLane(op *operation) gin.HandlerFunc {
	return func(c *gin.Context) {
		if op.once != onceIgnored && len(RawBody(c)) < largeWork {
			c.Next()
			return
		}
		call := callOf(c.Request.Context())
		if err := s.lanes.enter(c.Request.Context(), call.principal.OrganizationID); err != nil {
			s.fail(c, err)
			return
		}
		call.leave = sync.OnceFunc(func() { s.lanes.leave(call.principal.OrganizationID) })
		defer call.leave()
		c.Next()
	}
}

// leaveLane is for calls that only had to be read.
func leaveLane(op *operation) gin.HandlerFunc {
	return func(c *gin.Context) {
		if call := callOf(c.Request.Context()); call.leave != nil && op.once != onceIgnored {
			call.leave()
		}
	}
}
