//go:build chaos

package twice

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/interceptor"
)

// Interceptors returns the interceptor that executes each activity twice, if LEVY_ACTIVITIES_TWICE is set. It comes
// before all others, so that spans and metrics are doubled, too.
func Interceptors() []interceptor.ClientInterceptor {
	file := os.Getenv(Variable)
	if file == "" {
		return nil
	}
	return []interceptor.ClientInterceptor{&worker{file: file}}
}

type worker struct {
	interceptor.InterceptorBase
	file string // gets the results that differ
	mu   sync.Mutex
}

// InterceptActivity returns the interceptor of one activity.
func (w *worker) InterceptActivity(
	_ context.Context, next interceptor.ActivityInboundInterceptor,
) interceptor.ActivityInboundInterceptor {
	return &execution{interceptor.ActivityInboundInterceptorBase{Next: next}, w}
}

type execution struct {
	interceptor.ActivityInboundInterceptorBase
	of *worker
}

// Init gives each execution an attempt of its own.
func (a *execution) Init(outbound interceptor.ActivityOutboundInterceptor) error {
	return a.Next.Init(&information{interceptor.ActivityOutboundInterceptorBase{Next: outbound}})
}

// ExecuteActivity executes an activity and then executes it again, as Temporal does when a result is lost. The workflow
// gets the second result. An activity whose time is over is executed once.
func (a *execution) ExecuteActivity(ctx context.Context, in *interceptor.ExecuteActivityInput) (any, error) {
	lost, failed := a.Next.ExecuteActivity(ctx, in)
	if ctx.Err() != nil {
		return lost, failed
	}
	result, err := a.Next.ExecuteActivity(context.WithValue(ctx, secondKey{}, true), in)
	first, second := describe(lost, failed), describe(result, err)
	if first != second {
		a.of.record(fmt.Sprintf("%s: %s, then %s\n", activity.GetInfo(ctx).ActivityType.Name, first, second))
	}
	return result, err
}

// describe returns the JSON of a result, or the error.
func describe(result any, err error) string {
	if err != nil {
		return "error " + err.Error()
	}
	text, err := json.Marshal(result)
	if err != nil {
		return "error " + err.Error()
	}
	return string(text)
}

// record appends a line to the file, which processes share.
func (w *worker) record(line string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f, err := os.OpenFile(w.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		defer f.Close()
		_, err = f.WriteString(line)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "%v: %s", err, line)
	}
}

// secondKey marks the context of a second execution.
type secondKey struct{}

type information struct {
	interceptor.ActivityOutboundInterceptorBase
}

// GetInfo returns the information of an activity. The first attempt of Temporal is attempts 1 and 2.
func (i *information) GetInfo(ctx context.Context) activity.Info {
	info := i.Next.GetInfo(ctx)
	info.Attempt *= 2
	if ctx.Value(secondKey{}) == nil {
		info.Attempt--
	}
	return info
}
