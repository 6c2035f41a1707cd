package limit

import (
	"sync"
	"time"
)

// maxFailureMemory is the most addresses, and the most accounts, in memory.
const maxFailureMemory = 1 << 16

// windows count the failures of addresses or accounts. The window of each opens with its first failure.
type windows[K comparable] struct {
	now   func() time.Time
	most  int           // failures in a window
	lasts time.Duration // of a window
	mu    sync.Mutex
	known map[K]failures
}

type failures struct {
	until   time.Time
	count   int
	lookUps int // reads of unknown keys after the last allowed failure
}

// of returns the open window of one, or a new one. The caller holds the lock.
func (w *windows[K]) of(one K, now time.Time) failures {
	f, known := w.known[one]
	if known && now.Before(f.until) {
		return f
	}
	if !known && len(w.known) >= maxFailureMemory {
		forget(w.known, now)
	}
	return failures{until: now.Add(w.lasts)}
}

// try counts a failure before the work that shows whether it is one, so that many at once are no more than many in turn.
// giveBack takes it back, once. wait is the time until a window with too many failures closes, and nothing counts; 0 for
// an admitted attempt.
func (w *windows[K]) try(one K) (giveBack func(), wait time.Duration) {
	now := w.now()
	w.mu.Lock()
	defer w.mu.Unlock()
	f := w.of(one, now)
	// guard: sign-in: attempts count before they are tried
	if f.count >= w.most {
		return nil, f.until.Sub(now)
	}
	f.count++
	w.known[one] = f
	return func() { w.giveBack(one, f.until) }, 0
}

// giveBack takes back a failure of the window that closes at a time.
func (w *windows[K]) giveBack(one K, until time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if f, known := w.known[one]; known && f.until.Equal(until) {
		f.count--
		w.known[one] = f
	}
}

// forget drops closed windows first, then others. It drops many at once, because it reads all of them.
func forget[K comparable](known map[K]failures, now time.Time) {
	for who, f := range known {
		if !now.Before(f.until) {
			delete(known, who)
		}
	}
	for who := range known {
		if len(known) < maxFailureMemory*7/8 {
			return
		}
		delete(known, who)
	}
}
