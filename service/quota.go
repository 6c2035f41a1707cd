package service

import (
	"context"
	"time"

	"levy/contract/problem"
	"levy/models"
	"levy/service/limit"
)

// Limits are what a caller may still do, as every answer tells.
type Limits struct {
	Rate    models.RateLimit
	Verdict limit.Verdict
}

// refusedPause is how long a call beyond the limits waits for its answer. A client that repeats at once does so twenty
// times a second on a connection and not a thousand times, and leaves others the CPU.
const refusedPause = 50 * time.Millisecond

// countCall counts a call against the limits of the organization that owns the key, or of the person. An event stream
// counts apart from the calls. Errors: *problem.Problem for one beyond them.
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
