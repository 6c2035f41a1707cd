package api

import (
	"context"

	"levy/models"
)

// Filings are the returns of registrations. Their workflow follows them by itself.
type Filings interface {
	// CreateFiling writes a filing in any status, once check agrees. Errors:
	// *models.ReferencesNotFoundError, *models.DuplicateError (filing), those of
	// UpdateFiling, and those of check.
	CreateFiling(ctx context.Context, scope models.Scope, actor models.Actor, f models.Filing,
		check func(*models.Filing, models.Registration) error) (models.Filing, error)
	// Filing reads one filing. Errors: models.ErrNotFound.
	Filing(ctx context.Context, scope models.Scope, id string) (models.Filing, error)
	// ListFilings lists the filings that pass the filter.
	ListFilings(ctx context.Context, scope models.Scope, f models.FilingFilter, order []models.Order, page models.Page) (models.List[models.Filing], error)
	// UpdateFiling reads a filing, lets change alter it and writes it with all that its
	// move means for its transactions, in one database transaction. Errors:
	// models.ErrNotFound, *models.TransitionError, *models.FilingNotReadyError,
	// *models.FilingLiabilityError, *models.InvalidError, and those of change.
	UpdateFiling(ctx context.Context, scope models.Scope, actor models.Actor, id string, change func(*models.Filing) error) (models.Filing, error)
}
