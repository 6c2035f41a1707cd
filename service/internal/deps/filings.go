package deps

import (
	"context"

	"levy/models"
	"levy/models/report"
)

// Filings are the returns of registrations. Their workflows observe changes by themselves.
type Filings interface {
	// CreateFiling writes a filing in any status, once check agrees. Errors:
	// *models.ReferencesNotFoundError, *models.DuplicateError (filing), those of
	// UpdateFiling, and those of check.
	CreateFiling(ctx context.Context, scope models.Scope, actor models.Actor, f models.Filing,
		check func(*models.Filing, models.Registration) error) (models.Filing, error)
	// Filing reads one filing. Errors: models.ErrNotFound.
	Filing(ctx context.Context, scope models.Scope, id string) (models.Filing, error)
	// ListFilings lists the filings that pass the filter.
	ListFilings(ctx context.Context, scope models.Scope, f models.FilingFilter, order []models.Order,
		page models.Page) (models.List[models.Filing], error)
	// ListDueFilings lists the filings of all organizations that are seen. Errors: *models.InvalidError for more
	// filings than can be sorted by amount.
	ListDueFilings(
		ctx context.Context, visible models.Visibility, f models.DueFilter, order []models.Order, page models.Page,
	) (models.DueList, error)
	// LiveReturns are what filings that wait add up to now, and what keeps them, by their ids. ids are of organizations,
	// entry by entry.
	LiveReturns(ctx context.Context, organizations, ids []string) (map[string]models.LiveReturn, error)
	// UpdateFiling reads a filing, lets change alter it and writes it with all that the
	// change means for its transactions, in one database transaction. Errors:
	// models.ErrNotFound, *models.TransitionError, *models.FilingNotReadyError,
	// *models.FilingUnresolvedError, *models.FilingAmountError, *models.FilingLiabilityError,
	// *models.InvalidError, and those of change.
	UpdateFiling(ctx context.Context, scope models.Scope, actor models.Actor, id string,
		change func(*models.Filing) error) (models.Filing, error)
	// FilingHistory lists what happened to a filing, the oldest first. Errors: models.ErrNotFound.
	FilingHistory(ctx context.Context, scope models.Scope, id string,
		page models.Page) (models.List[models.FilingEvent], error)
}

// Reports are the reports of filings.
type Reports interface {
	// FilingExists reports whether there is such a filing. Errors: models.ErrNotFound.
	FilingExists(ctx context.Context, scope models.Scope, id string) error
	// ReadReport reads a report as it stands at one moment, its transactions in the order of
	// their ids. Errors: models.ErrNotFound, and those of the reader.
	ReadReport(ctx context.Context, scope models.Scope, filingID string, to report.Reader) error
	// VerifyReport recomputes a report from what is stored now. The verdict is nil before
	// FILED. Errors: models.ErrNotFound.
	VerifyReport(ctx context.Context, scope models.Scope, filingID string) (*report.Head, *report.Result, error)
}
