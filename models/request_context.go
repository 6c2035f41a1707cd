package models

import "context"

// requestContext is the context of a request with its reach and its partner. It is one value instead of two, because
// each request has several such contexts.
type requestContext struct {
	context.Context

	reach   *Reach
	partner *Partner
}

// WithReachAndPartner returns the context of a part of a request, with the reach and the partner of the request.
func WithReachAndPartner(ctx context.Context, r *Reach, p *Partner) context.Context {
	return requestContext{ctx, r, p}
}

// Value returns the reach, the partner, or a value of the context within.
func (c requestContext) Value(key any) any {
	switch key.(type) {
	case reachKey:
		return c.reach
	case partnerKey:
		return c.partner
	}
	return c.Context.Value(key)
}
