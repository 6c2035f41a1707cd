package worker

import (
	"context"
	"time"

	"go.temporal.io/sdk/interceptor"

	"levy/internal/fair"
	"levy/workflows"
)

const (
	// sentLately is how long ago a stage of what was just sent may have begun for the background to yield.
	sentLately = time.Second
	// yieldsFor is how long a stage of the background waits at most: longer than the one before it takes, and short of
	// its own time.
	yieldsFor = 3 * time.Second
)

// yielding lets the background have half of its activities at once, at least one, while what was just sent is worked on:
// a stage of a large batch keeps a CPU, here or in the database, and stages of the others are many short turns on it.
type yielding struct{ places *fair.Places }

func newYielding(activities int, now func() time.Time) yielding {
	return yielding{fair.New(fair.Sizes{
		Total: activities, One: max(1, activities/2), Alone: activities, Waits: yieldsFor, Recent: sentLately,
	}, now)}
}

// of is what the worker of a task queue does around each activity.
func (y yielding) of(queue string) []interceptor.WorkerInterceptor {
	switch queue {
	case workflows.TransactionsQueue, workflows.BackgroundQueue:
		return []interceptor.WorkerInterceptor{&yieldingQueue{places: y.places, queue: queue}}
	}
	return nil
}

type yieldingQueue struct {
	interceptor.WorkerInterceptorBase
	places *fair.Places
	queue  string
}

func (q *yieldingQueue) InterceptActivity(
	_ context.Context, next interceptor.ActivityInboundInterceptor,
) interceptor.ActivityInboundInterceptor {
	return &yieldingActivity{ActivityInboundInterceptorBase: interceptor.ActivityInboundInterceptorBase{Next: next}, of: q}
}

type yieldingActivity struct {
	interceptor.ActivityInboundInterceptorBase
	of *yieldingQueue
}

// ExecuteActivity does the activity when its turn has come, or has not for yieldsFor: the background never waits for good.
func (a *yieldingActivity) ExecuteActivity(
	ctx context.Context, in *interceptor.ExecuteActivityInput,
) (result any, err error) {
	if a.of.queue != workflows.BackgroundQueue {
		a.of.places.Note(a.of.queue)
	} else if a.of.places.Take(ctx, a.of.queue) == nil {
		defer a.of.places.Give(a.of.queue)
	}
	return a.Next.ExecuteActivity(ctx, in)
}
