package people

import (
	"context"
	"net/netip"
	"slices"
	"sync"
)

// hashQueue bounds the hashes of passwords at once. Addresses take turns: one with many callers has no more turns than
// one with a single caller.
type hashQueue struct {
	mu      sync.Mutex
	free    int
	waiting map[netip.Addr][]chan struct{} // in their order, without empty ones
	turns   []netip.Addr                   // the addresses of those, the next one first
}

func newHashQueue(n int) *hashQueue {
	return &hashQueue{free: n, waiting: map[netip.Addr][]chan struct{}{}}
}

// acquire waits for a place. The caller releases it. Errors: that of ctx.
func (p *hashQueue) acquire(ctx context.Context, peer netip.Addr) error {
	p.mu.Lock()
	if p.free > 0 { // no call waits
		p.free--
		p.mu.Unlock()
		return nil
	}
	turn := make(chan struct{})
	if len(p.waiting[peer]) == 0 {
		p.turns = append(p.turns, peer)
	}
	p.waiting[peer] = append(p.waiting[peer], turn)
	p.mu.Unlock()
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
		p.leave(peer, turn)
		return ctx.Err()
	}
}

// leave ends the waiting of a caller, or passes on the place that the caller has got meanwhile.
func (p *hashQueue) leave(peer netip.Addr, turn chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := slices.Index(p.waiting[peer], turn)
	if at < 0 {
		p.pass()
		return
	}
	if p.waiting[peer] = slices.Delete(p.waiting[peer], at, at+1); len(p.waiting[peer]) == 0 {
		delete(p.waiting, peer)
		p.turns = slices.DeleteFunc(p.turns, func(other netip.Addr) bool { return other == peer })
	}
}

func (p *hashQueue) release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pass()
}

// pass gives a place to the first caller of the next address, or frees it.
func (p *hashQueue) pass() {
	if len(p.turns) == 0 {
		p.free++
		return
	}
	peer := p.turns[0]
	p.turns = p.turns[1:]
	turn := p.waiting[peer][0]
	if p.waiting[peer] = p.waiting[peer][1:]; len(p.waiting[peer]) == 0 {
		delete(p.waiting, peer)
	} else {
		// guard: sign-in: an address that had its turn goes behind the others
		p.turns = append(p.turns, peer)
	}
	close(turn)
}
