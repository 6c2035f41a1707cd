package service

import (
	"context"
	"time"

	"levy/contract/problem"
	"levy/models"
	"levy/service/limit"
)

// Limits are the quota of a caller and its state after a call. Every answer reports them.
type Limits struct {
	Rate     models.RateLimit
	Decision limit.Decision
}

// refusedPause is the delay of the answer to a call beyond the limits. A client that repeats at once can then do
// so only twenty times a second on a connection instead of a thousand times.
const refusedPause = 50 * time.Millisecond

// countCall counts a call against the limits of the organization that owns the key, or of the person.
// Event streams have a separate limit. Errors: *problem.Problem for a call beyond the limits.
func (s *Service) countCall(ctx context.Context, session *Session, op *Operation) error {
	c := &session.call
	payer, rate := c.Payer(), s.calls.Rate(c.Principal.RateLimit)
	v := s.calls.Begin(payer, rate, op.Stream)
	session.limits = Limits{rate, v}
	if v.Refused == "" {
		session.close = func() { s.calls.End(payer, op.Stream) }
		return nil
	}
	select {
	case <-time.After(refusedPause):
	case <-ctx.Done():
	}
	return problem.RateLimited("", v.Refused, v.Wait)
}
