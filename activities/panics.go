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

// Error returns the text of runtime errors, such as an index out of range, because these have no content of records.
// For other panic values it returns only the type.
func (e *panicError) Error() string {
	if err, ok := e.value.(runtime.Error); ok {
		return err.Error()
	}
	return fmt.Sprintf("panic with a %T", e.value)
}

// guarded does the work of an activity and turns a panic into an error. So a bug that one record triggers is treated
// like any other unexpected error. Without it, text and stack of the panic would go into the history of the workflow.
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
