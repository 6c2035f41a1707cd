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

// Defects counts the tries of activities that no outage explains. Most activities are repeated without end, and a run
// that waits for one looks like any other that waits: an alarm follows from the count.
type Defects struct {
	interceptor.WorkerInterceptorBase
	tries *prometheus.CounterVec // activity
}

// NewDefects registers the count, once per registry.
func NewDefects(registry prometheus.Registerer) *Defects {
	return &Defects{tries: promauto.With(registry).NewCounterVec(prometheus.CounterOpts{
		Name: "levy_activity_defects_total",
		Help: "Tries of activities that failed by a defect, not by an outage, by activity. Most are tried again without end.",
	}, []string{"activity"})}
}

// InterceptActivity counts what becomes of each try.
func (d *Defects) InterceptActivity(
	_ context.Context, next interceptor.ActivityInboundInterceptor,
) interceptor.ActivityInboundInterceptor {
	return &countedActivity{interceptor.ActivityInboundInterceptorBase{Next: next}, d.tries}
}

type countedActivity struct {
	interceptor.ActivityInboundInterceptorBase
	tries *prometheus.CounterVec
}

func (a *countedActivity) ExecuteActivity(
	ctx context.Context, in *interceptor.ExecuteActivityInput,
) (any, error) {
	result, err := a.Next.ExecuteActivity(ctx, in)
	failed, ok := errors.AsType[*temporal.ApplicationError](err)
	if ok && slices.Contains([]string{activities.ErrTypeUnexpected, activities.ErrTypeBatchFailed}, failed.Type()) {
		a.tries.WithLabelValues(activity.GetInfo(ctx).ActivityType.Name).Inc()
	}
	return result, err
}
