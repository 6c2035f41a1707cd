package worker

import (
	"sync"
	"time"
)

// slotRelease limits how many slots batches without progress release while no batch ends. If one batch has lost its
// task, others use its slot. If no worker runs, further batches would only wait in Temporal, ahead of transactions that
// are accepted later.
type slotRelease struct {
	mu    sync.Mutex
	last  time.Time // when a batch last released its slot
	pause time.Duration
}

// allows reports whether a batch without progress releases its slot now. The first does so at once, each further one
// after a pause that doubles up to a minute. The end of a batch resets the pause; ended reports whether one has ended
// since.
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
