package activities

import (
	"context"
	"time"

	"levy/models"
	"levy/rules"
)

// FilingRecords are the filings as their workflow sees them. Package store
// implements them.
type FilingRecords interface {
	// RefreshFiling reads the record of a filing and decides its next action at a moment. It records the reminder that is
	// due, and that the workflow has read the record. Errors: models.ErrNotFound.
	RefreshFiling(
		ctx context.Context, scope models.Scope, id string, now time.Time, policy rules.FilingPolicy,
	) (rules.FilingSnapshot, error)
	// AutoApproveFiling claims the return lines of an UNFILED filing whose time for the
	// automatic approval has come. Errors: *models.TransitionError,
	// *models.FilingNotReadyError, *models.FilingUnresolvedError and the other refusals of an approval.
	AutoApproveFiling(ctx context.Context, scope models.Scope, id string, now time.Time, policy rules.FilingPolicy) error
	// ResumeFiling ends a pause whose day has come by now; one that was extended, or has
	// ended, stays as it is.
	ResumeFiling(ctx context.Context, scope models.Scope, id string, now time.Time) error
	// TransitionFiling changes the status as staff ask for it. Errors: *models.TransitionError
	// and the other refusals of a transition.
	TransitionFiling(ctx context.Context, scope models.Scope, id string,
		to models.FilingTransition) (models.FilingStatus, error)

	// SubmissionOfFiling is what the authority gets. Errors: models.ErrChangedMeanwhile
	// when that attempt is over.
	SubmissionOfFiling(ctx context.Context, scope models.Scope, attempt models.Attempt) (models.AuthoritySubmission, error)
	// AuthorityOfFiling reads whose return a filing is, and to whom. Errors: models.ErrNotFound.
	AuthorityOfFiling(ctx context.Context, scope models.Scope, id string) (models.ReturnOwner, error)
	// ReturnFacts reads what the document of a filing is made of. Errors: models.ErrNotFound.
	ReturnFacts(ctx context.Context, scope models.Scope, id string) (models.ReturnFacts, error)
	// KeepDocument stores the document of an attempt, unless there is one, and returns the stored one. Errors:
	// models.ErrChangedMeanwhile when that attempt is over; models.ErrIDsTaken.
	KeepDocument(
		ctx context.Context, scope models.Scope, attempt models.Attempt, d models.FilingDocument,
	) (models.FilingDocument, error)
	// NoteSubmission keeps in the history that an attempt was handed over to an authority,
	// once however often it is noted.
	NoteSubmission(ctx context.Context, scope models.Scope, attempt models.Attempt, authority string) error
	// NoteManualFiling keeps since when people have to file an attempt: they see that at the filing.
	NoteManualFiling(ctx context.Context, scope models.Scope, attempt models.Attempt) error
	// NoteFilingContact keeps since when the authority does not answer for an attempt, until it does: people see
	// that at the filing.
	NoteFilingContact(ctx context.Context, scope models.Scope, attempt models.Attempt, answered bool) error
	// SettleFiling writes what the authority decided: FILED with its confirmations, or
	// ISSUE with its reason. An attempt that is over stays as it is.
	SettleFiling(
		ctx context.Context, scope models.Scope, attempt models.Attempt, answer models.AuthorityAnswer, now time.Time,
	) error
	// LockFiling locks the transactions of a FILED filing; one that is locked stays as it
	// is.
	LockFiling(ctx context.Context, scope models.Scope, id string) error
}

// Operators may change filings, and end onboardings, from the Temporal UI. Package store implements them.
type Operators interface {
	// UseProof uses a proof up and returns its author: a person with a session, or the name of the signer. by names the
	// use, which may be repeated. Errors: those that models.IsProofRefusal knows.
	UseProof(ctx context.Context, proof models.Proof, by string) (models.Actor, error)
}

// FilingPlanner plans the filings of registrations.
type FilingPlanner interface {
	// PlanFilings reads a bounded number of registrations after a cursor. It writes the filings that periods returns and
	// that do not exist yet, in one database transaction. Each is due at once, so that its workflow starts.
	PlanFilings(
		ctx context.Context, after models.PlanCursor, periods func(models.Registration) []models.Filing,
	) (models.PlanPage, error)
	// PlanRegistration does so for one registration. Errors: models.ErrNotFound.
	PlanRegistration(
		ctx context.Context, scope models.Scope, id string, periods func(models.Registration) []models.Filing,
	) (models.PlanPage, error)
}

// Authorities are the ways to the tax authorities; *authority.Switchboard is one.
// Errors: models.ErrUnavailable and models.ErrOutcomeUnknown, after which the same
// submission is handed over again.
type Authorities interface {
	Submit(ctx context.Context, s models.AuthoritySubmission) (models.AuthorityAnswer, error)
	// Check asks the adapter that took a submission. Errors: also models.ErrNotFound.
	Check(ctx context.Context, adapter string, key models.AuthorityKey) (models.AuthorityAnswer, error)
}
