package deps

import (
	"context"

	"levy/models"
)

// APIKeys are the records of keys.
type APIKeys interface {
	// CreateAPIKey writes the record of a new key. Errors: *models.LimitError if the organization has the largest
	// number of active keys.
	CreateAPIKey(ctx context.Context, scope models.Scope, actor models.Actor, k *models.APIKey) error
	// APIKey reads one record. Errors: models.ErrNotFound.
	APIKey(ctx context.Context, scope models.Scope, id string) (models.APIKey, error)
	// ListAPIKeys lists the records of all keys or of active keys only.
	ListAPIKeys(ctx context.Context, scope models.Scope, activeOnly bool, order []models.Order,
		page models.Page) (models.List[models.APIKey], error)
	// UpdateAPIKey reads the record of a key, calls change and writes the result, all in one database transaction.
	// Errors: models.ErrNotFound, *models.TransitionError for an end that would revive an expired key.
	UpdateAPIKey(ctx context.Context, scope models.Scope, actor models.Actor, id string,
		change func(*models.APIKey) error) (models.APIKey, error)
	// RotateAPIKey writes the record of a key that replaces another one, with its name, metadata, scopes and end.
	// Errors: models.ErrNotFound, *models.TransitionError for a key that is not active, *models.LimitError,
	// models.ErrForbidden for a key that ends after the key of the caller.
	RotateAPIKey(ctx context.Context, scope models.Scope, actor models.Actor, rotation models.APIKeyRotation) error
	// EndAPIKey revokes a key permanently. It returns what became of the things that the key made. A leaked key ends all of
	// them. Errors: models.ErrNotFound.
	EndAPIKey(ctx context.Context, scope models.Scope, actor models.Actor, id string,
		leaked bool) (models.Aftermath, error)
}
