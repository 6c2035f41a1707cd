package idempotency

import (
	"context"
)

// ForgetSomeAnswers removes answers whose time is over, once.
func (s *Store) ForgetSomeAnswers(ctx context.Context) int64 {
	removed, _ := s.forgetAnswers(ctx)
	return removed
}
