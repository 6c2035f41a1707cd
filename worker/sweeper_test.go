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

var errUnreachable = errors.New("unreachable")

func sweeperOf(due int, notify task) *Sweeper {
	return &Sweeper{
		kind: "records", tick: time.Hour, rows: 10, calls: 3, budget: rate.NewLimiter(
			rate.Inf, 1,
		), log: slog.New(slog.DiscardHandler),
		due: tasks(func(_ context.Context, limit int) ([]int, error) { return make([]int, min(due, limit)), nil },
			func(ctx context.Context, _ int) error { return notify(ctx) }),
	}
}

func TestSweep(t *testing.T) {
	t.Parallel()
	var notified atomic.Int64
	count := func(context.Context) error { notified.Add(1); return nil }

	require.False(t, sweeperOf(9, count).sweep(t.Context()), "all that was due is done")
	require.EqualValues(t, 9, notified.Load())
	require.True(t, sweeperOf(30, count).sweep(t.Context()), "there may be more than one lease takes")
	require.EqualValues(t, 19, notified.Load())
}

func TestSweepGoesOnBehindWhatNeedsNothing(t *testing.T) {
	t.Parallel()
	s := sweeperOf(0, nil)
	s.due = func(_ context.Context, limit int) ([]task, error) { return make([]task, limit), nil }
	require.True(t, s.sweep(t.Context()), "others may wait behind those that were taken")
}

func TestSweepStopsWhenTemporalIsDown(t *testing.T) {
	t.Parallel()
	var tried atomic.Int64
	more := sweeperOf(10, func(context.Context) error { tried.Add(1); return errUnreachable }).sweep(t.Context())
	require.False(t, more, "the next sweep waits for its time")
	require.LessOrEqual(t, tried.Load(), int64(6), "the calls in progress, and what was handed over meanwhile")
}

// A record whose workflow Temporal refuses to notify does not stop the others, which would be due with it each time. A
// workflow with too many signals is an example.
func TestSweepGoesOnAfterARecordThatIsRefused(t *testing.T) {
	t.Parallel()
	var tried atomic.Int64
	s := sweeperOf(10, func(context.Context) error {
		if tried.Add(1) == 1 {
			return errUnreachable
		}
		return nil
	})
	s.calls = 2
	require.False(t, s.sweep(t.Context()))
	require.EqualValues(t, 10, tried.Load())
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
