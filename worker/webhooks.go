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
	// webhookTick is short: events are on their way soon after they happened.
	webhookTick = 200 * time.Millisecond
	// withoutWebhooks is how often is asked whether there are endpoints while there are none.
	withoutWebhooks = time.Second
	// webhookCertainty is after which time every endpoint is looked at, whatever happened.
	webhookCertainty = time.Minute
)

// DueWebhooks are the endpoints for which there is something to send that no run sees to.
type DueWebhooks interface {
	// WebhookSummary reads by one cheap statement whether there may be any.
	WebhookSummary(ctx context.Context) (models.WebhookSummary, error)
	// LeaseWebhooks takes up to limit of them; nobody else gets them for a minute.
	LeaseWebhooks(ctx context.Context, look models.WebhookPoll, limit int) (models.WebhookFound, error)
}

// webhookLook is how far one process has looked.
type webhookLook struct {
	records DueWebhooks
	now     func() time.Time
	none    bool                // there is no endpoint
	seen    int64               // up to this number of the feed
	working []models.WebhookRef // what happened while a run worked on them may have been missed by it
	asked   time.Time           // when the summary was read last
	certain time.Time           // when all endpoints were looked at last
}

// due takes endpoints where the summary says that there is something to do for one.
func (l *webhookLook) due(ctx context.Context, limit int) ([]models.WebhookEndpoint, error) {
	now := l.now()
	if l.none && now.Sub(l.asked) < withoutWebhooks {
		return nil, nil
	}
	summary, err := l.records.WebhookSummary(ctx)
	if err != nil {
		return nil, err
	}
	l.asked, l.none = now, !summary.Enabled && !summary.Due
	all := now.Sub(l.certain) >= webhookCertainty
	if !all && !summary.Due && len(l.working) == 0 && (!summary.Enabled || summary.Newest == l.seen) {
		return nil, nil
	}
	found, err := l.records.LeaseWebhooks(ctx, models.WebhookPoll{All: all, After: l.seen, Again: l.working}, limit)
	if err != nil {
		return nil, err
	}
	if len(found.Leased) == limit {
		return found.Leased, nil // there are others, who are found by the same look
	}
	// guard: webhooks: what a run may have missed is looked for again
	l.seen, l.working = found.UpTo, found.Working
	if all {
		l.certain = now
	}
	return found.Leased, nil
}

// NewWebhookWatch starts the run of each endpoint for which something happened, or tells the one that waits.
func NewWebhookWatch(client sdkclient.Client, records DueWebhooks, log *slog.Logger) *Sweeper {
	look := &webhookLook{records: records, now: time.Now}
	return &Sweeper{
		what: "webhooks", tick: webhookTick, rows: 50, calls: 4, budget: rate.NewLimiter(100, 10), log: log,
		due: tasks(look.due, func(ctx context.Context, w models.WebhookEndpoint) error {
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
