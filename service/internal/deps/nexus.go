package deps

import (
	"context"

	"levy/models"
	"levy/tax/calendar"
)

// Nexus are the nexus records and the records that they depend on.
type Nexus interface {
	// ListNexus lists the records that pass the filter.
	ListNexus(ctx context.Context, scope models.Scope, f models.NexusFilter, order []models.Order,
		page models.Page) (models.List[models.NexusRecord], error)
	// Nexus reads one record. Errors: models.ErrNotFound.
	Nexus(ctx context.Context, scope models.Scope, id string) (models.NexusRecord, error)
	// DisregardNexus reads a record, calls change and writes the disregarded days. Errors: models.ErrNotFound,
	// and those of change.
	DisregardNexus(ctx context.Context, scope models.Scope, actor models.Actor, id string,
		change func(*models.NexusRecord) error) (models.NexusRecord, error)
	// LoadNexus reads the records that the nexus of an organization depends on.
	LoadNexus(ctx context.Context, organizationID string, day calendar.Date, all bool) (models.NexusCase, error)
	// LoadNexusPlace is LoadNexus for the place of one record. Errors: models.ErrNotFound.
	LoadNexusPlace(ctx context.Context, scope models.Scope, id string, day calendar.Date) (models.NexusCase, error)
	// ConversionRates returns the rate of each pair on its day, or shortly before.
	ConversionRates(ctx context.Context,
		pairs []models.CurrencyPair) (map[models.CurrencyPair]models.ConversionRate, error)

	// CreatePhysicalNexus records a presence.
	CreatePhysicalNexus(ctx context.Context, scope models.Scope, actor models.Actor, p *models.PhysicalNexus) error
	// PhysicalNexus reads one presence. Errors: models.ErrNotFound.
	PhysicalNexus(ctx context.Context, scope models.Scope, id string) (models.PhysicalNexus, error)
	// ListPhysicalNexus lists the presences that pass the filter.
	ListPhysicalNexus(ctx context.Context, scope models.Scope, f models.PhysicalNexusFilter, order []models.Order,
		page models.Page) (models.List[models.PhysicalNexus], error)
	// PhysicalNexusCategories lists the categories of the recorded presences.
	PhysicalNexusCategories(ctx context.Context, scope models.Scope, f models.PhysicalNexusFilter) ([]string, error)
	// UpdatePhysicalNexus reads a presence, calls change and writes the result. Errors: models.ErrNotFound,
	// and those of change.
	UpdatePhysicalNexus(ctx context.Context, scope models.Scope, actor models.Actor, id string,
		change func(*models.PhysicalNexus) error) (models.PhysicalNexus, error)
	// DeletePhysicalNexus deletes a presence and returns it. Errors: models.ErrNotFound.
	DeletePhysicalNexus(
		ctx context.Context, scope models.Scope, actor models.Actor, id string,
	) (models.PhysicalNexus, error)
}
