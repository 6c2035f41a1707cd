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

// Why somebody got no place.
var (
	ErrShareUsed = errors.New("the partner has all places that it may have")
	ErrFull      = errors.New("others have all places")
)

// Sizes say how many places there are.
type Sizes struct {
	Total  int           // that are held at a time
	One    int           // of one partner, while others have work
	Alone  int           // of one partner while nobody else has; never less than One
	Waits  time.Duration // how long somebody waits for one
	Recent time.Duration // how long ago others count as having work; 0 never
}

// Places are held by partners. Whoever finds none free waits in its partner's line, and the lines
// take turns: a partner with a hundred who wait is served as often as one with a single one.
type Places struct {
	sizes Sizes
	now   func() time.Time

	mu       sync.Mutex
	held     int
	partners map[string]*partner
	turns    []*partner // those with a line, next first
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
		p.turns = append(p.turns, of)
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
		p.turns = slices.DeleteFunc(p.turns, func(o *partner) bool { return o == of })
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

// Give gives a place back, to whoever is next.
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

// serve lets in who may: the first of each line, line after line.
func (p *Places) serve() {
	for i := 0; i < len(p.turns) && p.held < p.sizes.Total; {
		of := p.turns[i]
		if of.held >= p.share(of.id) {
			i++
			continue
		}
		close(of.waiting[0])
		of.waiting = of.waiting[1:]
		of.held++
		p.held++
		p.turns = slices.Delete(p.turns, i, i+1)
		if len(of.waiting) > 0 {
			p.turns = append(p.turns, of)
		}
	}
}

// forget drops a partner that neither holds nor waits for anything.
func (p *Places) forget(of *partner) {
	if of.held == 0 && len(of.waiting) == 0 {
		delete(p.partners, of.id)
	}
}

// note remembers who has work.
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
	if len(p.turns) > 1 || p.now().Sub(others) < p.sizes.Recent {
		return p.sizes.One
	}
	return p.sizes.Alone
}
