package activities

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/internal/secret"
	"levy/internal/webhook"
	"levy/models"
	"levy/rules"
)

// oneKey is a store of data keys with the key of one organization.
type oneKey struct{ stored *secret.WrappedKey }

func (k *oneKey) DataKey(context.Context, string) (key secret.WrappedKey, ok bool, err error) {
	if k.stored == nil {
		return key, false, nil
	}
	return *k.stored, true, nil
}

func (k *oneKey) AddDataKey(_ context.Context, _ string, key secret.WrappedKey) (secret.WrappedKey, error) {
	k.stored = &key
	return key, nil
}

// pings are documents of events of which nothing matters.
type pings struct{}

func (pings) Documents(_ context.Context, events []models.Event) ([][]byte, error) {
	return slices.Repeat([][]byte{[]byte("{}")}, len(events)), nil
}

// replies answers one request after the other, and those behind with a success.
type replies []webhook.Reply

func (r *replies) Post(context.Context, string, http.Header, []byte) webhook.Reply {
	if len(*r) == 0 {
		return webhook.Reply{Status: http.StatusNoContent}
	}
	next := (*r)[0]
	*r = (*r)[1:]
	return next
}

// oneEndpoint is a store with one endpoint, whose deliveries are handed out once.
type oneEndpoint struct {
	batch models.WebhookBatch
	saved []models.WebhookResult
	wait  time.Duration // until the next attempt, once nothing is due

	replaying bool
	onEarly   func(delivered []models.WebhookResult) error // saves before the end of a batch; nil fails
}

func (e *oneEndpoint) LeaseBatch(context.Context, models.WebhookRef, int) (models.WebhookBatch, error) {
	batch := e.batch
	e.batch.Deliveries = nil
	return batch, nil
}

func (e *oneEndpoint) SaveDelivered(_ context.Context, _ models.WebhookRef, delivered []models.WebhookResult) error {
	if e.onEarly != nil {
		return e.onEarly(delivered)
	}
	return errors.New("later")
}

func (e *oneEndpoint) SaveBatch(
	_ context.Context, _ models.WebhookRef, _ models.WebhookThrottle, results []models.WebhookResult, _ []string,
) error {
	e.saved = append(e.saved, results...)
	return nil
}

func (e *oneEndpoint) SetIdle(context.Context, models.WebhookRef) (models.WebhookState, error) {
	return models.WebhookState{Status: models.WebhookEnabled, Pending: 1, Wait: &e.wait, Replaying: e.replaying}, nil
}

// aBatch has five deliveries to an endpoint that is asked one after the other, and the vault that opens its secret.
func aBatch(t *testing.T) (models.WebhookBatch, *secret.Vault) {
	t.Helper()
	ring, err := secret.ParseRing(secret.NewMasterKey("k1"))
	require.NoError(t, err)
	vault := secret.NewVault(ring, &oneKey{})
	key, err := vault.KeyOrNew(t.Context(), "org_1")
	require.NoError(t, err)
	plain, _ := webhook.NewSecret(webhook.SchemeShared)
	batch := models.WebhookBatch{
		Endpoint: models.WebhookEndpoint{OrganizationID: "org_1", ID: "whep_1",
			Secret: key.Seal(models.WebhookSecretField("whep_1"), []byte(plain))},
		Throttle: models.WebhookThrottle{Concurrency: 1},
	}
	for n := range 5 {
		batch.Deliveries = append(batch.Deliveries, models.WebhookSending{
			WebhookDelivery: models.WebhookDelivery{ID: "wdel_" + strconv.Itoa(n), Sequence: int64(n + 1)},
			Event:           &models.Event{Sequence: int64(n + 1), CreatedAt: time.Now()},
		})
	}
	return batch, vault
}

