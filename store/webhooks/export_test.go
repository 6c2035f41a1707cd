package webhooks

import (
	"context"
	"time"
)

// OnPause calls a function instead of waiting.
func (s *Store) OnPause(do func()) {
	s.pause = func(context.Context, time.Duration) error {
		do()
		return nil
	}
}
