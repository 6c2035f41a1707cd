package api

import (
	"math"
	"net/http"
	"net/url"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"levy/api/limit"
	"levy/api/problem"
	"levy/models"
)

const (
	maxURL  = 8 << 10
	maxHead = 16 << 10
	// serverHeadLimit is what net/http itself reads. It is larger than the limits of
	// the contract, so that all but absurd requests get an answer in our own form.
	serverHeadLimit = 1 << 20
)

// limitHead refuses URLs and header blocks that are too large.
func limitHead(c *gin.Context) {
	if len(c.Request.RequestURI) > maxURL {
		problem.Write(c, problem.New(problem.CodeURITooLong, ""))
		return
	}
	size := len(c.Request.Host)
	for name, values := range c.Request.Header {
		for _, value := range values {
			size += len(name) + len(value) + len(": \r\n")
		}
	}
	if size > maxHead {
		problem.Write(c, problem.New(problem.CodeHeadersTooLarge, ""))
	}
}

// unescapePath decodes the values of the path, each once. Gin does not: its own
// decoding reads a plus as a space.
func unescapePath(c *gin.Context) {
	for i := range c.Params {
		if strings.IndexByte(c.Params[i].Value, '%') < 0 {
			continue
		}
		value, err := url.PathUnescape(c.Params[i].Value)
		if err != nil { // net/http has refused such a path already
			problem.Write(c, problem.New(problem.CodeResourceNotFound, ""))
			return
		}
		c.Params[i].Value = value
	}
}

// limitCalls refuses calls beyond the limits of the organization that owns the key, and
// tells every caller what remains. An event stream counts apart from the calls.
func (s *Server) limitCalls(stream bool) gin.HandlerFunc {
	return func(c *gin.Context) {
		principal := callOf(c.Request.Context()).principal
		rate := s.calls.Rate(principal.RateLimit)
		v := s.calls.Begin(principal.OrganizationID, rate, stream)
		writeLimits(c.Writer.Header(), rate, v)
		if v.Refused != "" {
			p := problem.New(problem.CodeRateLimited, "").With("limit_type", v.Refused)
			p.RetryAfter = max(1, seconds(v.Wait))
			problem.Write(c, p)
			return
		}
		defer s.calls.End(principal.OrganizationID, stream)
		c.Next()
	}
}

func writeLimits(header http.Header, rate models.RateLimit, v limit.Verdict) {
	perMinute := strconv.Itoa(rate.PerMinute)
	header.Set("RateLimit-Policy", perMinute+";w=60;burst="+strconv.Itoa(rate.Burst))
	header.Set("RateLimit-Limit", perMinute)
	header.Set("RateLimit-Remaining", strconv.Itoa(v.Remaining))
	header.Set("RateLimit-Reset", strconv.Itoa(seconds(v.Reset)))
}

// seconds rounds up: whoever waits that long does not come too early.
func seconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }

// newTenantConcurrency bounds how many calls of one organization are worked on at a time.
// Calls share the CPUs and the database equally: without a bound an organization with a
// hundred calls under way has a hundred times the share of one with a single call. It is
// wide enough for one organization to use the whole machine while nobody else wants it.
func newTenantConcurrency() *limit.KeyedSemaphore {
	return limit.NewKeyedSemaphore(max(4, 4*runtime.GOMAXPROCS(0)))
}

// largeWork is the size of a body in bytes from which on reading it is work.
const largeWork = 16 << 10

// limitConcurrency keeps what costs CPU time or asks much of the database within the
// concurrency of the organization that owns the key: calls that only read or compute as
// a whole, and of others the reading of large bodies, until releaseConcurrency. The rest
// of those is short, or waits for a commit that it shares with others.
func (s *Server) limitConcurrency(op *operation) gin.HandlerFunc {
	return func(c *gin.Context) {
		if op.once != onceIgnored && len(RawBody(c)) < largeWork {
			c.Next()
			return
		}
		call := callOf(c.Request.Context())
		release, err := s.concurrency.Acquire(c.Request.Context(), call.principal.OrganizationID)
		if err != nil {
			s.fail(c, err)
			return
		}
		call.release = sync.OnceFunc(release)
		defer call.release()
		c.Next()
	}
}

// releaseConcurrency is for calls of which only the reading of the body is bounded.
func releaseConcurrency(op *operation) gin.HandlerFunc {
	return func(c *gin.Context) {
		if call := callOf(c.Request.Context()); call.release != nil && op.once != onceIgnored {
			call.release()
		}
	}
}
