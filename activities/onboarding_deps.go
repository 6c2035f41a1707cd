package activities

import (
	"context"

	"levy/internal/secret"
	"levy/models"
	"levy/tax"
)

// Onboardings are the records of onboardings. Package store implements them.
type Onboardings interface {
	// CompleteStep writes what a step says together with its completion, once for a
	// submission. Errors: *models.OnboardingInactiveError, *models.StepOrderError,
	// *models.DuplicateError, *models.LimitError, models.ErrChangedMeanwhile.
	CompleteStep(ctx context.Context, sub models.StepSubmission, work models.StepWork) error
	// NoteStepError stores why the work behind a step failed.
	NoteStepError(ctx context.Context, scope models.Scope, step int, reason string) error
	// Onboarding reads an onboarding. Errors: models.ErrNotFound.
	Onboarding(ctx context.Context, scope models.Scope) (models.Onboarding, error)

	// EndOnboarding ends one that is in progress and returns what it is then.
	EndOnboarding(ctx context.Context, scope models.Scope, end models.OnboardingEnd) (models.Onboarding, error)
	// CheckProgress sends the reminder that is due, or lets the onboarding expire.
	CheckProgress(ctx context.Context, scope models.Scope, rules models.OnboardingRules) (models.ProgressCheck, error)

	// UndoStep, CancelRegistrations, DestroyDataKey and FinishCompensation undo an onboarding that
	// ended before it was completed. Each may be repeated.
	UndoStep(ctx context.Context, scope models.Scope, step int) error
	CancelRegistrations(ctx context.Context, scope models.Scope) error
	DestroyDataKey(ctx context.Context, scope models.Scope) error
	FinishCompensation(ctx context.Context, scope models.Scope) error
}

// Vault opens what is sealed for an organization; *secret.Vault is one.
type Vault interface {
	// Key returns the data key. Errors: secret.ErrNoKey when it is destroyed.
	Key(ctx context.Context, organizationID string) (*secret.DataKey, error)
}

// Places finds where addresses are, by the tax content in force.
type Places interface {
	// Locate resolves addresses on their days, as finely as the boundary files loaded
	// allow.
	Locate(ctx context.Context, addresses []tax.DatedAddress) (map[tax.DatedAddress]tax.Place, error)
}

// BankAccount is an account as the bank knows it, for a BankCheck alone: it is
// never stored, logged or returned.
type BankAccount struct{ RoutingNumber, AccountNumber string }

// BankCheck asks whether an account exists. A *models.StepFailedError refuses it
// for good; other errors are retried.
type BankCheck func(ctx context.Context, account BankAccount) error

// AcceptAnyBank is the check of an installation without a connection to banks.
func AcceptAnyBank(context.Context, BankAccount) error { return nil }
