// Package limit bounds the calls and the work of organizations and clients in one process. It limits calls per minute, which
// processes hold together, calls under way, concurrent work, and shares of common resources.
package limit

import (
	"sync"
	"time"

	"levy/models"
)

// Config bounds the use of this process by the keys of one organization. Zero values mean the contract's limits.
type Config struct {
	Rate       models.RateLimit // for organizations without their own; 10,000 a minute, 500 at once
	Concurrent int              // calls under way; 200
	Streams    int              // open event streams; 20
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

// maxOrganizations bounds the organizations in memory.
const maxOrganizations = 1 << 16

// Calls limits the rate of the calls of every organization that owns keys, and its calls under way.
//
// The rate is limited by the generic cell rate algorithm. rate.Limiter of golang.org/x/time does not provide three
// things. Callers learn how many calls remain and when their bucket is full. A changed limit applies at once
// to past calls. A call that another limit refuses costs nothing. These decisions need one consistent state under one
// lock.
type Calls struct {
	config        Config
	now           func() time.Time
	mu            sync.Mutex
	organizations map[string]*usage
	others        map[string]models.ProcessCalls // the last reports of other processes
	sharedAt      time.Time                      // when they came
	minute        time.Time                      // when the current minute of the counts began
}

// usage is the state of one organization. Instead of tokens it has the time at which its bucket is full again.
// Each call moves that time by the price of a call, so the time from now until then is the used part.
type usage struct {
	fullAt           time.Time
	running, streams int
	price, capacity  time.Duration // at the last call
	debt             time.Duration // by how much other processes emptied the bucket beyond its capacity, at most
	counts           counts
}

// NewCalls returns the limits of a process.
func NewCalls(config Config, now func() time.Time) *Calls {
	return &Calls{config: config.orDefault(), now: now, organizations: map[string]*usage{}}
}

// Rate returns the limit of an organization; own is nil for one without its own limit.
func (c *Calls) Rate(own *models.RateLimit) models.RateLimit {
	if own != nil {
		return *own
	}
	return c.config.Rate
}

// These are the names of the limits in the contract.
const (
	Rate        = "rate"
	Concurrency = "concurrency"
)

// Decision admits or refuses a call and reports the remaining quota.
type Decision struct {
	Refused   string // Rate or Concurrency; empty for an admitted call
	Remaining int
	Reset     time.Duration // until the bucket is full
	Wait      time.Duration // until a repeat of a refused call may succeed
}

// Begin counts a call of an organization. The caller ends an admitted call with End.
func (c *Calls) Begin(organizationID string, rate models.RateLimit, stream bool) Decision {
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
	missing := u.missing(now, capacity)
	u.counts.pass(now, u.running)
	v := Decision{}
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
	u.fullAt, u.price, u.capacity = now.Add(missing), price, capacity
	u.counts.call(v.Refused != "")
	v.Remaining, v.Reset = int(max(0, capacity-missing)/price), missing
	return v
}

// missing is what a bucket lacks: all of it at most, also if the limit has been reduced, and the debt.
func (u *usage) missing(now time.Time, capacity time.Duration) time.Duration {
	missing := max(0, u.fullAt.Sub(now))
	u.debt = min(u.debt, max(0, missing-capacity))
	return min(missing, capacity+u.debt)
}

// End ends an admitted call.
func (c *Calls) End(organizationID string, stream bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	u := c.organizations[organizationID]
	u.counts.pass(c.now(), u.running)
	if stream {
		u.streams--
	} else {
		u.running--
	}
}

// forget drops full buckets first, then others without calls under way. It drops many at once, because it reads all
// of them.
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
