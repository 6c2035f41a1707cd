package deps

import (
	"context"

	"levy/models"
)

// Registrations are the records of registrations. A caller need not notify their workflows of a change.
type Registrations interface {
	// CreateRegistration writes a registration. Errors: *models.DuplicateError (registration).
	CreateRegistration(ctx context.Context, scope models.Scope, actor models.Actor, r *models.Registration) error
	// Registration reads one registration. Errors: models.ErrNotFound.
	Registration(ctx context.Context, scope models.Scope, id string) (models.Registration, error)
	// ListRegistrations lists the registrations that pass the filter.
	ListRegistrations(ctx context.Context, scope models.Scope, f models.RegistrationFilter, order []models.Order,
		page models.Page) (models.List[models.Registration], error)
	// NexusPlace reads the jurisdiction of a nexus record and the country of the business, which is empty
	// while unknown. Errors: models.ErrNotFound.
	NexusPlace(ctx context.Context, scope models.Scope, nexusID string) (models.NexusPlace, error)
	// UpdateRegistration reads a registration, calls change and writes the result, all in one database transaction.
	// Errors: models.ErrNotFound, and those of change.
	UpdateRegistration(ctx context.Context, scope models.Scope, actor models.Actor, id string,
		change func(*models.Registration) error) (models.Registration, error)
}
