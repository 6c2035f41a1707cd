package main

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/cenkalti/backoff/v5"
	"go.temporal.io/api/serviceerror"
)

// repeatFor is how long a Temporal server may be away or too busy before a command gives up.
const repeatFor = 2 * time.Minute

// repeated calls do again while Temporal does not answer. A server that starts, or that is busy with a release, must
// not end the release. do may run twice, so its writes must allow that. Error: the last one of do.
func repeated(ctx context.Context, log *slog.Logger, do func() error) error {
	_, err := backoff.Retry(ctx, func() (struct{}, error) {
		err := do()
		if err != nil && !unanswered(err) {
			err = backoff.Permanent(err)
		}
		return struct{}{}, err
	}, backoff.WithMaxElapsedTime(repeatFor), backoff.WithNotify(func(err error, wait time.Duration) {
		log.WarnContext(ctx, "Temporal does not answer, trying again", "error", err, "wait", wait)
	}))
	return err
}

// unanswered reports whether an error of a call to Temporal says nothing about the request.
func unanswered(err error) bool {
	_, unavailable := errors.AsType[*serviceerror.Unavailable](err)
	_, late := errors.AsType[*serviceerror.DeadlineExceeded](err)
	_, exhausted := errors.AsType[*serviceerror.ResourceExhausted](err)
	return unavailable || late || exhausted || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, errTemporalAway)
}
