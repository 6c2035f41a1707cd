package deps

import (
	"context"
	"time"

	"levy/models"
)

// Webhooks are the endpoints that receive events, and their deliveries.
type Webhooks interface {
	// CreateWebhookEndpoint writes a new endpoint. Errors: *models.LimitError.
	CreateWebhookEndpoint(ctx context.Context, scope models.Scope, actor models.Actor, w *models.WebhookEndpoint) error
	// WebhookEndpoint reads an endpoint. Errors: models.ErrNotFound.
	WebhookEndpoint(ctx context.Context, scope models.Scope, id string) (models.WebhookEndpoint, error)
	// ListWebhookEndpoints lists endpoints.
	ListWebhookEndpoints(ctx context.Context, scope models.Scope, order []models.Order,
		page models.Page) (models.List[models.WebhookEndpoint], error)
	// UpdateWebhookEndpoint reads an endpoint, calls change and writes the result. Errors: models.ErrNotFound.
	UpdateWebhookEndpoint(
		ctx context.Context, scope models.Scope, actor models.Actor, id string, change func(*models.WebhookEndpoint),
	) (models.WebhookEndpoint, error)
	// DeleteWebhookEndpoint deletes an endpoint. Errors: models.ErrNotFound.
	DeleteWebhookEndpoint(ctx context.Context, scope models.Scope, actor models.Actor, id string) error
	// RotateWebhookSecret replaces the secret of an endpoint. Errors: models.ErrNotFound, models.ErrChangedMeanwhile.
	RotateWebhookSecret(
		ctx context.Context, scope models.Scope, actor models.Actor, id string, secret models.WebhookSecret,
	) (models.WebhookEndpoint, error)
	// ListWebhookDeliveries lists the deliveries of an endpoint that pass a filter, the newest first. Errors:
	// models.ErrNotFound.
	ListWebhookDeliveries(
		ctx context.Context, scope models.Scope, endpointID string, filter models.WebhookDeliveryFilter, page models.Page,
	) (models.List[models.WebhookDelivery], error)
	// WebhookDeliverySums counts the deliveries since then, by the ids of endpoints. One without any is left out.
	WebhookDeliverySums(
		ctx context.Context, scope models.Scope, endpointIDs []string, since time.Time,
	) (map[string]models.WebhookDeliverySums, error)
	// Redeliver queues a delivery once more. Errors: models.ErrNotFound, *models.TransitionError.
	Redeliver(ctx context.Context, scope models.Scope, actor models.Actor, endpointID,
		id string) (models.WebhookDelivery, error)
	// Ping queues a test event. Errors: models.ErrNotFound, *models.TransitionError.
	Ping(ctx context.Context, scope models.Scope, actor models.Actor, endpointID string) (models.WebhookDelivery, error)
	// Replay queues the events of a span once more. Errors: models.ErrNotFound, *models.TransitionError.
	Replay(
		ctx context.Context, scope models.Scope, actor models.Actor, endpointID string, span models.WebhookSpan,
	) (models.WebhookReplay, error)
}

// Addresses checks that Levy may call an address of a client. Errors: *webhook.RefusedError, and others
// if its name cannot be resolved now.
type Addresses interface {
	CheckAddress(ctx context.Context, address string) error
}
