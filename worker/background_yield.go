package worker

import (
	"context"
	"sync"
	"time"

	"go.temporal.io/sdk/interceptor"

	"levy/activities"
	"levy/workflows"
)

const (
	// recentFor is the time after the start of a stage of recent transactions in which background stages work in parts.
	recentFor = time.Second
	// betweenStages is the time after a stage in which recent transactions still count as in progress. Their next stage
	// comes through Temporal.
	betweenStages = 60 * time.Millisecond
	// maxPartWaits bounds the wait before a part, as a multiple of the duration of the last part. So background work
	// gets at least a quarter of the time of its slots under any load.
	maxPartWaits = 3
	// maxStageWait bounds all waits of a stage, so that the stage stays well within its time limit.
	maxStageWait = 3 * time.Second
)

// backgroundYield makes background stages wait while recent transactions are in progress. A stage of a large batch
// keeps a CPU busy, here or in the database. The stages of a single transaction need it often, for a short time.
type backgroundYield struct {
	mu     sync.Mutex
	recent int           // stages of recent transactions in progress
	idle   chan struct{} // closed when no such stage is in progress any more
	began  time.Time     // when the last such stage began
	ended  time.Time     // when the last such stage ended
	took   time.Duration // duration of the last part of a background stage
}

// newBackgroundYield returns the state that the workers of a process share.
func newBackgroundYield() *backgroundYield { return &backgroundYield{idle: make(chan struct{})} }

// of returns the interceptors for the worker of a task queue.
func (y *backgroundYield) of(queue string) []interceptor.WorkerInterceptor {
	switch queue {
	case workflows.TransactionsQueue, workflows.BackgroundQueue:
		return []interceptor.WorkerInterceptor{&yieldingWorker{of: y, queue: queue}}
	}
	return nil
}

type yieldingWorker struct {
	interceptor.WorkerInterceptorBase
	of    *backgroundYield
	queue string
}

func (w *yieldingWorker) InterceptActivity(
	_ context.Context, next interceptor.ActivityInboundInterceptor,
) interceptor.ActivityInboundInterceptor {
	return &yieldingActivity{ActivityInboundInterceptorBase: interceptor.ActivityInboundInterceptorBase{Next: next}, of: w}
}

type yieldingActivity struct {
	interceptor.ActivityInboundInterceptorBase
	of *yieldingWorker
}

// ExecuteActivity executes an activity. A background activity works in parts between stages of recent transactions.
func (a *yieldingActivity) ExecuteActivity(
	ctx context.Context, in *interceptor.ExecuteActivityInput,
) (result any, err error) {
	y := a.of.of
	if a.of.queue == workflows.BackgroundQueue {
		t := &pacer{of: y}
		defer t.end()
		return a.Next.ExecuteActivity(activities.WithPacer(ctx, t), in)
	}
	y.begin()
	defer y.end()
	return a.Next.ExecuteActivity(ctx, in)
}

// begin records the start of a stage of recent transactions.
func (y *backgroundYield) begin() {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.recent++
	y.began = time.Now()
}

// end records the end of such a stage.
func (y *backgroundYield) end() {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.recent--
	y.ended = time.Now()
	if y.recent == 0 {
		close(y.idle)
		y.idle = make(chan struct{})
	}
}

// quiet returns how to wait for the end of recent transactions. The caller waits until idle is closed, or for a pause
// in which their next stage may begin. idle is nil if no recent transaction is in progress.
func (y *backgroundYield) quiet() (idle <-chan struct{}, pause time.Duration) {
	y.mu.Lock()
	defer y.mu.Unlock()
	if y.recent > 0 {
		return y.idle, maxStageWait
	}
	if pause = betweenStages - time.Since(y.ended); pause > 0 {
		return y.idle, pause
	}
	return nil, 0
}

// wait returns when no recent transaction is in progress, when ctx ends, or after atMost.
func (y *backgroundYield) wait(ctx context.Context, atMost time.Duration) {
	timeout := time.NewTimer(atMost)
	defer timeout.Stop()
	for {
		idle, pause := y.quiet()
		if idle == nil {
			return
		}
		select {
		case <-idle:
		case <-time.After(pause):
		case <-timeout.C:
			return
		case <-ctx.Done():
			return
		}
	}
}

// pacer makes one background stage wait before its parts.
type pacer struct {
	of     *backgroundYield
	began  time.Time // start of the part in progress; zero before the first
	waited time.Duration
}

// Next waits before the next part of the stage. It reports whether the rest of the stage may be one part: no stage of
// recent transactions has begun lately. It implements activities.Pacer.
func (t *pacer) Next(ctx context.Context) (all bool) {
	now := time.Now()
	t.end()
	t.of.mu.Lock()
	atMost := min(maxPartWaits*t.of.took, maxStageWait-t.waited)
	t.of.mu.Unlock()
	// guard: background: a part waits for what was just sent
	if atMost > 0 {
		t.of.wait(ctx, atMost)
	}
	t.began = time.Now()
	t.waited += t.began.Sub(now)
	t.of.mu.Lock()
	defer t.of.mu.Unlock()
	return time.Since(t.of.began) >= recentFor
}

// end records the duration of the part in progress.
func (t *pacer) end() {
	if t.began.IsZero() {
		return
	}
	t.of.mu.Lock()
	defer t.of.mu.Unlock()
	t.of.took = time.Since(t.began)
}
