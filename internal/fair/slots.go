// Package fair divides places, such as connections to the database, among partners, so that one
// that takes all it can get leaves the others theirs.
package fair

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// ErrShareUsed and ErrFull say why a call got no place.
var (
	ErrShareUsed = errors.New("the partner has all places that it may have")
	ErrFull      = errors.New("others have all places")
)

// Sizes say how many places there are.
type Sizes struct {
	Total  int           // that are held at a time
	One    int           // of one partner, while others have work
	Alone  int           // of one partner while nobody else has; never less than One
	Waits  time.Duration // how long a call waits for one
	Recent time.Duration // how long ago others count as having work; 0 never
}

// Places are held by partners. A call without a free place waits in the queue of its partner. Queues are served
// round-robin: a partner with a hundred waiting calls is served as often as one with a single call.
type Places struct {
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
	waiting []chan struct{} // each is closed when its place is free
}

// New makes places; now is the clock.
func New(sizes Sizes, now func() time.Time) *Places {
	sizes.Alone = max(sizes.Alone, sizes.One)
	return &Places{sizes: sizes, now: now, partners: map[string]*partner{}}
}

// Take waits for a place, which has to be given back. Errors, when there was none for as long as it
// waits: ErrShareUsed, ErrFull; that of ctx.
func (p *Places) Take(ctx context.Context, id string) error {
	p.mu.Lock()
	if p.sizes.Recent > 0 {
		p.note(id)
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

func (p *Places) wait(ctx context.Context, of *partner, free chan struct{}) error {
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

// Give gives a place back, to the next waiting call.
func (p *Places) Give(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	of := p.partners[id]
	of.held--
	p.held--
	p.serve()
	p.forget(of)
}

// Held is how many places a partner holds.
func (p *Places) Held(id string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if of := p.partners[id]; of != nil {
		return of.held
	}
	return 0
}

// serve gives free places to waiting calls: the first of each queue, round-robin.
func (p *Places) serve() {
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
func (p *Places) forget(of *partner) {
	if of.held == 0 && len(of.waiting) == 0 {
		delete(p.partners, of.id)
	}
}

// note remembers that a partner has work.
func (p *Places) note(id string) {
	now := p.now()
	if id != p.last {
		p.other, p.last = p.lastAt, id
	}
	p.lastAt = now
}

// share is how many places a partner may hold now.
func (p *Places) share(id string) int {
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
