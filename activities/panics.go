package activities

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"

	"go.temporal.io/sdk/activity"
)

// panicError is a panic of an activity turned into an error.
type panicError struct{ value any }

// Error shows the text of runtime errors (an index, a nil pointer), which holds no
// content of records; of other panic values it shows only the type.
func (e *panicError) Error() string {
	if err, ok := e.value.(runtime.Error); ok {
		return err.Error()
	}
	return fmt.Sprintf("panic with a %T", e.value)
}

// guarded does the work of an activity and turns a panic into an error, so that a bug
// that one record brings to light is handled like any other unexpected error. Left to
// itself it would go into the history of the workflow, with its text and its stack.
func guarded(ctx context.Context, log *slog.Logger, work func(context.Context) error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &panicError{value: value}
			log.ErrorContext(
				ctx, "activity panicked", "activity", activity.GetInfo(ctx).ActivityType.Name,
				"stack", string(debug.Stack()),
			)
		}
	}()
	return work(ctx)
}
