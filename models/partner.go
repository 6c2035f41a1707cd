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

	mu           sync.Mutex
	held, beside int // connections: with a place of its share, and beside one that it has
}

type partnerKey struct{}

// WithPartner is the context of a request of a partner.
func WithPartner(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, partnerKey{}, &Partner{ID: id})
}

// SharedPartner is the context of another part of a request that has a partner.
func SharedPartner(ctx context.Context, p *Partner) context.Context {
	return context.WithValue(ctx, partnerKey{}, p)
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

// HasPlace reports whether the request has a connection already. Another one is counted beside it: it would wait
// for itself.
func (p *Partner) HasPlace() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.held > 0
}

// Took notes that the request takes a connection.
func (p *Partner) Took(beside bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if beside {
		p.beside++
	} else {
		p.held++
	}
}

// Gave notes that it has given one back, and says as what that counted: the last one is that of its share.
func (p *Partner) Gave() (beside bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.beside > 0 {
		p.beside--
		return true
	}
	p.held--
	return false
}
