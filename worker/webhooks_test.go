package worker

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// endpoints records how it is polled.
type endpoints struct {
	summary models.WebhookSummary
	found   models.WebhookPolled
	asked   int
	polls   []models.WebhookPoll
}

func (e *endpoints) WebhookSummary(context.Context) (models.WebhookSummary, error) {
	e.asked++
	return e.summary, nil
}

func (e *endpoints) LeaseWebhooks(_ context.Context, poll models.WebhookPoll, _ int) (models.WebhookPolled, error) {
	e.polls = append(e.polls, poll)
	return e.found, nil
}

// Endpoints are polled when there may be events, otherwise seldom. The first endpoint waits for one interval at most.
func TestThePollOfWebhooksReadsLittleWhileNothingHappens(t *testing.T) {
	t.Parallel()
	records, now := &endpoints{}, time.Now()
	poller := &webhookPoller{records: records, now: func() time.Time { return now }}
	after := func(what string, pause time.Duration, asked int, polls ...models.WebhookPoll) {
		t.Helper()
		now = now.Add(pause)
		records.asked, records.polls = 0, nil
		leased, err := poller.due(t.Context(), 2)
		require.NoError(t, err)
		require.Equal(t, asked, records.asked, what)
		require.Equal(t, polls, records.polls, what)
		if len(polls) > 0 {
			require.Equal(t, records.found.Leased, leased, what)
		}
	}
	after("there are none", 0, 1)
	records.summary.Newest = 7
	after("what happens is for nobody", webhookFullInterval, 1)
	records.summary.Enabled, records.found.UpTo = true, 7
	after("the first one has its first event", webhookInterval, 1, models.WebhookPoll{Full: true})
	after("nothing is new", webhookInterval, 1)
	records.summary.Newest, records.found.Leased = 9, make([]models.WebhookEndpoint, 2)
	after("much happened", webhookInterval, 1, models.WebhookPoll{After: 7})
	running := []models.WebhookRef{{OrganizationID: "org_1", ID: "whep_1"}}
	records.found = models.WebhookPolled{Leased: make([]models.WebhookEndpoint, 1), Running: running, UpTo: 8}
	after("not all was taken", webhookInterval, 1, models.WebhookPoll{After: 7})
	records.found = models.WebhookPolled{UpTo: 9}
	after("a run was open, and somebody was still writing", webhookInterval, 1,
		models.WebhookPoll{After: 8, Running: running})
	after("nothing is new again", webhookInterval, 1)
	records.summary.Due = true
	after("a run was lost", webhookInterval, 1, models.WebhookPoll{After: 9})
	records.summary.Due = false
	after("a minute is over", webhookFullInterval, 1, models.WebhookPoll{Full: true, After: 9})
}
