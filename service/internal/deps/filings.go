package deps

import (
	"context"

	"levy/models"
	"levy/models/report"
)

// Filings are the returns of registrations. A caller need not notify their workflows of a change.
type Filings interface {
	// CreateFiling writes a filing in any status if check accepts it. Errors: *models.ReferencesNotFoundError,
	// *models.DuplicateError (filing), those of UpdateFiling, and those of check.
	CreateFiling(ctx context.Context, scope models.Scope, actor models.Actor, f models.Filing,
		check func(*models.Filing, models.Registration) error) (models.Filing, error)
	// Filing reads one filing. Errors: models.ErrNotFound.
	Filing(ctx context.Context, scope models.Scope, id string) (models.Filing, error)
	// ListFilings lists the filings that pass the filter.
	ListFilings(ctx context.Context, scope models.Scope, f models.FilingFilter, order []models.Order,
		page models.Page) (models.List[models.Filing], error)
	// ListDueFilings lists the filings of all visible organizations. Errors: *models.InvalidError for more filings
	// than can be sorted by amount.
	ListDueFilings(
		ctx context.Context, visible models.Visibility, f models.DueFilter, order []models.Order, page models.Page,
	) (models.DueList, error)
	// LiveReturns returns the current sums of pending filings and the reasons that block them, by filing id.
	// The organization of ids[i] is organizations[i].
	LiveReturns(ctx context.Context, organizations, ids []string) (map[string]models.LiveReturn, error)
	// AmendFiling opens an amendment of a filed return on demand. Errors: models.ErrNotFound, *models.TransitionError,
	// *models.DuplicateError.
	AmendFiling(ctx context.Context, scope models.Scope, actor models.Actor, id, reason string,
		amounts models.EnteredAmounts) (models.Filing, error)
	// UpdateFiling reads a filing, calls change and writes the result with all effects on its transactions,
	// in one database transaction. Errors: models.ErrNotFound, *models.TransitionError, *models.FilingNotReadyError,
	// *models.FilingUnresolvedError, *models.FilingAmountError, *models.FilingLiabilityError, *models.InvalidError,
	// and those of change.
	UpdateFiling(ctx context.Context, scope models.Scope, actor models.Actor, id string,
		change func(*models.Filing) error) (models.Filing, error)
	// FilingEntries lists the entries of a filing, the oldest first.
	FilingEntries(ctx context.Context, scope models.Scope, id string) ([]models.FilingEntry, error)
	// PaymentStates reads what is stored about the payments of filings, by filing id.
	PaymentStates(ctx context.Context, scope models.Scope, ids []string) (map[string]models.PaymentState, error)
	// SecondPerson reports whether the organization requires a second person. Errors: models.ErrNotFound,
	// *models.SecondPersonError if the actor may not decide about the filing.
	SecondPerson(ctx context.Context, scope models.Scope, actor models.Actor, id string) (required bool, err error)
	// FilingHistory lists the events of a filing, the oldest first. Errors: models.ErrNotFound.
	FilingHistory(ctx context.Context, scope models.Scope, id string,
		page models.Page) (models.List[models.FilingEvent], error)
}

// Reports are the reports of filings.
type Reports interface {
	// FilingExists checks that a filing exists. Errors: models.ErrNotFound.
	FilingExists(ctx context.Context, scope models.Scope, id string) error
	// ReadReport reads a report at one moment, its transactions in the order of their ids. Errors: models.ErrNotFound,
	// and those of the reader.
	ReadReport(ctx context.Context, scope models.Scope, filingID string, to report.Reader) error
	// Figures reads the figures of a filing. Errors: models.ErrNotFound.
	Figures(ctx context.Context, scope models.Scope, filingID string) (models.FilingFigures, error)
	// FilingWithFigures returns a filing with its entries, and its figures, which agree with its sums. Errors:
	// models.ErrNotFound.
	FilingWithFigures(ctx context.Context, scope models.Scope, id string) (models.Filing, models.FilingFigures, error)
	// Corrections returns the amendments of earlier periods that a return of the one-stop shop corrects; none for other filings.
	Corrections(ctx context.Context, scope models.Scope, f models.Filing) (models.ShopCorrections, error)
	// ReturnFacts reads what the document of a filing is made of. Errors: models.ErrNotFound.
	ReturnFacts(ctx context.Context, scope models.Scope, id string) (models.ReturnFacts, error)
	// FactsOf completes a filing and its figures, which FilingWithFigures has read, to such facts. Errors: models.ErrNotFound.
	FactsOf(ctx context.Context, scope models.Scope, f models.Filing, figures models.FilingFigures) (models.ReturnFacts, error)
	// AcknowledgementsTo returns the stored acknowledgements of a document, the oldest first.
	AcknowledgementsTo(ctx context.Context, scope models.Scope, d models.FilingDocument) ([]models.Acknowledgement, error)
	// DocumentOfAttempt reads the stored document of an attempt. Errors: models.ErrNotFound.
	DocumentOfAttempt(ctx context.Context, scope models.Scope, attempt models.Attempt) (models.FilingDocument, error)
	// AddAcknowledgement stores a message of an authority to a document, which a person has brought. A repetition changes nothing.
	AddAcknowledgement(ctx context.Context, scope models.Scope, authority string, d models.FilingDocument, message []byte) error
	// VerifyReport computes a report again from the stored records. The result of the comparison is nil before FILED.
	// Errors: models.ErrNotFound.
	VerifyReport(ctx context.Context, scope models.Scope, filingID string) (*report.Head, *report.Result, error)
}
