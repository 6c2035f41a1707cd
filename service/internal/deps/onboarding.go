package deps

import (
	"context"

	"levy/internal/secret"
	"levy/models"
)

// Onboardings are the records of onboardings and of what their steps said.
type Onboardings interface {
	// Onboarding reads how far an organization has come. Errors: models.ErrNotFound.
	Onboarding(ctx context.Context, scope models.Scope) (models.Onboarding, error)
	// ListOnboardings lists those of the clients of root that pass the filter, and counts
	// all of them by status and next step.
	ListOnboardings(ctx context.Context, root models.Scope, f models.OnboardingFilter, order []models.Order,
		page models.Page) (models.OnboardingList, error)
	// ExportOnboardings exports those that pass the filter, in the order of the list.
	ExportOnboardings(ctx context.Context, root models.Scope, f models.OnboardingFilter, order []models.Order,
		to models.Export[models.Onboarding]) error
	// RemindOnboarding reminds a client, and says how its onboarding is. Errors: models.ErrNotFound,
	// *models.OnboardingInactiveError.
	RemindOnboarding(ctx context.Context, scope models.Scope, actor models.Actor) (models.Onboarding, error)
	// NoteRefusal stores what was wrong with a call of a step that was refused.
	NoteRefusal(ctx context.Context, scope models.Scope, step int, summary string, faults []models.StepFault) error
	// OrganizationDetails reads what the steps 3 to 7 said. Errors: models.ErrNotFound.
	OrganizationDetails(ctx context.Context, scope models.Scope) (models.OrganizationDetails, error)
	// BankDetails reads what step 8 said. Errors: models.ErrNotFound.
	BankDetails(ctx context.Context, scope models.Scope) (models.BankDetails, error)
	// SealedPersonal returns the sealed personal values whose fields begin with prefix.
	SealedPersonal(ctx context.Context, scope models.Scope, prefix string) (map[string][]byte, error)
}

// OnboardingLinks are the links with which clients do the steps of their onboarding.
type OnboardingLinks interface {
	// MakeOnboardingLink writes the link of an onboarding, in place of the one before. Errors:
	// models.ErrNotFound, *models.OnboardingInactiveError.
	MakeOnboardingLink(ctx context.Context, scope models.Scope, actor models.Actor,
		hash []byte) (models.OnboardingLink, error)
	// OnboardingLink reads the link of an organization. Errors: models.ErrNotFound.
	OnboardingLink(ctx context.Context, scope models.Scope) (models.OnboardingLink, error)
	// EndOnboardingLink ends the link of an organization, if it has one.
	EndOnboardingLink(ctx context.Context, scope models.Scope, actor models.Actor) error
	// FindOnboardingLink finds whose link it is. Errors: models.ErrNotFound for one that does not work.
	FindOnboardingLink(ctx context.Context, hashes [][]byte) (models.OnboardingLink, error)
}

// Steps has the steps of onboardings done by their workflows. record is the
// onboarding as it was read before. Errors of both: *models.OnboardingInactiveError;
// models.ErrUnavailable when nothing was sent, models.ErrOutcomeUnknown when it may
// be done all the same.
type Steps interface {
	// Submit does a step and returns once it is committed. Errors besides:
	// *models.StepOrderError, *models.StepFailedError, *models.DuplicateError,
	// *models.LimitError, models.ErrChangedMeanwhile.
	Submit(ctx context.Context, record models.Onboarding, step models.StepSubmission) error
	// Cancel ends an onboarding that is in progress.
	Cancel(ctx context.Context, record models.Onboarding, actor models.Actor, reason string) error
}

// Edits does the work of a step without a workflow, after the onboarding.
type Edits interface {
	// Complete writes what a step says. Errors: as Steps.Submit.
	Complete(ctx context.Context, step models.StepSubmission) error
}

// Vault gives the keys under which personal data and documents of an organization are sealed.
type Vault interface {
	// KeyOrNew returns the data key and makes one when there is none.
	KeyOrNew(ctx context.Context, organizationID string) (*secret.DataKey, error)
	// NewRecordKey makes the key of one record.
	NewRecordKey(organizationID, recordID string) (*secret.DataKey, secret.WrappedKey)
	secret.RecordKeyOpener
}
