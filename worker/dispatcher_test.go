package worker

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"levy/models"
	"levy/workflows"
)

var errDown = errors.New("connection refused")

// dispatching runs a dispatcher in a bubble with its own clock.
func dispatching(t *testing.T, starter *fakeStarter, do func(t *testing.T, s setup, outbox *fakeOutbox)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		outbox := newFakeOutbox()
		s := newSetup(starter, outbox)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go s.dispatcher.Run(ctx)
		do(t, s, outbox)
		cancel()
		synctest.Wait()
	})
}

func TestDispatcher(t *testing.T) {
	t.Parallel()

	t.Run("a single transaction starts at once and its row is marked", func(t *testing.T) {
		t.Parallel()
		starter := &fakeStarter{}
		dispatching(t, starter, func(t *testing.T, s setup, outbox *fakeOutbox) {
			began := time.Now()
			s.dispatcher.Offer(t.Context(), refOf("a", 1))
			synctest.Wait()
			starts := starter.all()
			require.Len(t, starts, 1)
			require.Equal(t, []models.Ref{refOf("a", 1)}, starts[0].refs)
			require.True(t, models.IsID(models.PrefixBatch, starts[0].batchID))
			require.Zero(t, starts[0].at.Sub(began))
			marked, _, _, _ := outbox.state()
			require.Equal(t, starts[0].refs, marked[starts[0].batchID])
		})
	})

	t.Run("what arrives while starts are in progress shares the next one", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			release := make(chan struct{})
			starter := &fakeStarter{start: func(context.Context, string, []models.Ref) error { <-release; return nil }}
			s := newSetup(starter, newFakeOutbox())
			ctx, cancel := context.WithCancel(t.Context())
			go s.dispatcher.Run(ctx)
			for i := range openBatches {
				s.dispatcher.Offer(ctx, refOf("a", i))
				pass(openBatches * gatherFor)
			}
			for i := range 20 {
				s.dispatcher.Offer(ctx, refOf(fmt.Sprintf("org_%d", i%3), 100+i))
			}
			synctest.Wait()
			require.Len(t, starter.all(), openBatches, "no more calls than slots")
			close(release)
			synctest.Wait()
			require.Len(t, starter.all(), openBatches+1)
			require.Len(t, starter.all()[openBatches].refs, 20)
			cancel()
			synctest.Wait()
		})
	})

	t.Run("batches grow while others are in progress", func(t *testing.T) {
		t.Parallel()
		const duration = 300 * time.Millisecond
		starter := &fakeStarter{wait: func(context.Context, string) error { time.Sleep(duration); return nil }}
		dispatching(t, starter, func(t *testing.T, s setup, _ *fakeOutbox) {
			const offers = 2000
			for i := range offers { // one offer each millisecond
				s.dispatcher.Offer(t.Context(), refOf("a", i))
				time.Sleep(time.Millisecond)
			}
			pass(time.Second)
			require.Len(t, starter.refs(), offers)
			require.LessOrEqual(
				t, len(starter.all()), openBatches*int(3*time.Second/duration), "no more than so many at a time",
			)
		})
	})

	t.Run("the next batch waits for more while others are in progress, unless it is full", func(t *testing.T) {
		t.Parallel()
		var end chan struct{}
		starter := &fakeStarter{wait: func(ctx context.Context, _ string) error {
			select {
			case <-end:
			case <-ctx.Done():
			}
			return ctx.Err()
		}}
		dispatching(t, starter, func(t *testing.T, s setup, _ *fakeOutbox) {
			end = make(chan struct{})
			offer := func(n int) {
				for i := range n {
					s.dispatcher.Offer(t.Context(), refOf("a", i))
				}
				synctest.Wait()
			}
			offer(1)
			require.Len(t, starter.all(), 1, "nothing is in progress")
			offer(1)
			pass(gatherFor / 2)
			offer(1)
			require.Len(t, starter.all(), 1)
			pass(gatherFor / 2)
			require.Len(t, starter.all(), 2)
			require.Len(t, starter.all()[1].refs, 2)
			offer(1)
			pass(gatherFor)
			require.Len(t, starter.all(), 2, "two are in progress")
			offer(workflows.MaxBatch)
			require.Len(t, starter.all(), 3, "it is full")
			end <- struct{}{}
			end <- struct{}{}
			end <- struct{}{}
			synctest.Wait()
			require.Len(t, starter.all(), 4, "all have ended")
			require.Len(t, starter.refs(), 1+2+1+workflows.MaxBatch)
		})
	})

	t.Run("a batch that does not end holds others up for seconds only", func(t *testing.T) {
		t.Parallel()
		starter := &fakeStarter{wait: func(ctx context.Context, _ string) error { <-ctx.Done(); return ctx.Err() }}
		dispatching(t, starter, func(t *testing.T, s setup, _ *fakeOutbox) {
			for i := range openBatches {
				s.dispatcher.Offer(t.Context(), refOf("a", i))
				pass(openBatches * gatherFor)
			}
			pass(openAtMost)
			s.dispatcher.Offer(t.Context(), refOf("a", 100))
			synctest.Wait()
			require.Len(t, starter.all(), openBatches+1)
		})
	})

	t.Run("what comes after batches of a dead worker leaves within a second", func(t *testing.T) {
		t.Parallel()
		starter := &fakeStarter{wait: func(ctx context.Context, _ string) error { <-ctx.Done(); return ctx.Err() }}
		dispatching(t, starter, func(t *testing.T, s setup, _ *fakeOutbox) {
			for i := range openBatches {
				s.dispatcher.Offer(t.Context(), refOf("a", i))
				pass(time.Duration(i+1) * gatherFor)
			}
			require.Len(t, starter.all(), openBatches)
			s.dispatcher.Offer(t.Context(), refOf("a", 100))
			pass(releaseSlotAfter / 2)
			require.Len(t, starter.all(), openBatches, "a batch has its time")
			pass(releaseSlotAfter / 2)
			require.Len(t, starter.all(), openBatches+1)
			s.dispatcher.Offer(t.Context(), refOf("a", 101))
			pass(releaseSlotAfter / 2)
			require.Len(t, starter.all(), openBatches+1, "one gave its place, no more")
		})
	})

	t.Run("an offer to a full queue is left to the relay", func(t *testing.T) {
		t.Parallel()
		s := newSetup(&fakeStarter{}, newFakeOutbox()) // the dispatcher does not run
		for i := range maxQueued + 5 {
			s.dispatcher.Offer(t.Context(), refOf("a", i))
		}
		require.InDelta(t, 5, testutil.ToFloat64(s.metrics.offers.WithLabelValues(offerFull)), 0)
		require.InDelta(t, maxQueued, testutil.ToFloat64(s.metrics.queued), 0)
	})

	t.Run("after five failed starts offers are left to the relay until a start succeeds", func(t *testing.T) {
		t.Parallel()
		var down atomic.Bool
		down.Store(true)
		starter := &fakeStarter{}
		starter.start = func(context.Context, string, []models.Ref) error {
			if down.Load() {
				return errDown
			}
			return nil
		}
		dispatching(t, starter, func(t *testing.T, s setup, outbox *fakeOutbox) {
			for i := range breakerThreshold {
				require.Equal(t, breakerClosed, s.breaker.current())
				s.dispatcher.Offer(t.Context(), refOf("a", i))
				synctest.Wait()
			}
			require.Equal(t, breakerOpen, s.breaker.current())
			s.dispatcher.Offer(t.Context(), refOf("a", 100))
			synctest.Wait()
			require.Len(t, starter.all(), breakerThreshold)
			marked, _, _, _ := outbox.state()
			require.Empty(t, marked)
			require.InDelta(t, 1, testutil.ToFloat64(s.metrics.breakerOpen), 0)

			down.Store(false)
			s.relay.check(t.Context()) // it probes
			require.Equal(t, breakerHalfOpen, s.breaker.current())
			s.dispatcher.Offer(t.Context(), refOf("a", 101))
			synctest.Wait()
			require.Equal(t, breakerClosed, s.breaker.current())
			require.Len(t, starter.all(), breakerThreshold+1)
		})
	})

	t.Run("draining loses no offer and refuses new ones", func(t *testing.T) {
		t.Parallel()
		starter := &fakeStarter{start: func(context.Context, string, []models.Ref) error {
			time.Sleep(50 * time.Millisecond)
			return nil
		}}
		synctest.Test(t, func(t *testing.T) {
			s := newSetup(starter, newFakeOutbox())
			const offers = 3 * workflows.MaxBatch
			for i := range offers {
				s.dispatcher.Offer(t.Context(), refOf(fmt.Sprintf("org_%d", i%7), i))
			}
			go s.dispatcher.Run(t.Context())
			require.NoError(t, s.dispatcher.Drain(t.Context()))
			require.Len(t, starter.refs(), offers)
			s.dispatcher.Offer(t.Context(), refOf("a", 1))
			require.InDelta(t, 1, testutil.ToFloat64(s.metrics.offers.WithLabelValues(offerDraining)), 0)
		})
	})

	t.Run("draining ends with its time", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			starter := &fakeStarter{start: func(ctx context.Context, _ string, _ []models.Ref) error {
				<-ctx.Done() // it returns when its time is over
				return ctx.Err()
			}}
			s := newSetup(starter, newFakeOutbox())
			s.dispatcher.Offer(t.Context(), refOf("a", 1))
			go s.dispatcher.Run(t.Context())
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			require.ErrorIs(t, s.dispatcher.Drain(ctx), context.DeadlineExceeded)
			time.Sleep(startTimeout)
			synctest.Wait()
		})
	})
}

func TestDispatcherTrace(t *testing.T) {
	t.Parallel()
	spans := tracetest.NewSpanRecorder()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans))
	tracer := provider.Tracer("test")
	starter := &fakeStarter{}
	s := newSetup(starter, newFakeOutbox())
	dispatcher := NewDispatcher(s.batches(starter, newFakeOutbox()), tracer)

	first, span1 := tracer.Start(t.Context(), "POST 1")
	second, span2 := tracer.Start(t.Context(), "POST 2")
	dispatcher.Offer(first, refOf("a", 1))
	dispatcher.Offer(second, refOf("a", 2))
	go dispatcher.Run(t.Context())
	require.NoError(t, dispatcher.Drain(t.Context()))

	require.Len(t, spans.Ended(), 1)
	dispatch := spans.Ended()[0]
	require.Equal(t, span1.SpanContext().SpanID(), dispatch.Parent().SpanID())
	require.Len(t, dispatch.Links(), 1)
	require.Equal(t, span2.SpanContext().SpanID(), dispatch.Links()[0].SpanContext.SpanID())
	require.Equal(
		t, dispatch.SpanContext().SpanID(), starter.all()[0].span.SpanID(),
		"the start call belongs to the trace",
	)
}
