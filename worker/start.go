package worker

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"levy/internal/failpoint"
	"levy/models"
)

// startTimeout bounds one start call and one call to the outbox. The SDK gives a
// try half of the time, so that one retry fits.
const startTimeout = 5 * time.Second

// batches starts batches and keeps the outbox informed; dispatcher and relay each
// have one.
type batches struct {
	by      string // dispatcher or relay
	starter Starter
	outbox  Outbox
	gate    *Gate
	metrics *Metrics
	log     *slog.Logger
}

// start starts a batch and marks its rows; it reports whether it is under way now.
// A failure is no loss: the rows stay in the outbox and the relay comes back to them.
func (b *batches) start(ctx context.Context, batchID string, refs []models.Ref) (started bool) {
	_ = failpoint.Hit("before_start")
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	began := time.Now()
	err := b.starter.Start(ctx, batchID, refs)
	if err == nil {
		err = failpoint.Hit("after_start_before_mark")
	}
	cancel()
	b.gate.report(err)
	b.metrics.startTime.Observe(time.Since(began).Seconds())
	b.metrics.batchSize.WithLabelValues(b.by).Observe(float64(len(refs)))
	switch {
	case err == nil:
		b.count("started")
		b.notify(
			ctx, "mark_started",
			func(ctx context.Context) error { return b.outbox.MarkStarted(ctx, batchID, refs) },
		)
	case errors.Is(err, ErrCompleted):
		b.count("completed")
		b.notify(ctx, "unassign", func(ctx context.Context) error { return b.outbox.Unassign(ctx, batchID) })
	default:
		b.count("failed")
		b.log.WarnContext(
			ctx, "batch not started", "by", b.by, "batch_id", batchID, "transactions", len(refs),
			"error", err.Error(),
		)
	}
	return err == nil
}

func (b *batches) notify(ctx context.Context, call string, do func(context.Context) error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), startTimeout)
	defer cancel()
	if err := do(ctx); err != nil {
		b.metrics.failedCalls.WithLabelValues(call).Inc()
		b.log.WarnContext(ctx, "outbox not updated", "call", call, "error", err.Error())
	}
}

func (b *batches) count(result string) { b.metrics.starts.WithLabelValues(b.by, result).Inc() }