// An endpoint that does not answer in time is not called again in the same batch. It would occupy a worker for as many
// timeouts as it has deliveries. Deliveries that were not attempted are released.
func TestATimeoutEndsTheBatch(t *testing.T) {
	t.Parallel()
	batch, vault := aBatch(t)
	sender := &replies{{Status: 500}, {Failed: webhook.FailedTimeout}}
	a := NewWebhooks(nil, vault, pings{}, sender, nil, slog.New(slog.DiscardHandler))
	results, left, err := a.send(t.Context(), &batch)
	require.NoError(t, err)
	require.Empty(t, *sender)
	require.Equal(t, []string{"wdel_2", "wdel_3", "wdel_4"}, left)
	require.Len(t, results, 2)
	require.Equal(t, models.WebhookTimeout, results[1].Attempt.Error)
	attempts := []models.WebhookAttempt{results[0].Attempt, results[1].Attempt}
	require.Equal(t, time.Second, rules.ThrottleWebhook(batch.Throttle, attempts).Pause)
}

// lastWaits answers the last of a batch once the others are stored.
type lastWaits struct {
	mu       sync.Mutex
	requests int
	stored   chan struct{}
}

func (s *lastWaits) Post(context.Context, string, http.Header, []byte) webhook.Reply {
	s.mu.Lock()
	s.requests++
	last := s.requests == 5
	s.mu.Unlock()
	if last {
		<-s.stored
	}
	return webhook.Reply{Status: http.StatusNoContent}
}

// Otherwise an event that was delivered would read PENDING until a slow request of its batch has ended.
func TestADeliveredEventIsSavedWhileOthersAreUnderWay(t *testing.T) {
	t.Parallel()
	batch, vault := aBatch(t)
	batch.Throttle.Concurrency = 2
	sender := &lastWaits{stored: make(chan struct{})}
	endpoint, early := &oneEndpoint{batch: batch}, map[string]bool{}
	endpoint.onEarly = func(delivered []models.WebhookResult) error {
		for _, r := range delivered {
			early[r.DeliveryID] = true
		}
		if len(early) == 4 {
			close(sender.stored)
		}
		return nil
	}
	count := func(string) {}
	a := NewWebhooks(endpoint, vault, pings{}, sender, count, slog.New(slog.DiscardHandler))
	step := execute[DeliverStep](t, a, "Deliver", models.WebhookRef{OrganizationID: "org_1", ID: "whep_1"})
	require.Equal(t, 5, step.Delivered)
	require.Len(t, endpoint.saved, 5)
	for _, r := range endpoint.saved {
		require.Equal(t, early[r.DeliveryID], r.Saved, "each is written once")
	}
}

// A worker that stops does not send again what was delivered.
func TestWhatWasDeliveredIsSavedWhenTheActivityIsCancelled(t *testing.T) {
	t.Parallel()
	batch, vault := aBatch(t)
	batch.Deliveries = batch.Deliveries[:1]
	ctx, cancel := context.WithCancel(t.Context())
	var saved []models.WebhookResult
	endpoint := &oneEndpoint{onEarly: func(delivered []models.WebhookResult) error {
		saved = delivered
		return nil
	}}
	a := NewWebhooks(endpoint, vault, pings{}, cancelling{cancel}, nil, slog.New(slog.DiscardHandler))
	_, _, err := a.send(ctx, &batch)
	require.ErrorIs(t, err, context.Canceled)
	require.Len(t, saved, 1)
	require.Equal(t, models.WebhookDelivered, saved[0].Outcome.Status)
}

// cancelling answers, and cancels the activity.
type cancelling struct{ cancel context.CancelFunc }

func (s cancelling) Post(context.Context, string, http.Header, []byte) webhook.Reply {
	s.cancel()
	return webhook.Reply{Status: http.StatusNoContent}
}

