package api

import (
	"bytes"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"levy/api/limit"
	"levy/contract/problem"
	"levy/internal/fair"
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
		writeProblem(c, problem.New(problem.CodeURITooLong, ""))
		return
	}
	size := len(c.Request.Host)
	for name, values := range c.Request.Header {
		for _, value := range values {
			size += len(name) + len(value) + len(": \r\n")
		}
	}
	if size > maxHead {
		writeProblem(c, problem.New(problem.CodeHeadersTooLarge, ""))
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
			writeProblem(c, problem.New(problem.CodeResourceNotFound, ""))
			return
		}
		c.Params[i].Value = value
	}
}

// refusedPause is how long a call beyond the limits waits for its answer: a client that asks again at once, as fast as
// it is refused, does so twenty times a second on a connection and not a thousand, and leaves others the CPU.
const refusedPause = 50 * time.Millisecond

// limitCalls refuses calls beyond the limits of the organization that owns the key, and
// tells every caller what remains. An event stream counts apart from the calls.
func (s *Server) limitCalls(stream bool) gin.HandlerFunc {
	return func(c *gin.Context) {
		call := callOf(c.Request.Context())
		payer, rate := call.payer(), s.calls.Rate(call.principal.RateLimit)
		v := s.calls.Begin(payer, rate, stream)
		writeLimits(c.Writer.Header(), rate, v)
		if v.Refused != "" {
			p := problem.New(problem.CodeRateLimited, "").With("limit_type", v.Refused)
			p.RetryAfter = max(1, seconds(v.Wait))
			select {
			case <-time.After(refusedPause):
			case <-c.Request.Context().Done():
			}
			writeProblem(c, p)
			return
		}
		defer s.calls.End(payer, stream)
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

// newWork bounds how many calls of one partner are worked on at a time, whichever of its clients
// calls. Calls share the CPUs and the database equally: without a bound a partner with a hundred calls
// under way has a hundred times the share of one with a single call. It is wide enough for one to use
// the whole machine while nobody else wants it, and narrower while somebody does.
func newWork(now func() time.Time) *fair.Places {
	cpus := runtime.GOMAXPROCS(0)
	return fair.New(fair.Sizes{
		Total: 16 * cpus, One: max(2, cpus), Alone: max(4, 4*cpus), Waits: requestTimeout, Recent: time.Second,
	}, now)
}

// largeWork is the size of a body in bytes from which on reading it is work.
const largeWork = 16 << 10

// limitConcurrency keeps what costs CPU time or asks much of the database within the share of the
// partner: calls that only read or compute as a whole, and of others the reading of large bodies, until
// releaseConcurrency. The rest of those is short, or waits for a commit that it shares with others.
func (s *Server) limitConcurrency(op *operation) gin.HandlerFunc {
	return func(c *gin.Context) {
		if op.once != onceIgnored && len(rawBody(c)) < largeWork {
			c.Next()
			return
		}
		call := callOf(c.Request.Context())
		partner := call.partner()
		if err := s.work.Take(c.Request.Context(), partner); err != nil {
			s.fail(c, fmt.Errorf("%w: %w", models.ErrUnavailable, err))
			return
		}
		call.release = sync.OnceFunc(func() { s.work.Give(partner) })
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

// serializeWrites lets writes of one record follow each other here: each would take a connection to the
// database only to wait there, for the row that the one before has locked.
func (s *Server) serializeWrites(op *operation) gin.HandlerFunc {
	return func(c *gin.Context) {
		key := writeKey(op, c)
		if key == "" {
			c.Next()
			return
		}
		release, err := s.writeLocks.Acquire(c.Request.Context(), callOf(c.Request.Context()).scope.OrganizationID+" "+key)
		if err != nil {
			s.fail(c, err)
			return
		}
		defer release()
		c.Next()
	}
}

// writeKey is what writes that are serialized have in common: the record of the path, or batches that are
// committed with their key and may give sales back, which lock those. It is empty for calls that
// are not; work that is committed elsewhere, such as a step of an onboarding, waits there.
func writeKey(op *operation, c *gin.Context) string {
	if op.once != onceTransactional {
		return ""
	}
	if len(c.Params) > 0 {
		return c.Params[0].Key + " " + c.Params[0].Value
	}
	if op.id == "createTransactionBatch" && c.Request.Header.Get("Idempotency-Key") != "" && hasRefunds(rawBody(c)) {
		return "batches"
	}
	return ""
}

// hasRefunds reports whether something that gives back sales may be in a body.
func hasRefunds(body []byte) bool {
	return slices.ContainsFunc(refundTypes, func(word []byte) bool { return bytes.Contains(body, word) })
}
