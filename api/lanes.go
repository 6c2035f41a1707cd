package api

import (
	"runtime"
	"sync"

	"github.com/gin-gonic/gin"
)

// newLanes are the turns of organizations. Work shares the CPUs and the database by the
// call: without lanes an organization with a hundred calls under way has a hundred times
// the share of one with a single call. They are wide enough for one organization to use
// the whole machine while nobody else wants it.
func newLanes() *turns { return newTurns(max(4, 4*runtime.GOMAXPROCS(0))) }

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
		pass, err := s.lanes.take(c.Request.Context(), call.principal.OrganizationID)
		if err != nil {
			s.fail(c, err)
			return
		}
		call.leave = sync.OnceFunc(pass)
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
