package workflows

import (
	"errors"

	"go.temporal.io/sdk/temporal"

	"levy/activities"
)

// batchFailed reports whether a stage gave up on its batch, and with which code.
func batchFailed(err error) (code string, ok bool) {
	app, ok := errors.AsType[*temporal.ApplicationError](err)
	if !ok || app.Type() != activities.ErrTypeBatchFailed {
		return "", false
	}
	if app.Details(&code) != nil || code == "" {
		code = "unknown"
	}
	return code, true
}

func invalidInput(reason string) error {
	return temporal.NewNonRetryableApplicationError(reason, activities.ErrTypeInvalidInput, nil)
}

// unexpected is the error of a step that is neither a refusal nor a cancellation: an
// outage that exceeded its time, or a defect. It ends the Update, not the run.
func unexpected(err error) error {
	errType := activities.ErrTypeInfrastructure
	if app, ok := errors.AsType[*temporal.ApplicationError](err); ok {
		errType = app.Type()
	}
	return temporal.NewNonRetryableApplicationError("step not done: "+errType, errType, nil)
}
