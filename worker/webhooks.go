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

const (
	// webhookInterval is the time between two polls. It is short, also while there is no endpoint: events are on their
	// way soon after they happened, and so is the first one of the first endpoint.
	webhookInterval = 200 * time.Millisecond
	// webhookFullInterval is after which time all endpoints are polled, whatever happened.
	webhookFullInterval = time.Minute
)

// DueWebhooks are the endpoints for which there is something to send and no run is open.
type DueWebhooks interface {
	// WebhookSummary reads by one cheap statement whether there may be any.
	WebhookSummary(ctx context.Context) (models.WebhookSummary, error)
	// LeaseWebhooks leases up to limit of them; no other process gets them for a minute.
	LeaseWebhooks(ctx context.Context, poll models.WebhookPoll, limit int) (models.WebhookPolled, error)
}

// webhookPoller is up to where one process has polled.
type webhookPoller struct {
	records DueWebhooks
	now     func() time.Time
	upTo    int64               // this number of the feed
	running []models.WebhookRef // their run was open at the last poll and may have missed what happened
	fullAt  time.Time           // when all endpoints were polled last
}

// due leases endpoints where the summary says that there is something to do for one.
func (p *webhookPoller) due(ctx context.Context, limit int) ([]models.WebhookEndpoint, error) {
	now := p.now()
	summary, err := p.records.WebhookSummary(ctx)
	if err != nil {
		return nil, err
	}
	full := now.Sub(p.fullAt) >= webhookFullInterval
	happened := summary.Enabled && (full || summary.Newest != p.upTo)
	if !happened && !summary.Due && len(p.running) == 0 {
		return nil, nil // planning the lease alone takes 40 ms
	}
	polled, err := p.records.LeaseWebhooks(ctx, models.WebhookPoll{Full: full, After: p.upTo, Running: p.running}, limit)
	if err != nil {
		return nil, err
	}
	if len(polled.Leased) == limit {
		return polled.Leased, nil // there may be more, which the same poll finds
	}
	// guard: webhooks: what a run may have missed is polled again
	p.upTo, p.running = polled.UpTo, polled.Running
	if full {
		p.fullAt = now
	}
	return polled.Leased, nil
}

// NewWebhookSweeper starts the run of each endpoint for which something happened, or signals the one that waits.
func NewWebhookSweeper(client sdkclient.Client, records DueWebhooks, log *slog.Logger) *Sweeper {
	poller := &webhookPoller{records: records, now: time.Now}
	return &Sweeper{
		kind: "webhooks", tick: webhookInterval, rows: 50, calls: 4, budget: rate.NewLimiter(100, 10), log: log,
		due: tasks(poller.due, func(ctx context.Context, w models.WebhookEndpoint) error {
			in := workflows.DeliverInput{WebhookRef: models.WebhookRef{OrganizationID: w.OrganizationID, ID: w.ID}}
			_, err := client.SignalWithStartWorkflow(
				ctx, workflows.WebhookID(w.ID), workflows.WakeSignal, nil, workflows.WebhookStart(&w),
				workflows.DeliverWebhooksName, in,
			)
			if err != nil {
				return fmt.Errorf("webhook endpoint %s: %w", w.ID, err)
			}
			return nil
		}),
	}
}
