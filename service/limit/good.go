package limit

import "sync"

// Good stores the hashes of keys, sessions and links that were valid at their last use. It stores no refused ones,
// because they would evict valid ones.
type Good struct {
	mu     sync.RWMutex
	hashes map[string]bool
}

// NewGood returns an empty memory.
func NewGood() *Good { return &Good{hashes: map[string]bool{}} }

// maxGood is the largest number of hashes.
const maxGood = 10_000

// Has reports whether a hash is stored.
func (g *Good) Has(hash []byte) bool {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return g.hashes[string(hash)]
}

// Add stores a valid hash.
func (g *Good) Add(hash []byte) {
	if g.Has(hash) { // the usual case needs no write lock
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for other := range g.hashes { // any one
		if len(g.hashes) < maxGood {
			break
		}
		delete(g.hashes, other)
	}
	g.hashes[string(hash)] = true
}

// Drop removes a hash that is no longer valid.
func (g *Good) Drop(hash []byte) {
	if !g.Has(hash) {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.hashes, string(hash))
}
