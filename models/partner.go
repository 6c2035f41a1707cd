package models

import (
	"context"
	"sync"
)

// Partner is who a request is accounted to: the root organization of its key, whichever of its
// clients calls. The database counts by it the connections that are in use (see store/pg). There
// is one for each request; work without one is that of the service itself.
type Partner struct {
	ID string

	mu                  sync.Mutex
	connections, places int
}

type partnerKey struct{}

// WithPartner is the context of a request of a partner.
func WithPartner(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, partnerKey{}, &Partner{ID: id})
}

// WithoutPartner is the context for work that is done for many requests at once.
func WithoutPartner(ctx context.Context) context.Context {
	return context.WithValue(ctx, partnerKey{}, (*Partner)(nil))
}

// PartnerOf returns the partner of a context; nil for none.
func PartnerOf(ctx context.Context) *Partner {
	p, _ := ctx.Value(partnerKey{}).(*Partner)
	return p
}

// NeedsPlace reports whether the next connection of the request needs a place. Where it has one
// already the next one needs none: it would wait for others that wait for what it holds.
func (p *Partner) NeedsPlace() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.places == 0
}

// Took notes that the request has a connection, and whether with a place of its own.
func (p *Partner) Took(place bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.connections++
	if place {
		p.places++
	}
}

// Gave notes that the request has given a connection back. place says that a place is free, too.
func (p *Partner) Gave() (place bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.connections--
	if p.connections < p.places {
		p.places--
		return true
	}
	return false
}