// The pauses of failed deliveries end shortly after each other. Each would be an activity of its own, and the thousands
// of a dead endpoint would keep a worker and Temporal busy.
func TestAttemptsThatAreDueWithinASecondAreMadeTogether(t *testing.T) {
	t.Parallel()
	for wait, want := range map[time.Duration]time.Duration{
		20 * time.Millisecond: time.Second, 5 * time.Second: 5 * time.Second,
	} {
		a := NewWebhooks(&oneEndpoint{wait: wait}, nil, pings{}, nil, nil, slog.New(slog.DiscardHandler))
		step := execute[DeliverStep](t, a, "Deliver", models.WebhookRef{OrganizationID: "org_1", ID: "whep_1"})
		require.Equal(t, want.Milliseconds(), step.WaitMillis)
	}
	// A replay reads past thousands of events that are not of its span.
	a := NewWebhooks(&oneEndpoint{replaying: true}, nil, pings{}, nil, nil, slog.New(slog.DiscardHandler))
	step := execute[DeliverStep](t, a, "Deliver", models.WebhookRef{OrganizationID: "org_1", ID: "whep_1"})
	require.EqualValues(t, 1, step.WaitMillis)
}

// brokenSender panics in its second request.
type brokenSender struct{ requests int }

func (s *brokenSender) Post(context.Context, string, http.Header, []byte) webhook.Reply {
	if s.requests++; s.requests == 2 {
		panic("broken")
	}
	return webhook.Reply{Status: http.StatusNoContent}
}

// brokenDocuments panics for the event of a number.
type brokenDocuments struct {
	pings
	sequence int64
}

func (d brokenDocuments) Documents(ctx context.Context, events []models.Event) ([][]byte, error) {
	for _, e := range events {
		if e.Sequence == d.sequence {
			panic("broken")
		}
	}
	return d.pings.Documents(ctx, events)
}

// A defect of Levy uses up no attempts of a receiver. A panic would end the process again and again, or fail the
// activity. Then the results of the others of its batch would not be recorded, and they would be sent again.
func TestADefectEndsNoDelivery(t *testing.T) {
	t.Parallel()
	batch, vault := aBatch(t)
	for i := range batch.Deliveries {
		batch.Deliveries[i].Tries = 9
	}
	unsigned := batch
	unsigned.Endpoint.Secret = []byte("lost")
	for name, test := range map[string]struct {
		batch     models.WebhookBatch
		documents EventDocuments
		sender    WebhookSender
		defects   map[string]string // by delivery
	}{
		"an event that cannot be written": {batch, brokenDocuments{sequence: 2}, &replies{},
			map[string]string{"wdel_1": "event_unreadable"}},
		"a request that panics": {batch, pings{}, &brokenSender{}, map[string]string{"wdel_1": "not_completed"}},
		"a secret that cannot be opened": {unsigned, pings{}, &replies{}, map[string]string{
			"wdel_0": "not_signed", "wdel_1": "not_signed", "wdel_2": "not_signed", "wdel_3": "not_signed", "wdel_4": "not_signed"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			endpoint, counted := &oneEndpoint{batch: test.batch}, map[string]int{}
			count := func(result string) { counted[result]++ }
			a := NewWebhooks(endpoint, vault, test.documents, test.sender, count, slog.New(slog.DiscardHandler))
			step := execute[DeliverStep](t, a, "Deliver", models.WebhookRef{OrganizationID: "org_1", ID: "whep_1"})
			require.Equal(t, "did not get an event because of a defect of Levy", step.LastProblem)
			require.Len(t, endpoint.saved, 5)
			require.Equal(t, []int{5 - len(test.defects), len(test.defects)}, []int{step.Delivered, step.Failed})
			found := map[string]string{}
			for _, r := range endpoint.saved {
				if r.Outcome.Status != models.WebhookDelivered {
					require.Equal(t, models.WebhookPending, r.Outcome.Status)
					found[r.DeliveryID] = r.Attempt.Error
				}
			}
			require.Equal(t, test.defects, found)
			require.Equal(t, len(found), counted["defect"])
		})
	}
}
