package limit

import (
	"sync"
	"time"
)

// Sizes are the parts of a limited resource. An organization has its part for each partner whose keys ask for it.
type Sizes struct {
	Total        int64
	Partner      int64 // of a partner and its clients, while other partners ask
	Alone        int64 // of a partner while no other asks; the rest stays for one that may ask
	Organization int64
}

// othersAsk is how long a partner that asked for a resource counts as one that asks.
const othersAsk = time.Minute

// Shares divide a resource of limited size: first between organizations, then between partners. A client that takes all
// that it may leaves the share of its partner to the other clients. A partner borrows idle slots, and gets none beyond
// its part any more once another partner asks.
type Shares struct {
	sizes Sizes
	now   func() time.Time

	mu            sync.Mutex
	held          int64
	partners      map[string]*partnerShare
	organizations map[holder]int64 // without zeros
}

type holder struct{ partner, organization string }

type partnerShare struct {
	held  int64
	asked time.Time // last
}

// NewShares returns the shares of a resource; now is the clock.
func NewShares(sizes Sizes, now func() time.Time) *Shares {
	return &Shares{sizes: sizes, now: now, partners: map[string]*partnerShare{}, organizations: map[holder]int64{}}
}

// TryAcquire takes n of the resource for an organization until the caller calls release, once. It does not wait.
// ok is false if too little is left of the resource, or of the share of the partner or the organization.
func (s *Shares) TryAcquire(partner, organization string, n int64) (release func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now, most := s.now(), s.sizes.Alone
	for id, p := range s.partners {
		switch {
		case p.held == 0 && now.Sub(p.asked) >= othersAsk:
			delete(s.partners, id)
		case id != partner:
			most = s.sizes.Partner
		}
	}
	of := s.partners[partner]
	if of == nil {
		of = &partnerShare{}
		s.partners[partner] = of
	}
	of.asked = now
	who := holder{partner, organization}
	if s.held+n > s.sizes.Total {
		return nil, false
	}
	// guard: shares: a client leaves the share of its partner to the other clients
	if s.organizations[who]+n > s.sizes.Organization {
		return nil, false
	}
	// guard: shares: a partner borrows only while no other asks
	if of.held+n > most {
		return nil, false
	}
	s.add(of, who, n)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.add(of, who, -n)
	}, true
}

func (s *Shares) add(of *partnerShare, who holder, n int64) {
	s.held += n
	of.held += n
	if s.organizations[who] += n; s.organizations[who] == 0 {
		delete(s.organizations, who)
	}
}
