package fair

import (
	"slices"
	"time"
)

// enqueue lets a call wait behind those of its organization.
func (s *Slots) enqueue(of *partner, one *organization, free chan struct{}) {
	if len(of.queue) == 0 {
		s.queue = append(s.queue, of)
	}
	if len(one.waiting) == 0 {
		of.queue = append(of.queue, one)
	}
	one.waiting = append(one.waiting, free)
}

// leave removes a waiting call; waited is false for one that has its slot.
func (s *Slots) leave(of *partner, one *organization, free chan struct{}) (waited bool) {
	at := slices.Index(one.waiting, free)
	if at < 0 {
		return false
	}
	one.waiting = slices.Delete(one.waiting, at, at+1)
	if len(one.waiting) == 0 {
		of.queue = slices.DeleteFunc(of.queue, func(o *organization) bool { return o == one })
	}
	if len(of.queue) == 0 {
		s.queue = slices.DeleteFunc(s.queue, func(o *partner) bool { return o == of })
	}
	return true
}

// serve gives free slots to waiting calls: of each partner in turn, and of its organizations in turn.
func (s *Slots) serve(now time.Time) {
	for i := 0; i < len(s.queue) && s.held < s.sizes.Total; {
		of := s.queue[i]
		if !s.serveOne(of, now) {
			i++
			continue
		}
		s.queue = slices.Delete(s.queue, i, i+1)
		if len(of.queue) > 0 {
			s.queue = append(s.queue, of)
		}
	}
}

// serveOne gives a free slot to the first call of a partner that may have one.
func (s *Slots) serveOne(of *partner, now time.Time) bool {
	at := slices.IndexFunc(of.queue, func(one *organization) bool { return !s.used(of, one, now) })
	if at < 0 {
		return false
	}
	one := of.queue[at]
	close(one.waiting[0])
	one.waiting = one.waiting[1:]
	s.take(of, one)
	of.queue = slices.Delete(of.queue, at, at+1)
	if len(one.waiting) > 0 {
		of.queue = append(of.queue, one)
	}
	return true
}
