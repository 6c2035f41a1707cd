package worker

import (
	"sync"
	"time"
)

// slotRelease bounds the slots that batches without progress give back while no batch ends. Where one has lost its
// task others go on without it; where no worker runs, what would be started instead only waits in Temporal, before
// all that is accepted meanwhile.
type slotRelease struct {
	mu    sync.Mutex
	last  time.Time // when the last one gave its slot back
	pause time.Duration
}

// allows reports whether a batch without progress gives its slot back now: the first at once, each further one
// after a pause that doubles up to a minute, until a batch ends. ended says whether one has since a moment.
func (s *slotRelease) allows(now time.Time, ended func(since time.Time) bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ended(s.last) {
		s.pause = 0
	}
	// guard: relay: slots of batches without progress come back ever more slowly
	if now.Sub(s.last) < s.pause {
		return false
	}
	s.last, s.pause = now, min(max(2*s.pause, relayCheck), slotTime)
	return true
}
