package worker

import (
	"context"
	"errors"
	"slices"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/temporal"

	"levy/activities"
)

// UnexplainedFailures counts failed activity attempts that no known outage explains. Most activities are retried
// without limit, and a run that waits for one looks like any other. An alarm follows from the count.
type UnexplainedFailures struct {
	interceptor.WorkerInterceptorBase
	attempts *prometheus.CounterVec // activity
}

// NewUnexplainedFailures registers the metric. Call it once per registry.
func NewUnexplainedFailures(registry prometheus.Registerer) *UnexplainedFailures {
	return &UnexplainedFailures{attempts: promauto.With(registry).NewCounterVec(prometheus.CounterOpts{
		Name: "levy_activity_defects_total",
		Help: "Tries of activities that failed by a defect, not by an outage, by activity. Most are tried again without end.",
	}, []string{"activity"})}
}

// InterceptActivity returns the interceptor that counts the attempts of a worker.
func (f *UnexplainedFailures) InterceptActivity(
	_ context.Context, next interceptor.ActivityInboundInterceptor,
) interceptor.ActivityInboundInterceptor {
	return &countedActivity{interceptor.ActivityInboundInterceptorBase{Next: next}, f.attempts}
}

type countedActivity struct {
	interceptor.ActivityInboundInterceptorBase
	attempts *prometheus.CounterVec
}

func (a *countedActivity) ExecuteActivity(
	ctx context.Context, in *interceptor.ExecuteActivityInput,
) (any, error) {
	result, err := a.Next.ExecuteActivity(ctx, in)
	failed, ok := errors.AsType[*temporal.ApplicationError](err)
	if ok && slices.Contains([]string{activities.ErrTypeUnexpected, activities.ErrTypeBatchFailed}, failed.Type()) {
		a.attempts.WithLabelValues(activity.GetInfo(ctx).ActivityType.Name).Inc()
	}
	return result, err
}
