package fair

import "time"

// asked remembers who asked for slots: the last one, and when another one asked.
type asked struct {
	last          string
	lastAt, other time.Time
}

func (a *asked) record(id string, now time.Time) {
	if id != a.last {
		a.other, a.last = a.lastAt, id
	}
	a.lastAt = now
}

// byOthers is when another one than id asked last.
func (a *asked) byOthers(id string) time.Time {
	if id == a.last {
		return a.other
	}
	return a.lastAt
}

// used reports whether an organization, or its partner, has all slots that it may have now.
func (s *Slots) used(of *partner, one *organization, now time.Time) bool {
	share, most := s.sizes.Partner.Alone, s.sizes.Organization.Alone
	// guard: slots: a partner borrows only while no other has work
	if othersWait(s.queue, of) || s.recent(s.asked.byOthers(of.id), now) {
		share = s.sizes.Partner.Busy
	}
	// guard: slots: a client leaves the share of its partner to the other clients that have work
	if othersWait(of.queue, one) || s.recent(of.asked.byOthers(one.id), now) {
		most = min(s.sizes.Organization.Busy, max(1, share-1))
	}
	return of.held >= share || one.held >= most
}

// recent reports whether a moment is so recent that who asked then counts as having work.
func (s *Slots) recent(moment, now time.Time) bool {
	return s.sizes.Recent == 0 || now.Sub(moment) < s.sizes.Recent
}

// othersWait reports whether another one is in a queue.
func othersWait[T comparable](queue []T, one T) bool {
	return len(queue) > 1 || len(queue) == 1 && queue[0] != one
}
