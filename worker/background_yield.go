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
	// recentFor is how long after a stage of recent transactions began the background works in parts.
	recentFor = time.Second
	// betweenStages is how long recent transactions count as worked on after a stage: their next one comes by way
	// of Temporal.
	betweenStages = 60 * time.Millisecond
	// maxPartWaits bounds how long a part of the background waits, as a multiple of the time that the one before it took:
	// so the background has at least a quarter of the time of its places, however much is sent.
	maxPartWaits = 3
	// maxStageWait bounds how long all parts of a stage wait together, so that it stays well within its own time.
	maxStageWait = 3 * time.Second
)

// backgroundYield lets the background go on only while no recent transactions are worked on. A stage of a large batch keeps
// a CPU, here or in the database, and the stages of a single transaction need it often and shortly.
type backgroundYield struct {
	mu     sync.Mutex
	recent int           // stages of recent transactions that are worked on
	idle   chan struct{} // closed when there are none any more
	began  time.Time     // when the last of them began
	ended  time.Time     // when the last of them ended
	took   time.Duration // by the last part of the background
}

func newBackgroundYield() *backgroundYield { return &backgroundYield{idle: make(chan struct{})} }

// of is what the worker of a task queue does around each activity.
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

// ExecuteActivity does the activity, one of the background in parts between stages of recent transactions.
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

func (y *backgroundYield) begin() {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.recent++
	y.began = time.Now()
}

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

// quiet is what to wait for until no recent transactions are worked on: nil when none are, the end of their last
// stage, or the time in which their next one comes.
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

// wait returns when no recent transactions are worked on, after a time at the latest, or when ctx ends.
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

// pacer is that of a stage of the background.
type pacer struct {
	of     *backgroundYield
	began  time.Time // the part that is worked on; zero before the first
	waited time.Duration
}

// Next implements activities.Pacer.
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

// end notes how long a part took.
func (t *pacer) end() {
	if t.began.IsZero() {
		return
	}
	t.of.mu.Lock()
	defer t.of.mu.Unlock()
	t.of.took = time.Since(t.began)
}
