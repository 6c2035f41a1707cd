package pg

import (
	"context"
	"log/slog"
	"time"
)

// failurePause is the least pause after a failure. The database is mostly down then, so there is no hurry.
const failurePause = 10 * time.Second

// Repeat calls step until ctx ends: again at once if it returned more, else after a pause. The log names the work that
// failed and the error.
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
