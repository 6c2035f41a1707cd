// Package fair divides slots, such as connections to the database, between organizations and their partners. One that
// acquires as many as it can leaves the others their share.
package fair

import (
	"context"
	"errors"
	"sync"
	"time"
)

// ErrShareUsed and ErrFull say why a call got no slot.
var (
	ErrShareUsed = errors.New("the organization or its partner has all slots that it may have")
	ErrFull      = errors.New("others have all slots")
)

// Sizes say how many slots there are.
type Sizes struct {
	Total        int           // that are held at a time
	Partner      Share         // of a partner with all its clients
	Organization Share         // of an organization, inside the share of its partner
	Waits        time.Duration // how long a call waits for one
	Recent       time.Duration // how long ago others count as having work; 0 for always
}

// Share is how many slots one may hold.
type Share struct {
	Busy  int // while others have work
	Alone int // while no other has; never less than Busy
}

// A Who holds a slot. It is an organization, in the share of its partner.
type Who struct{ Partner, Organization string }

// Slots are held by organizations. A call without a free slot waits in the queue of its organization. Partners are
// served in turn, and of each partner its organizations. One with a hundred waiting calls is served as often as one
// with a single call.
type Slots struct {
	sizes Sizes
	now   func() time.Time

	mu       sync.Mutex
	held     int
	partners map[string]*partner
	queue    []*partner // those with waiting calls, next first
	asked    asked      // by partners
}

type partner struct {
	id            string
	held          int
	organizations map[string]*organization
	queue         []*organization // those with waiting calls, next first
	asked         asked           // by its organizations
}

type organization struct {
	id      string
	held    int
	waiting []chan struct{} // each is closed when its slot is free
}

// New makes slots; now is the clock.
func New(sizes Sizes, now func() time.Time) *Slots {
	sizes.Partner.Alone = max(sizes.Partner.Alone, sizes.Partner.Busy)
	sizes.Organization.Alone = max(sizes.Organization.Alone, sizes.Organization.Busy)
	return &Slots{sizes: sizes, now: now, partners: map[string]*partner{}}
}

// Acquire waits for a slot, which the caller has to release. Errors: ErrShareUsed or ErrFull if none was free in time;
// that of ctx.
func (s *Slots) Acquire(ctx context.Context, who Who) error {
	s.mu.Lock()
	now := s.now()
	of, one := s.of(who, now)
	s.asked.record(who.Partner, now)
	of.asked.record(who.Organization, now)
	if len(one.waiting) == 0 && s.held < s.sizes.Total && !s.used(of, one, now) {
		s.take(of, one)
		s.mu.Unlock()
		return nil
	}
	free := make(chan struct{})
	s.enqueue(of, one, free)
	s.mu.Unlock()
	return s.wait(ctx, of, one, free)
}

// of returns the records of a partner and its organization.
func (s *Slots) of(who Who, now time.Time) (*partner, *organization) {
	of := s.partners[who.Partner]
	if of == nil {
		for _, idle := range s.partners {
			s.forget(idle, now)
		}
		of = &partner{id: who.Partner, organizations: map[string]*organization{}}
		s.partners[who.Partner] = of
	}
	one := of.organizations[who.Organization]
	if one == nil {
		one = &organization{id: who.Organization}
		of.organizations[who.Organization] = one
	}
	return of, one
}

func (s *Slots) take(of *partner, one *organization) {
	s.held++
	of.held++
	one.held++
}

func (s *Slots) wait(ctx context.Context, of *partner, one *organization, free chan struct{}) error {
	timeout := time.NewTimer(s.sizes.Waits)
	defer timeout.Stop()
	select {
	case <-free:
		return nil
	case <-timeout.C:
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.leave(of, one, free) { // its slot came at this moment
		return nil
	}
	now := s.now()
	used := s.used(of, one, now)
	s.drop(of, one, now)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case used:
		return ErrShareUsed
	}
	return ErrFull
}

// Release releases a slot, for the next waiting call.
func (s *Slots) Release(who Who) {
	s.mu.Lock()
	defer s.mu.Unlock()
	of := s.partners[who.Partner]
	one := of.organizations[who.Organization]
	one.held--
	of.held--
	s.held--
	now := s.now()
	s.serve(now)
	s.drop(of, one, now)
}

// Held is how many slots a partner holds.
func (s *Slots) Held(partner string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if of := s.partners[partner]; of != nil {
		return of.held
	}
	return 0
}

// drop drops an organization that neither holds nor waits for anything, and likewise its partner.
func (s *Slots) drop(of *partner, one *organization, now time.Time) {
	if one.held == 0 && len(one.waiting) == 0 {
		delete(of.organizations, one.id)
	}
	s.forget(of, now)
}

// forget drops a partner without organizations, once it does not matter any more which of them asked.
func (s *Slots) forget(of *partner, now time.Time) {
	if len(of.organizations) == 0 && now.Sub(of.asked.lastAt) >= s.sizes.Recent {
		delete(s.partners, of.id)
	}
}
