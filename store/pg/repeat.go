package pg

import (
	"context"
	"time"
)

// awayPause is the least pause after a failure: the database is away, it is no hurry.
const awayPause = 10 * time.Second

// Repeat does a step again and again until ctx ends: at once when there may be more,
// after a pause otherwise.
func Repeat(ctx context.Context, pause time.Duration, step func(context.Context) (more bool, err error)) {
	for {
		more, err := step(ctx)
		wait := pause
		switch {
		case err != nil:
			wait = max(pause, awayPause)
		case more && ctx.Err() == nil:
			continue
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
	}
}
