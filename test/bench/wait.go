package main

import (
	"context"
	"fmt"
	"time"
)

// until asks done again and again until it says yes. The error is that of done, or
// that limit passed.
func until(
	ctx context.Context, what string, every, limit time.Duration, done func(context.Context) (bool, error),
) error {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("%s: not after %s", what, limit))
	defer cancel()
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		ok, err := done(ctx)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil || ok {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-tick.C:
		}
	}
}
