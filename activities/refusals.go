package activities

import (
	"errors"
	"slices"

	"go.temporal.io/sdk/temporal"

	"levy/models"
)

// Types of the errors with which a record refuses. Nothing was written.
const (
	// ErrTypeStepOutOfOrder: another step is next. Detail: its number.
	ErrTypeStepOutOfOrder = "StepOutOfOrder"
	// ErrTypeOnboardingNotActive: the onboarding is over. Detail: its status.
	ErrTypeOnboardingNotActive = "OnboardingNotActive"
	// ErrTypeDuplicateName: another client has the name. Detail: the id of that client.
	ErrTypeDuplicateName = "DuplicateName"
	// ErrTypeLimitReached: there are too many active keys. Detail: how many may be.
	ErrTypeLimitReached = "LimitReached"
	// ErrTypeNotGiven: the caller has no right to give what the step makes, or has ended. Detail: the words.
	ErrTypeNotGiven = "NotGiven"
	// ErrTypeStepFailed: the work behind the step failed for good, which fails the
	// onboarding. Details: the number of the step and the reason.
	ErrTypeStepFailed = "StepFailed"
	// ErrTypeInvalidTransition: the status of the filing does not allow it. Details:
	// from, to, and what is allowed.
	ErrTypeInvalidTransition = "InvalidStatusTransition"
	// ErrTypeFilingAmount: the amount of the filing is another one than was expected.
	// Details: expected, amount.
	ErrTypeFilingAmount = "FilingAmountChanged"
	// ErrTypeFilingRefused: the record refuses for another reason. Its words say which.
	ErrTypeFilingRefused = "FilingRefused"
	// ErrTypeChangedMeanwhile: it was asked for a record, or an attempt, that is no more.
	ErrTypeChangedMeanwhile = "ChangedMeanwhile"
	// ErrTypeNotFound: the record does not exist.
	ErrTypeNotFound = "NotFound"
)

// workflowKind is a workflow whose record may refuse.
type workflowKind uint8

const (
	ofOnboarding workflowKind = 1 << iota
	ofFiling
	ofRegistration

	ofAll = ofOnboarding | ofFiling | ofRegistration
)

// refusals say which errors of the domain are refusals, in which workflows, and in which
// form they travel through Temporal. A refusal is never retried. An error without a line
// here, or in another workflow, is an outage or a defect, and is (classify). The first line
// that fits counts.
var refusals = []struct {
	errType string
	of      workflowKind
	// details are those of an error, if it is the refusal of this line.
	details func(err error) (details []any, ok bool)
	// from restores the error of the domain from its details; nil where it is not needed.
	from func(details func(...any) error) error
}{
	{
		ErrTypeStepOutOfOrder, ofOnboarding,
		detailsOf(func(e *models.StepOrderError) []any { return []any{e.Next} }),
		func(details func(...any) error) error {
			e := &models.StepOrderError{}
			_ = details(&e.Next) // a refusal without its detail is one all the same
			return e
		},
	},
	{
		ErrTypeOnboardingNotActive, ofOnboarding,
		detailsOf(func(e *models.OnboardingInactiveError) []any { return []any{e.Status} }),
		func(details func(...any) error) error {
			e := &models.OnboardingInactiveError{}
			_ = details(&e.Status)
			return e
		},
	},
	{
		ErrTypeDuplicateName, ofOnboarding,
		detailsOf(func(e *models.DuplicateError) []any { return []any{e.ExistingID} }),
		func(details func(...any) error) error {
			e := &models.DuplicateError{Field: "name"}
			_ = details(&e.ExistingID)
			return e
		},
	},
	{
		ErrTypeLimitReached, ofOnboarding,
		detailsOf(func(e *models.LimitError) []any { return []any{e.Limit, e.What} }),
		func(details func(...any) error) error {
			e := &models.LimitError{What: "active API keys"}
			_ = details(&e.Limit, &e.What)
			return e
		},
	},
	{
		ErrTypeNotGiven, ofOnboarding,
		detailsOf(func(e *models.GiverError) []any { return []any{e.Detail} }),
		func(details func(...any) error) error {
			e := &models.GiverError{}
			_ = details(&e.Detail)
			return e
		},
	},
	{
		ErrTypeStepFailed, ofOnboarding,
		detailsOf(func(e *models.StepFailedError) []any { return []any{e.Step, e.Reason} }),
		func(details func(...any) error) error {
			e := &models.StepFailedError{}
			_ = details(&e.Step, &e.Reason)
			return e
		},
	},
	{
		ErrTypeInvalidTransition, ofFiling,
		detailsOf(func(e *models.TransitionError) []any { return []any{e.From, e.To, e.Allowed} }), nil,
	},
	{
		ErrTypeFilingAmount, ofFiling,
		detailsOf(func(e *models.FilingAmountError) []any { return []any{e.Expected.String(), e.Amount.String()} }), nil,
	},
	{
		ErrTypeFilingRefused, ofFiling,
		func(err error) ([]any, bool) { return nil, models.IsFilingRefusal(err) }, nil,
	},
	{
		ErrTypeChangedMeanwhile, ofAll,
		func(err error) ([]any, bool) { return nil, errors.Is(err, models.ErrChangedMeanwhile) },
		func(func(...any) error) error { return models.ErrChangedMeanwhile },
	},
	{
		ErrTypeNotFound, ofAll,
		func(err error) ([]any, bool) { return nil, errors.Is(err, models.ErrNotFound) },
		func(func(...any) error) error { return models.ErrNotFound },
	},
}

// detailsOf reads the details of errors of one type.
func detailsOf[E error](of func(E) []any) func(error) ([]any, bool) {
	return func(err error) ([]any, bool) {
		e, ok := errors.AsType[E](err)
		if !ok {
			return nil, false
		}
		return of(e), true
	}
}

// refusalOf is the form in which a refusal travels through Temporal; nil for an error that
// is none in this workflow. It is no alarm: the caller gets it as the answer.
func refusalOf(err error, of workflowKind) error {
	for _, line := range refusals {
		if line.of&of == 0 {
			continue
		}
		if details, ok := line.details(err); ok {
			return temporal.NewApplicationErrorWithOptions(err.Error(), line.errType, temporal.ApplicationErrorOptions{
				NonRetryable: true, Details: details, Category: temporal.ApplicationErrorCategoryBenign,
			})
		}
	}
	return nil
}

// Refusal is refusalOf for the step of an onboarding.
func Refusal(err error) error { return refusalOf(err, ofOnboarding) }

// FilingRefusal is refusalOf for a filing.
func FilingRefusal(err error) error { return refusalOf(err, ofFiling) }

// Refused is the inverse of Refusal: the refusal that an error of Temporal carries;
// nil for an error that carries none.
func Refused(err error) error {
	app, ok := errors.AsType[*temporal.ApplicationError](err)
	if !ok {
		return nil
	}
	for _, line := range refusals {
		if line.errType == app.Type() && line.of&ofOnboarding != 0 {
			return line.from(app.Details)
		}
	}
	return nil
}

// IsFilingRefusal reports whether an error of Temporal says that a filing is not as the
// workflow thought.
func IsFilingRefusal(err error) bool {
	app, ok := errors.AsType[*temporal.ApplicationError](err)
	return ok && slices.Contains([]string{
		ErrTypeInvalidTransition, ErrTypeFilingAmount, ErrTypeFilingRefused, ErrTypeChangedMeanwhile,
	}, app.Type())
}

// refused reports whether an error says that a filing is not as the caller thought.
func refused(err error) bool { return FilingRefusal(err) != nil }

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
