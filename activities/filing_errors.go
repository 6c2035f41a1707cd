package activities

import (
	"errors"
	"slices"

	"go.temporal.io/sdk/temporal"

	"levy/models"
)

// Types of the errors of filings. Nothing was written.
const (
	// ErrTypeInvalidTransition: the status of the filing does not allow it. Details:
	// from, to, and what is allowed.
	ErrTypeInvalidTransition = "InvalidStatusTransition"
	// ErrTypeFilingRefused: the record refuses for another reason. Detail: its words.
	ErrTypeFilingRefused = "FilingRefused"
	// ErrTypePending: the authority has not decided yet. Retried.
	ErrTypePending = "Pending"
)

// IsFilingRefusal reports whether an error of Temporal carries a refusal of a filing.
func IsFilingRefusal(err error) bool {
	app, ok := errors.AsType[*temporal.ApplicationError](err)
	return ok && slices.Contains([]string{ErrTypeInvalidTransition, ErrTypeFilingRefused, ErrTypeChangedMeanwhile}, app.Type())
}

// FilingRefusal is the form in which a refusal of a filing's record travels through
// Temporal; nil for an error that is none.
func FilingRefusal(err error) error {
	refuse := func(errType string, details ...any) error {
		return temporal.NewNonRetryableApplicationError(err.Error(), errType, nil, details...)
	}
	var transition *models.TransitionError
	if errors.As(err, &transition) {
		return refuse(ErrTypeInvalidTransition, transition.From, transition.To, transition.Allowed)
	}
	if models.IsFilingRefusal(err) {
		return refuse(ErrTypeFilingRefused)
	}
	switch {
	case errors.Is(err, models.ErrNotFound):
		return refuse(ErrTypeNotFound)
	case errors.Is(err, models.ErrChangedMeanwhile):
		return refuse(ErrTypeChangedMeanwhile)
	}
	return nil
}

// refused reports whether an error says that the record is not as the caller thought.
func refused(err error) bool { return FilingRefusal(err) != nil }
