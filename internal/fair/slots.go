// Package fair divides slots, such as connections to the database, among partners. A partner that acquires as many as
// it can leaves the others their share.
package fair

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// ErrShareUsed and ErrFull say why a call got no slot.
var (
	ErrShareUsed = errors.New("the partner has all slots that it may have")
	ErrFull      = errors.New("others have all slots")
)

// Sizes say how many slots there are.
type Sizes struct {
	Total  int           // that are held at a time
	One    int           // of one partner, while others have work
	Alone  int           // of one partner while nobody else has; never less than One
	Waits  time.Duration // how long a call waits for one
	Recent time.Duration // how long ago others count as having work; 0 never
}

// Slots are held by partners. A call without a free slot waits in the queue of its partner. Queues are served
// round-robin: a partner with a hundred waiting calls is served as often as one with a single call.
type Slots struct {
	sizes Sizes
	now   func() time.Time

	mu       sync.Mutex
	held     int
	partners map[string]*partner
	queue    []*partner // those with waiting calls, next first
	last     string     // the partner that asked last, and when
	lastAt   time.Time
	other    time.Time // when another one than the last asked
}

type partner struct {
	id      string
	held    int
	waiting []chan struct{} // each is closed when its slot is free
}

// New makes slots; now is the clock.
func New(sizes Sizes, now func() time.Time) *Slots {
	sizes.Alone = max(sizes.Alone, sizes.One)
	return &Slots{sizes: sizes, now: now, partners: map[string]*partner{}}
}

// Acquire waits for a slot, which the caller has to release. Errors: ErrShareUsed or ErrFull if none was free in time;
// that of ctx.
func (p *Slots) Acquire(ctx context.Context, id string) error {
	p.mu.Lock()
	if p.sizes.Recent > 0 {
		p.record(id)
	}
	of := p.partners[id]
	if of == nil {
		of = &partner{id: id}
		p.partners[id] = of
	}
	if len(of.waiting) == 0 && of.held < p.share(id) && p.held < p.sizes.Total {
		of.held++
		p.held++
		p.mu.Unlock()
		return nil
	}
	free := make(chan struct{})
	if len(of.waiting) == 0 {
		p.queue = append(p.queue, of)
	}
	of.waiting = append(of.waiting, free)
	p.mu.Unlock()
	return p.wait(ctx, of, free)
}

func (p *Slots) wait(ctx context.Context, of *partner, free chan struct{}) error {
	timeout := time.NewTimer(p.sizes.Waits)
	defer timeout.Stop()
	select {
	case <-free:
		return nil
	case <-timeout.C:
	case <-ctx.Done():
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	at := slices.Index(of.waiting, free)
	if at < 0 { // it came at this moment
		return nil
	}
	of.waiting = slices.Delete(of.waiting, at, at+1)
	if len(of.waiting) == 0 {
		p.queue = slices.DeleteFunc(p.queue, func(o *partner) bool { return o == of })
	}
	own := of.held >= p.share(of.id)
	p.forget(of)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case own:
		return ErrShareUsed
	}
	return ErrFull
}

// Release releases a slot, for the next waiting call.
func (p *Slots) Release(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	of := p.partners[id]
	of.held--
	p.held--
	p.serve()
	p.forget(of)
}

// Held is how many slots a partner holds.
func (p *Slots) Held(id string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if of := p.partners[id]; of != nil {
		return of.held
	}
	return 0
}

// serve gives free slots to waiting calls: the first of each queue, round-robin.
func (p *Slots) serve() {
	for i := 0; i < len(p.queue) && p.held < p.sizes.Total; {
		of := p.queue[i]
		if of.held >= p.share(of.id) {
			i++
			continue
		}
		close(of.waiting[0])
		of.waiting = of.waiting[1:]
		of.held++
		p.held++
		p.queue = slices.Delete(p.queue, i, i+1)
		if len(of.waiting) > 0 {
			p.queue = append(p.queue, of)
		}
	}
}

// forget drops a partner that neither holds nor waits for anything.
func (p *Slots) forget(of *partner) {
	if of.held == 0 && len(of.waiting) == 0 {
		delete(p.partners, of.id)
	}
}

// record remembers that a partner has work.
func (p *Slots) record(id string) {
	now := p.now()
	if id != p.last {
		p.other, p.last = p.lastAt, id
	}
	p.lastAt = now
}

// share is how many slots a partner may hold now.
func (p *Slots) share(id string) int {
	if p.sizes.Recent == 0 {
		return p.sizes.One
	}
	others := p.lastAt
	if id == p.last {
		others = p.other
	}
	if len(p.queue) > 1 || p.now().Sub(others) < p.sizes.Recent {
		return p.sizes.One
	}
	return p.sizes.Alone
}
