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
