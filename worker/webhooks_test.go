package worker

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// endpoints note what they are asked.
type endpoints struct {
	summary models.WebhookSummary
	found   models.WebhookFound
	asked   int
	looks   []models.WebhookPoll
}

func (e *endpoints) WebhookSummary(context.Context) (models.WebhookSummary, error) {
	e.asked++
	return e.summary, nil
}

func (e *endpoints) LeaseWebhooks(_ context.Context, look models.WebhookPoll, _ int) (models.WebhookFound, error) {
	e.looks = append(e.looks, look)
	return e.found, nil
}

// Endpoints are looked at when something may be new, and else seldom; while there are none, hardly anything is asked.
func TestTheWatchOfWebhooksAsksLittleWhileNothingHappens(t *testing.T) {
	t.Parallel()
	records, now := &endpoints{}, time.Now()
	look := &webhookLook{records: records, now: func() time.Time { return now }}
	after := func(what string, pause time.Duration, asked int, looks ...models.WebhookPoll) {
		t.Helper()
		now = now.Add(pause)
		records.asked, records.looks = 0, nil
		leased, err := look.due(t.Context(), 2)
		require.NoError(t, err)
		require.Equal(t, asked, records.asked, what)
		require.Equal(t, looks, records.looks, what)
		if len(looks) > 0 {
			require.Equal(t, records.found.Leased, leased, what)
		}
	}
	after("the first time", 0, 1, models.WebhookPoll{All: true})
	after("there are none", webhookTick, 0)
	records.summary.Newest = 7
	after("what happens is for nobody", withoutWebhooks, 1)
	records.summary.Enabled, records.found.UpTo = true, 7
	after("there is one", withoutWebhooks, 1, models.WebhookPoll{})
	after("nothing is new", webhookTick, 1)
	records.summary.Newest, records.found.Leased = 9, make([]models.WebhookEndpoint, 2)
	after("much happened", webhookTick, 1, models.WebhookPoll{After: 7})
	working := []models.WebhookRef{{OrganizationID: "org_1", ID: "whep_1"}}
	records.found = models.WebhookFound{Leased: make([]models.WebhookEndpoint, 1), Working: working, UpTo: 8}
	after("not all was taken", webhookTick, 1, models.WebhookPoll{After: 7})
	records.found = models.WebhookFound{UpTo: 9}
	after("a run was at work, and somebody was still writing", webhookTick, 1, models.WebhookPoll{After: 8, Again: working})
	after("nothing is new again", webhookTick, 1)
	records.summary.Due = true
	after("a run was lost", webhookTick, 1, models.WebhookPoll{After: 9})
	records.summary.Due = false
	after("to be certain", webhookCertainty, 1, models.WebhookPoll{All: true, After: 9})
}
