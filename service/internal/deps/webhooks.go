package deps

import (
	"context"

	"levy/models"
)

// Webhooks are the endpoints to which events are sent, and their deliveries.
type Webhooks interface {
	// CreateWebhookEndpoint writes a new endpoint. Errors: *models.LimitError.
	CreateWebhookEndpoint(ctx context.Context, scope models.Scope, actor models.Actor, w *models.WebhookEndpoint) error
	// WebhookEndpoint reads an endpoint. Errors: models.ErrNotFound.
	WebhookEndpoint(ctx context.Context, scope models.Scope, id string) (models.WebhookEndpoint, error)
	// ListWebhookEndpoints lists endpoints.
	ListWebhookEndpoints(ctx context.Context, scope models.Scope, order []models.Order,
		page models.Page) (models.List[models.WebhookEndpoint], error)
	// UpdateWebhookEndpoint lets change alter an endpoint and writes it. Errors: models.ErrNotFound.
	UpdateWebhookEndpoint(
		ctx context.Context, scope models.Scope, actor models.Actor, id string, change func(*models.WebhookEndpoint),
	) (models.WebhookEndpoint, error)
	// DeleteWebhookEndpoint deletes an endpoint. Errors: models.ErrNotFound.
	DeleteWebhookEndpoint(ctx context.Context, scope models.Scope, actor models.Actor, id string) error
	// RotateWebhookSecret replaces the secret of an endpoint. Errors: models.ErrNotFound, models.ErrChangedMeanwhile.
	RotateWebhookSecret(
		ctx context.Context, scope models.Scope, actor models.Actor, id string, secret models.WebhookSecret,
	) (models.WebhookEndpoint, error)
	// ListWebhookDeliveries lists the deliveries of an endpoint, the newest first. Errors: models.ErrNotFound.
	ListWebhookDeliveries(
		ctx context.Context, scope models.Scope, endpointID string, page models.Page,
	) (models.List[models.WebhookDelivery], error)
	// Redeliver has an event sent once more. Errors: models.ErrNotFound, *models.TransitionError.
	Redeliver(ctx context.Context, scope models.Scope, actor models.Actor, endpointID,
		id string) (models.WebhookDelivery, error)
	// Ping has a test event sent. Errors: models.ErrNotFound, *models.TransitionError.
	Ping(ctx context.Context, scope models.Scope, actor models.Actor, endpointID string) (models.WebhookDelivery, error)
	// Replay has the events of a span sent once more. Errors: models.ErrNotFound, *models.TransitionError.
	Replay(
		ctx context.Context, scope models.Scope, actor models.Actor, endpointID string, span models.WebhookSpan,
	) (models.WebhookReplay, error)
}

// Addresses says whether an address of a client may be called. Errors: *webhook.RefusedError; others when nobody can
// say at the moment what its name means.
type Addresses interface {
	CheckAddress(ctx context.Context, address string) error
}
