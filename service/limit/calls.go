// Package limit bounds what organizations and clients may do in one process: calls per
// minute, calls under way, work at the same time, and shares of what all use together.
package limit

import (
	"sync"
	"time"

	"levy/models"
)

// Config bounds what the keys of one organization may do in this process. Zero values
// are those of the contract.
type Config struct {
	Rate       models.RateLimit // where the organization has none of its own; 10,000 a minute, 500 at once
	Concurrent int              // calls under way; 200
	Streams    int              // event streams open; 20
}

func (c Config) orDefault() Config {
	set := func(n *int, to int) {
		if *n <= 0 {
			*n = to
		}
	}
	set(&c.Rate.PerMinute, 10_000)
	set(&c.Rate.Burst, 500)
	set(&c.Concurrent, 200)
	set(&c.Streams, 20)
	return c
}

// maxOrganizations bounds the organizations that are remembered.
const maxOrganizations = 1 << 16

// Calls limits the rate of the calls of every organization that owns keys, and how many
// of them are under way.
//
// The rate is limited by the generic cell rate algorithm. rate.Limiter of
// golang.org/x/time does not serve here: callers are told how many calls remain and when
// their bucket is full, a limit that changes applies at once to what was used before, and
// a call that the other limits refuse costs nothing. All of that needs one consistent
// state under one lock.
type Calls struct {
	config        Config
	now           func() time.Time
	mu            sync.Mutex
	organizations map[string]*usage
}

// usage is the state of one organization. Instead of tokens it holds the time at which
// its bucket is full again: each call moves that on by the price of a call, and the time
// from now until then is what is missing.
type usage struct {
	fullAt           time.Time
	running, streams int
}

// NewCalls makes the limits of a process.
func NewCalls(config Config, now func() time.Time) *Calls {
	return &Calls{config: config.orDefault(), now: now, organizations: map[string]*usage{}}
}

// Rate is the limit of an organization; own is nil for one without a limit of its own.
func (c *Calls) Rate(own *models.RateLimit) models.RateLimit {
	if own != nil {
		return *own
	}
	return c.config.Rate
}

// Limits that refuse a call, as the contract names them.
const (
	Rate        = "rate"
	Concurrency = "concurrency"
)

// Verdict says whether a call may go on, and what remains.
type Verdict struct {
	Refused   string // Rate or Concurrency; empty when the call may go on
	Remaining int
	Reset     time.Duration // until the bucket is full
	Wait      time.Duration // until a repeat may succeed, when refused
}

// Begin counts a call of an organization. One that may go on must be ended.
func (c *Calls) Begin(organizationID string, rate models.RateLimit, stream bool) Verdict {
	now := c.now()
	price := max(1, time.Minute/time.Duration(rate.PerMinute))
	capacity := price * time.Duration(rate.Burst)
	c.mu.Lock()
	defer c.mu.Unlock()
	u := c.organizations[organizationID]
	if u == nil {
		if len(c.organizations) >= maxOrganizations {
			c.forget(now)
		}
		u = &usage{fullAt: now}
		c.organizations[organizationID] = u
	}
	missing := min(max(0, u.fullAt.Sub(now)), capacity) // less than before, if the limit has become lower
	v := Verdict{}
	switch {
	case missing+price > capacity:
		v.Refused, v.Wait = Rate, missing+price-capacity
	case !stream && u.running >= c.config.Concurrent, stream && u.streams >= c.config.Streams:
		v.Refused, v.Wait = Concurrency, time.Second
	default:
		missing += price
		if stream {
			u.streams++
		} else {
			u.running++
		}
	}
	u.fullAt = now.Add(missing)
	v.Remaining, v.Reset = int((capacity-missing)/price), missing
	return v
}

// End ends a call that was not refused.
func (c *Calls) End(organizationID string, stream bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if u := c.organizations[organizationID]; stream {
		u.streams--
	} else {
		u.running--
	}
}

// forget drops full buckets first, then any without calls under way. It drops many at
// once, because it reads all of them.
func (c *Calls) forget(now time.Time) {
	for id, u := range c.organizations {
		if u.idle() && !u.fullAt.After(now) {
			delete(c.organizations, id)
		}
	}
	for id, u := range c.organizations {
		if len(c.organizations) < maxOrganizations*7/8 {
			return
		}
		if u.idle() {
			delete(c.organizations, id)
		}
	}
}

func (u *usage) idle() bool { return u.running == 0 && u.streams == 0 }
