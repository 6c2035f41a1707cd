package deps

import (
	"context"

	"levy/internal/secret"
	"levy/models"
)

// Onboardings are the records of onboardings and the data of their steps.
type Onboardings interface {
	// Onboarding reads the progress of an organization's onboarding. Errors: models.ErrNotFound.
	Onboarding(ctx context.Context, scope models.Scope) (models.Onboarding, error)
	// ListOnboardings lists the onboardings of clients of root that pass the filter. It counts all onboardings
	// by status and next step.
	ListOnboardings(ctx context.Context, root models.Scope, f models.OnboardingFilter, order []models.Order,
		page models.Page) (models.OnboardingList, error)
	// ExportOnboardings exports the onboardings that pass the filter, in the order of the list.
	ExportOnboardings(ctx context.Context, root models.Scope, f models.OnboardingFilter, order []models.Order,
		to models.Export[models.Onboarding]) error
	// RemindOnboarding reminds a client and returns its onboarding. Errors: models.ErrNotFound,
	// *models.OnboardingInactiveError.
	RemindOnboarding(ctx context.Context, scope models.Scope, actor models.Actor) (models.Onboarding, error)
	// NoteRefusal records the faults of a refused call of a step.
	NoteRefusal(ctx context.Context, scope models.Scope, step int, summary string, faults []models.StepFault) error
	// OrganizationDetails reads the data of the steps 3 to 7. Errors: models.ErrNotFound.
	OrganizationDetails(ctx context.Context, scope models.Scope) (models.OrganizationDetails, error)
	// BankDetails reads the data of step 8. Errors: models.ErrNotFound.
	BankDetails(ctx context.Context, scope models.Scope) (models.BankDetails, error)
	// SealedPersonal returns the sealed personal values whose fields begin with prefix.
	SealedPersonal(ctx context.Context, scope models.Scope, prefix string) (map[string][]byte, error)
}

// OnboardingLinks are the links with which clients submit the steps of their onboarding.
type OnboardingLinks interface {
	// MakeOnboardingLink writes the link of an onboarding, and the e-mail with it, and replaces the previous one. mail is
	// nil for none. Errors: models.ErrNotFound, *models.OnboardingInactiveError, *models.LimitError.
	MakeOnboardingLink(ctx context.Context, scope models.Scope, actor models.Actor, hash []byte,
		mail *models.LinkMailRequest) (models.OnboardingLink, error)
	// OnboardingLink reads the link of an organization. Errors: models.ErrNotFound.
	OnboardingLink(ctx context.Context, scope models.Scope) (models.OnboardingLink, error)
	// EndOnboardingLink revokes the link of an organization, if it has one.
	EndOnboardingLink(ctx context.Context, scope models.Scope, actor models.Actor) error
	// FindOnboardingLink finds the link with one of the hashes. Errors: models.ErrNotFound for a link
	// that is not valid.
	FindOnboardingLink(ctx context.Context, hashes [][]byte) (models.OnboardingLink, error)
}

// Steps submits steps of onboardings to their workflows. record is the onboarding as the caller has read it.
// Errors of both methods: *models.OnboardingInactiveError, models.ErrUnavailable if nothing was submitted,
// models.ErrOutcomeUnknown if the step may be done.
type Steps interface {
	// Submit carries out a step and returns once it is committed. Other errors: *models.StepOrderError,
	// *models.StepFailedError, *models.DuplicateError, *models.LimitError, models.ErrChangedMeanwhile.
	Submit(ctx context.Context, record models.Onboarding, step models.StepSubmission) error
	// Cancel cancels an onboarding that is in progress.
	Cancel(ctx context.Context, record models.Onboarding, actor models.Actor, reason string) error
}

// Edits writes the data of a step after the onboarding, without a workflow.
type Edits interface {
	// Complete writes the data of a step. Errors: those of Steps.Submit.
	Complete(ctx context.Context, step models.StepSubmission) error
}

// Vault has the keys that seal personal data and documents of an organization.
type Vault interface {
	// KeyOrNew returns the data key. It creates one if there is none.
	KeyOrNew(ctx context.Context, organizationID string) (*secret.DataKey, error)
	// NewRecordKey creates the key of one record.
	NewRecordKey(organizationID, recordID string) (*secret.DataKey, secret.WrappedKey)
	secret.RecordKeyOpener
}
