package main

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"go.temporal.io/api/serviceerror"
	sdkclient "go.temporal.io/sdk/client"
)

const (
	// askTemporalEvery is the pause between two attempts of a starting worker to reach Temporal.
	askTemporalEvery = time.Second
	// repeatReasonAfter is how long a worker is silent about a reason that it has given.
	repeatReasonAfter = time.Minute
)

// waitForTemporal tells in one sentence why a starting worker cannot use Temporal.
type waitForTemporal struct {
	dial func(context.Context) (sdkclient.Client, error)
	log  *slog.Logger
	now  func() time.Time
	wait func(context.Context, time.Duration) error // its error: that of the context
}

// run returns when Temporal answers, and the error of ctx when it ends before. It gives each reason once, and again after
// a minute. A server that does not allow to describe its namespace is told and used, because a worker needs no such right.
func (w waitForTemporal) run(ctx context.Context) error {
	reason, given := "", time.Time{}
	for {
		client, err := w.dial(ctx)
		if err == nil {
			client.Close()
			return nil
		}
		// guard: settings: a worker gives a reason once, and again after a minute
		if now := w.now(); err.Error() != reason || now.Sub(given) >= repeatReasonAfter {
			reason, given = err.Error(), now
			w.log.WarnContext(ctx, "the worker cannot use Temporal, and tries again", "reason", reason)
		}
		if _, denied := errors.AsType[*serviceerror.PermissionDenied](err); denied {
			return nil
		}
		if err := w.wait(ctx, askTemporalEvery); err != nil {
			return err
		}
	}
}

// pause waits for some time, or until ctx ends.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
