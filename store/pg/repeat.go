package pg

import (
	"context"
	"log/slog"
	"time"
)

// failurePause is the least pause after a failure: the database is away, it is no hurry.
const failurePause = 10 * time.Second

// Repeat does a step of some work again and again until ctx ends: at once when there may be more,
// after a pause otherwise. The log says which work failed, and why.
func Repeat(ctx context.Context, work string, pause time.Duration, step func(context.Context) (more bool, err error)) {
	for {
		more, err := step(ctx)
		wait := pause
		switch {
		case err != nil:
			wait = max(pause, failurePause)
			if ctx.Err() == nil {
				slog.WarnContext(ctx, "background work failed; it is repeated", "work", work, "error", Translate(err).Error())
			}
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
