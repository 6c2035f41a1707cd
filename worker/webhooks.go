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
	// webhookInterval is the time between two polls. It is short, so that an event is sent soon after it happened. It
	// is as short while there is no endpoint, for the first event of the first one.
	webhookInterval = 200 * time.Millisecond
	// webhookFullInterval is the time between two polls of all endpoints.
	webhookFullInterval = time.Minute
)

// DueWebhooks leases the endpoints that have events to send and no open run.
type DueWebhooks interface {
	// WebhookSummary reads by one cheap statement whether there may be such endpoints.
	WebhookSummary(ctx context.Context) (models.WebhookSummary, error)
	// LeaseWebhooks leases up to limit such endpoints. No other process gets them for a minute.
	LeaseWebhooks(ctx context.Context, poll models.WebhookPoll, limit int) (models.WebhookPolled, error)
}

// webhookPoller knows how far one process has polled the feed of events.
type webhookPoller struct {
	records DueWebhooks
	now     func() time.Time
	upTo    int64               // the number of the last event that was polled
	running []models.WebhookRef // endpoints whose run was open at the last poll, and may have missed an event
	fullAt  time.Time           // when all endpoints were last polled
}

// due leases endpoints if the summary shows that one may have events to send.
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
		return polled.Leased, nil // there may be more endpoints, which the same poll finds
	}
	// guard: webhooks: what a run may have missed is polled again
	p.upTo, p.running = polled.UpTo, polled.Running
	if full {
		p.fullAt = now
	}
	return polled.Leased, nil
}

// NewWebhookSweeper returns the sweeper that starts the run of each endpoint with new events, or signals its open run.
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
