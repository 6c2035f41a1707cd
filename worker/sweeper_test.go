package worker

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/time/rate"
)

var errAway = errors.New("away")

func sweeperOf(due int, tell errand) *Sweeper {
	return &Sweeper{
		what: "records", tick: time.Hour, rows: 10, calls: 3, budget: rate.NewLimiter(rate.Inf, 1), log: slog.New(slog.DiscardHandler),
		due: errands(func(_ context.Context, limit int) ([]int, error) { return make([]int, min(due, limit)), nil },
			func(ctx context.Context, _ int) error { return tell(ctx) }),
	}
}

func TestSweep(t *testing.T) {
	t.Parallel()
	var told atomic.Int64
	count := func(context.Context) error { told.Add(1); return nil }

	require.False(t, sweeperOf(9, count).sweep(t.Context()), "all that was due is done")
	require.EqualValues(t, 9, told.Load())
	require.True(t, sweeperOf(30, count).sweep(t.Context()), "there may be more than one look takes")
	require.EqualValues(t, 19, told.Load())
}

func TestSweepGoesOnBehindWhatNeedsNothing(t *testing.T) {
	t.Parallel()
	s := sweeperOf(0, nil)
	s.due = func(_ context.Context, limit int) ([]errand, error) { return make([]errand, limit), nil }
	require.True(t, s.sweep(t.Context()), "others may wait behind those that were taken")
}

func TestSweepStopsWhenTemporalIsAway(t *testing.T) {
	t.Parallel()
	var tried atomic.Int64
	more := sweeperOf(10, func(context.Context) error { tried.Add(1); return errAway }).sweep(t.Context())
	require.False(t, more, "the next look waits for its time")
	require.LessOrEqual(t, tried.Load(), int64(4), "the calls under way, and what was handed over meanwhile")
}

func TestSweepEndsWhatItBegan(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	var ended atomic.Int64
	sweeperOf(3, func(ctx context.Context) error {
		stop()
		if ctx.Err() == nil {
			ended.Add(1)
		}
		return ctx.Err()
	}).sweep(ctx)
	require.Positive(t, ended.Load())
}
