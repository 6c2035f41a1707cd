package models

import (
	"context"
	"sync"
)

// Partner is the organization that an operation counts for: the root organization of its key, whichever of its clients
// calls. By it, and inside its share by client, the database counts the connections in use (see store/pg). Each operation
// has a Partner; work without one is that of the service itself.
type Partner struct {
	ID           string
	Organization string // that the operation is about; empty for none

	mu                  sync.Mutex
	inShare, additional int // numbers of connections: in a slot of its share, and additional ones
}

type partnerKey struct{}

// WithoutPartner returns the context for work for several requests at once.
func WithoutPartner(ctx context.Context) context.Context {
	return context.WithValue(ctx, partnerKey{}, (*Partner)(nil))
}

// PartnerOf returns the partner of a context; nil for none.
func PartnerOf(ctx context.Context) *Partner {
	p, _ := ctx.Value(partnerKey{}).(*Partner)
	return p
}

// HasConnection reports whether the operation has a connection already. Another one counts as additional,
// because it would otherwise wait for itself.
func (p *Partner) HasConnection() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.inShare > 0
}

// Acquired records that the operation has acquired a connection.
func (p *Partner) Acquired(additional bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if additional {
		p.additional++
	} else {
		p.inShare++
	}
}

// Released records that the request has released a connection. It reports whether that was an additional one;
// the connection in its share is released last.
func (p *Partner) Released() (additional bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.additional > 0 {
		p.additional--
		return true
	}
	p.inShare--
	return false
}
