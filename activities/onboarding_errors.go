package activities

import (
	"errors"

	"go.temporal.io/sdk/temporal"

	"levy/models"
)

// Types of the errors with which a step is refused. Nothing was written, and the
// onboarding goes on, except after ErrTypeStepFailed.
const (
	// ErrTypeStepOutOfOrder: another step is next. Detail: its number.
	ErrTypeStepOutOfOrder = "StepOutOfOrder"
	// ErrTypeOnboardingNotActive: the onboarding is over. Detail: its status.
	ErrTypeOnboardingNotActive = "OnboardingNotActive"
	// ErrTypeDuplicateName: another client has the name. Detail: the id of that client.
	ErrTypeDuplicateName = "DuplicateName"
	// ErrTypeLimitReached: there are too many active keys. Detail: how many may be.
	ErrTypeLimitReached = "LimitReached"
	// ErrTypeChangedMeanwhile: the step was made from a record that is no more.
	ErrTypeChangedMeanwhile = "ChangedMeanwhile"
	// ErrTypeNotFound: the organization does not exist.
	ErrTypeNotFound = "NotFound"
	// ErrTypeStepFailed: the work behind the step failed for good, which fails the
	// onboarding. Details: the number of the step and the reason.
	ErrTypeStepFailed = "StepFailed"
	// ErrTypeOnboardingFailed is how a run ends whose onboarding failed.
	ErrTypeOnboardingFailed = "OnboardingFailed"
)

// Refusal is the form in which a refusal of a step travels through Temporal; nil
// for an error that is none.
func Refusal(err error) error {
	var (
		order     *models.StepOrderError
		inactive  *models.OnboardingInactiveError
		duplicate *models.DuplicateError
		limit     *models.LimitError
		failed    *models.StepFailedError
	)
	refuse := func(errType string, details ...any) error {
		return temporal.NewApplicationErrorWithOptions("step refused: "+errType, errType, temporal.ApplicationErrorOptions{
			NonRetryable: true, Details: details, Category: temporal.ApplicationErrorCategoryBenign, // no alarm: the client hears of it
		})
	}
	switch {
	case errors.As(err, &order):
		return refuse(ErrTypeStepOutOfOrder, order.Next)
	case errors.As(err, &inactive):
		return refuse(ErrTypeOnboardingNotActive, inactive.Status)
	case errors.As(err, &duplicate):
		return refuse(ErrTypeDuplicateName, duplicate.ExistingID)
	case errors.As(err, &limit):
		return refuse(ErrTypeLimitReached, limit.Limit)
	case errors.As(err, &failed):
		return refuse(ErrTypeStepFailed, failed.Step, failed.Reason)
	case errors.Is(err, models.ErrChangedMeanwhile):
		return refuse(ErrTypeChangedMeanwhile)
	case errors.Is(err, models.ErrNotFound):
		return refuse(ErrTypeNotFound)
	}
	return nil
}

// Refused is the inverse of Refusal: the refusal that an error of Temporal carries;
// nil for an error that carries none.
func Refused(err error) error {
	app, ok := errors.AsType[*temporal.ApplicationError](err)
	if !ok {
		return nil
	}
	switch app.Type() {
	case ErrTypeStepOutOfOrder:
		refusal := &models.StepOrderError{}
		_ = app.Details(&refusal.Next) // a refusal without its detail is one all the same
		return refusal
	case ErrTypeOnboardingNotActive:
		refusal := &models.OnboardingInactiveError{}
		_ = app.Details(&refusal.Status)
		return refusal
	case ErrTypeDuplicateName:
		refusal := &models.DuplicateError{Field: "name"}
		_ = app.Details(&refusal.ExistingID)
		return refusal
	case ErrTypeLimitReached:
		refusal := &models.LimitError{What: "active API keys"}
		_ = app.Details(&refusal.Limit)
		return refusal
	case ErrTypeStepFailed:
		refusal := &models.StepFailedError{}
		_ = app.Details(&refusal.Step, &refusal.Reason)
		return refusal
	case ErrTypeChangedMeanwhile:
		return models.ErrChangedMeanwhile
	case ErrTypeNotFound:
		return models.ErrNotFound
	}
	return nil
}

// stepFailure is the only constructor of errors that leave an activity of an
// onboarding: a refusal, an outage that will pass, or something unexpected, which
// is given up after UnexpectedTries. try is which one it used up: 0 never gives up.
func stepFailure(err error, try int) error {
	if refusal := Refusal(err); refusal != nil {
		return refusal
	}
	code, infrastructure := classify(err)
	errType := ErrTypeUnexpected
	if infrastructure {
		errType = ErrTypeInfrastructure
	}
	return temporal.NewApplicationErrorWithOptions("activity failed: "+code, errType, temporal.ApplicationErrorOptions{
		NonRetryable: try >= UnexpectedTries, Details: []any{code},
	})
}

// noted reports whether an error of a step is one of the work behind it, and what
// the record says of it.
func noted(err error) (reason string, ok bool) {
	if failed, is := errors.AsType[*models.StepFailedError](err); is {
		return failed.Reason, true
	}
	if Refusal(err) != nil {
		return "", false
	}
	code, _ := classify(err)
	return code, true
}
