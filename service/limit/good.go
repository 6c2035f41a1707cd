package limit

import "sync"

// Good remembers the hashes of the keys, sessions and links that were good when they were looked up last. What is
// refused is not remembered: it would push out the others.
type Good struct {
	mu     sync.RWMutex
	hashes map[string]bool
}

// NewGood makes the memory of a process.
func NewGood() *Good { return &Good{hashes: map[string]bool{}} }

// maxGood is how many hashes are remembered.
const maxGood = 10_000

// Has reports whether a hash is of one that was good.
func (g *Good) Has(hash []byte) bool {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return g.hashes[string(hash)]
}

// Add remembers one that was good.
func (g *Good) Add(hash []byte) {
	if g.Has(hash) { // as nearly always: without the write lock
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for other := range g.hashes { // any
		if len(g.hashes) < maxGood {
			break
		}
		delete(g.hashes, other)
	}
	g.hashes[string(hash)] = true
}

// Drop forgets one that is good no more.
func (g *Good) Drop(hash []byte) {
	if !g.Has(hash) {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.hashes, string(hash))
}
