package api

import (
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"levy/api/problem"
	"levy/models"
)

// Limits bound what the keys of one organization may do in this process. Zero
// values are those of the contract.
type Limits struct {
	Rate       models.RateLimit // where the organization has none of its own; 10,000 a minute, 500 at once
	Concurrent int              // calls under way; 200
	Streams    int              // event streams open; 20
}

func (l Limits) orDefault() Limits {
	set := func(n *int, to int) {
		if *n <= 0 {
			*n = to
		}
	}
	set(&l.Rate.PerMinute, 10_000)
	set(&l.Rate.Burst, 500)
	set(&l.Concurrent, 200)
	set(&l.Streams, 20)
	return l
}

// maxBuckets bounds the organizations that are remembered.
const maxBuckets = 1 << 16

// rateLimit keeps a bucket of tokens for every organization that owns keys.
type rateLimit struct {
	limits  Limits
	now     func() time.Time
	mu      sync.Mutex
	buckets map[string]*bucket
}

// bucket is the state of one organization. It holds no tokens but the moment at
// which it will be full again: that moves on by the price of a call with each call,
// and what lies between it and now is what is missing.
type bucket struct {
	fullAt           time.Time
	running, streams int
}

func newRateLimit(limits Limits, now func() time.Time) *rateLimit {
	return &rateLimit{limits: limits.orDefault(), now: now, buckets: map[string]*bucket{}}
}

// verdict is what a call is told.
type verdict struct {
	refused   string // limit_type; empty when the call may go on
	remaining int
	reset     time.Duration // until the bucket is full
	wait      time.Duration // until a repeat may succeed, when refused
}

// take counts a call of an organization. One that may go on must be given back.
func (r *rateLimit) take(organizationID string, rate models.RateLimit, stream bool) verdict {
	now := r.now()
	price := max(1, time.Minute/time.Duration(rate.PerMinute))
	capacity := price * time.Duration(rate.Burst)
	r.mu.Lock()
	defer r.mu.Unlock()
	b := r.buckets[organizationID]
	if b == nil {
		if len(r.buckets) >= maxBuckets {
			r.forget(now)
		}
		b = &bucket{fullAt: now}
		r.buckets[organizationID] = b
	}
	missing := min(max(0, b.fullAt.Sub(now)), capacity) // less than before, if the limit has become lower
	v := verdict{}
	switch {
	case missing+price > capacity:
		v.refused, v.wait = "rate", missing+price-capacity
	case !stream && b.running >= r.limits.Concurrent, stream && b.streams >= r.limits.Streams:
		v.refused, v.wait = "concurrency", time.Second
	default:
		missing += price
		if stream {
			b.streams++
		} else {
			b.running++
		}
	}
	b.fullAt = now.Add(missing)
	v.remaining, v.reset = int((capacity-missing)/price), missing
	return v
}

// giveBack ends a call that was taken.
func (r *rateLimit) giveBack(organizationID string, stream bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if b := r.buckets[organizationID]; stream {
		b.streams--
	} else {
		b.running--
	}
}

// forget makes room: full buckets first, else any without calls under way. It makes
// room for many at once, because it looks at all of them.
func (r *rateLimit) forget(now time.Time) {
	for id, b := range r.buckets {
		if b.idle() && !b.fullAt.After(now) {
			delete(r.buckets, id)
		}
	}
	for id, b := range r.buckets {
		if len(r.buckets) < maxBuckets*7/8 {
			return
		}
		if b.idle() {
			delete(r.buckets, id)
		}
	}
}

func (b *bucket) idle() bool { return b.running == 0 && b.streams == 0 }

// limitRate refuses calls beyond the limits of the organization that owns the key,
// and tells every caller where it is. An event stream counts apart from the calls.
func (s *Server) limitRate(stream bool) gin.HandlerFunc {
	return func(c *gin.Context) {
		principal := callOf(c.Request.Context()).principal
		rate := s.rates.limits.Rate
		if principal.RateLimit != nil {
			rate = *principal.RateLimit
		}
		v := s.rates.take(principal.OrganizationID, rate, stream)
		tellLimits(c.Writer.Header(), rate, v)
		if v.refused != "" {
			p := problem.New(problem.CodeRateLimited, "").With("limit_type", v.refused)
			p.RetryAfter = max(1, seconds(v.wait))
			problem.Write(c, p)
			return
		}
		defer s.rates.giveBack(principal.OrganizationID, stream)
		c.Next()
	}
}

func tellLimits(header http.Header, rate models.RateLimit, v verdict) {
	perMinute := strconv.Itoa(rate.PerMinute)
	header.Set("RateLimit-Policy", perMinute+";w=60;burst="+strconv.Itoa(rate.Burst))
	header.Set("RateLimit-Limit", perMinute)
	header.Set("RateLimit-Remaining", strconv.Itoa(v.remaining))
	header.Set("RateLimit-Reset", strconv.Itoa(seconds(v.reset)))
}

// seconds rounds up: whoever waits that long does not come too early.
func seconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }
