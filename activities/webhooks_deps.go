package activities

import (
	"context"
	"net/http"

	"levy/internal/secret"
	"levy/internal/webhook"
	"levy/models"
)

// WebhookRecords are endpoints and what is to be sent to them.
type WebhookRecords interface {
	// LeaseBatch makes the deliveries of what has happened and leases those that are due, at most that many.
	LeaseBatch(ctx context.Context, ref models.WebhookRef, most int) (models.WebhookBatch, error)
	// SaveDelivered writes results of attempts that delivered their events, before the batch ends.
	SaveDelivered(ctx context.Context, ref models.WebhookRef, delivered []models.WebhookResult) error
	// SaveBatch writes the results of the attempts and the new throttle of the endpoint. Leased deliveries that were not
	// attempted are due again.
	SaveBatch(
		ctx context.Context, ref models.WebhookRef, throttle models.WebhookThrottle,
		results []models.WebhookResult, left []string,
	) error
	// SetIdle notes that nothing is to be sent now, and says what is left.
	SetIdle(ctx context.Context, ref models.WebhookRef) (models.WebhookState, error)
}

// WebhookKeys give the key under which the secrets of an organization are sealed.
type WebhookKeys interface {
	Key(ctx context.Context, organizationID string) (*secret.DataKey, error)
}

// EventDocuments write events. Package api implements it, because they are what its answers show.
type EventDocuments interface {
	// Documents returns the JSON of each event, in their order.
	Documents(ctx context.Context, events []models.Event) ([][]byte, error)
}

// WebhookSender sends a request once.
type WebhookSender interface {
	Post(ctx context.Context, address string, headers http.Header, body []byte) webhook.Reply
}
