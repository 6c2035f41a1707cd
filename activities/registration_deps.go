package activities

import (
	"context"
	"time"

	"levy/models"
	"levy/rules"
)

// RegistrationRecords are the registrations as their workflow sees them. Package
// store implements them. Its writes may be repeated, and do not change a registration
// that was changed meanwhile.
type RegistrationRecords interface {
	// RefreshRegistration decides how a registration goes on, and notes that the
	// workflow has seen the record as it is. The same reader finds a change again. Errors: models.ErrNotFound.
	RefreshRegistration(
		ctx context.Context, scope models.Scope, read models.RegistrationRead, run rules.RegistrationRun, now time.Time,
	) (rules.RegistrationSnapshot, error)
	// CreateDefaultProducts gives the organization the default products it lacks.
	CreateDefaultProducts(ctx context.Context, scope models.Scope) error
	// ProceedWithRegistration makes an UNREGISTERED registration PROCESSING.
	ProceedWithRegistration(ctx context.Context, scope models.Scope, id string, now time.Time) error
	// SubmissionOfRegistration is what the authority gets. Errors:
	// models.ErrChangedMeanwhile when that attempt is over.
	SubmissionOfRegistration(
		ctx context.Context, scope models.Scope, attempt models.Attempt,
	) (models.AuthoritySubmission, error)
	// HandOverRegistration notes which adapter took an attempt: PROCESSING becomes
	// VALIDATING.
	HandOverRegistration(
		ctx context.Context, scope models.Scope, attempt models.Attempt, authority string, now time.Time,
	) error
	// NoteRegistrationContact keeps since when the authority does not answer for an attempt, until it does: people
	// see that at the registration.
	NoteRegistrationContact(ctx context.Context, scope models.Scope, attempt models.Attempt, answered bool) error
	// SettleRegistration writes what the authority decided about an attempt.
	SettleRegistration(
		ctx context.Context, scope models.Scope, attempt models.Attempt, answer models.AuthorityAnswer, now time.Time,
	) error
	// CancelLaterFilings cancels what is not to be filed any more, by the status of the
	// registration. The day is that of the clock of the workflow.
	CancelLaterFilings(ctx context.Context, scope models.Scope, id string, now time.Time) error
	// CloseRegistration makes a DEREGISTERING registration DEREGISTERED whose filings
	// are all over.
	CloseRegistration(ctx context.Context, scope models.Scope, attempt models.Attempt, now time.Time) error
}
