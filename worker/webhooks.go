package worker

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	sdkclient "go.temporal.io/sdk/client"
	"golang.org/x/time/rate"

	"levy/models"
	"levy/workflows"
)

// webhookTick is short: events are on their way soon after they happened.
const webhookTick = 100 * time.Millisecond

// DueWebhooks are the endpoints for which there is something to send that no run sees to.
type DueWebhooks interface {
	// LeaseWebhooks takes up to limit of them; nobody else gets them for a minute.
	LeaseWebhooks(ctx context.Context, limit int) ([]models.WebhookEndpoint, error)
}

// NewWebhookWatch starts the run of each endpoint for which something happened, or tells the one that waits.
func NewWebhookWatch(client sdkclient.Client, records DueWebhooks, log *slog.Logger) *Sweeper {
	return &Sweeper{
		what: "webhooks", tick: webhookTick, rows: 50, calls: 4, budget: rate.NewLimiter(100, 10), log: log,
		due: tasks(records.LeaseWebhooks, func(ctx context.Context, w models.WebhookEndpoint) error {
			in := workflows.DeliverInput{WebhookRef: models.WebhookRef{OrganizationID: w.OrganizationID, ID: w.ID}}
			_, err := client.SignalWithStartWorkflow(
				ctx, workflows.WebhookID(w.ID), workflows.WakeSignal, nil, workflows.WebhookStart(&w), workflows.DeliverWebhooksName, in,
			)
			if err != nil {
				return fmt.Errorf("webhook endpoint %s: %w", w.ID, err)
			}
			return nil
		}),
	}
}
