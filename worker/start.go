package worker

import (
	"context"
	"log/slog"
	"time"

	"levy/internal/failpoint"
	"levy/models"
	"levy/workflows"
)

// startTimeout bounds a start call, and a call to the outbox. The SDK gives an attempt half of it, so one retry fits.
const startTimeout = 5 * time.Second

// Batches starts batches and records in the outbox how they go. The dispatcher and the relays of a process share its
// breaker.
type Batches struct {
	Starter Starter
	Outbox  Outbox
	Breaker *CircuitBreaker
	Metrics *Metrics
	Log     *slog.Logger

	by string // dispatcher, relay or background
}

// start starts a batch and reports whether it is in progress. It marks the rows of the batch, unless they are marked.
// After a failure the rows stay in the outbox, and the relay starts them later.
func (b *Batches) start(
	ctx context.Context, batchID string, refs []models.Ref, urgency workflows.Urgency, marked bool,
) (started bool) {
	_ = failpoint.Hit("before_start")
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	began := time.Now()
	err := b.Starter.Start(ctx, batchID, refs, urgency)
	if err == nil {
		err = failpoint.Hit("after_start_before_mark")
	}
	cancel()
	b.Breaker.recordCall(err)
	b.Metrics.startTime.Observe(time.Since(began).Seconds())
	b.Metrics.batchSize.WithLabelValues(b.by).Observe(float64(len(refs)))
	if err != nil {
		b.count("failed")
		b.Log.WarnContext(
			ctx, "batch not started", "by", b.by, "batch_id", batchID, "transactions", len(refs), "error", err.Error(),
		)
		return false
	}
	b.count("started")
	if !marked {
		b.notify(
			ctx, "mark_started",
			func(ctx context.Context) error { return b.Outbox.MarkStarted(ctx, batchID, refs) },
		)
	}
	return true
}

// wait returns when a batch has ended. If it was ended from outside, its remaining rows become due at once. If it
// failed, its rows keep their pause, because an outage has lasted longer than a batch can wait. Errors: those of ctx
// and of Temporal.
func (b *Batches) wait(ctx context.Context, batchID string, refs []models.Ref) error {
	lost, err := b.Starter.Wait(ctx, batchID)
	if err != nil {
		return err
	}
	if !lost {
		b.Breaker.recordProgress()
		return nil
	}
	b.Log.WarnContext(ctx, "batch was ended from outside", "batch_id", batchID, "transactions", len(refs))
	rows := make([]models.OutboxRow, len(refs))
	for i, ref := range refs {
		rows[i] = models.OutboxRow{Ref: ref, BatchID: batchID}
	}
	b.release(ctx, rows)
	return nil
}

// release makes rows of a batch due.
func (b *Batches) release(ctx context.Context, rows []models.OutboxRow) {
	b.notify(ctx, "release", func(ctx context.Context) error { return b.Outbox.Release(ctx, rows) })
}

// notify makes a call to the outbox. It goes on after ctx has ended, and logs and counts a failure.
func (b *Batches) notify(ctx context.Context, call string, do func(context.Context) error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), startTimeout)
	defer cancel()
	if err := do(ctx); err != nil {
		b.Metrics.failedCalls.WithLabelValues(call).Inc()
		b.Log.WarnContext(ctx, "outbox not updated", "call", call, "error", err.Error())
	}
}

// count counts a start call by its result.
func (b *Batches) count(result string) { b.Metrics.starts.WithLabelValues(b.by, result).Inc() }
