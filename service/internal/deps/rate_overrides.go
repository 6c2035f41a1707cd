package deps

import (
	"context"

	"levy/models"
)

// RateOverrides are the rates that organizations set for their own sales.
type RateOverrides interface {
	// CreateRateOverride creates a rate override. Errors: *models.LimitError.
	CreateRateOverride(ctx context.Context, scope models.Scope, actor models.Actor, o *models.RateOverride) error
	// RateOverride reads a rate override. Errors: models.ErrNotFound.
	RateOverride(ctx context.Context, scope models.Scope, id string) (models.RateOverride, error)
	// ListRateOverrides lists the rate overrides that pass the filter.
	ListRateOverrides(ctx context.Context, scope models.Scope, f models.RateOverrideFilter, order []models.Order,
		page models.Page) (models.List[models.RateOverride], error)
	// DeleteRateOverride deletes a rate override and returns it. Errors: models.ErrNotFound.
	DeleteRateOverride(ctx context.Context, scope models.Scope, actor models.Actor, id string) (models.RateOverride, error)
}
