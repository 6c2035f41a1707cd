package activities

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"levy/internal/failpoint"
	"levy/internal/webhook"
	"levy/models"
	"levy/rules"
)

const (
	// deliverTime is how long one activity goes on while there is something to send.
	deliverTime = 10 * time.Second
	// perConnection is how many deliveries of one batch each of the requests under way carries out.
	perConnection = 4
	// shortestWait is the shortest pause before failed deliveries are repeated. The pauses of many deliveries end shortly
	// after each other, and without it each would be an activity of its own. New events and replays do not wait.
	shortestWait = time.Second
	// saveTime is how long a cancelled activity may take to store what was delivered.
	saveTime = 5 * time.Second
)

// Webhooks holds the activity of the workflow DeliverWebhooks.
type Webhooks struct {
	records WebhookRecords
	keys    WebhookKeys
	events  EventDocuments
	sender  WebhookSender
	count   func(result string)
	now     func() time.Time
	log     *slog.Logger
}

// NewWebhooks returns the activity of DeliverWebhooks. count gets the result of each attempt once it is recorded:
// delivered, retried, failed or defect.
func NewWebhooks(
	records WebhookRecords, keys WebhookKeys, events EventDocuments, sender WebhookSender,
	count func(result string), log *slog.Logger,
) *Webhooks {
	return &Webhooks{records: records, keys: keys, events: events, sender: sender, count: count, now: time.Now, log: log}
}

// DeliverStep is how far the deliveries to an endpoint are.
type DeliverStep struct {
	Status      models.WebhookStatus `json:"status,omitempty"` // empty when the endpoint is gone
	Reason      string               `json:"reason,omitempty"` // why it is disabled
	Delivered   int                  `json:"delivered"`        // by this activity
	Failed      int                  `json:"failed"`           // attempts of this activity
	Pending     int                  `json:"pending"`
	LastProblem string               `json:"last_problem,omitempty"` // of an attempt that is repeated
	More        bool                 `json:"more,omitempty"`         // there is something to send now
	WaitMillis  int64                `json:"wait_ms,omitempty"`      // until there is; 0 for never
}

// Deliver sends what is due to an endpoint, batch by batch, for a while. It may be repeated at any time: what it has
// sent and not recorded is sent once more.
func (a *Webhooks) Deliver(ctx context.Context, ref models.WebhookRef) (DeliverStep, error) {
	if ref.OrganizationID == "" || ref.ID == "" {
		return DeliverStep{}, invalidInput("no endpoint given")
	}
	var step DeliverStep
	err := withHeartbeats(ctx, a.log, func(ctx context.Context) (err error) {
		step, err = a.deliver(ctx, ref)
		return err
	})
	if err != nil {
		report(ctx, a.log, "webhooks not delivered", err)
		return DeliverStep{}, failure(err, countDefect(ctx, err))
	}
	return step, nil
}

func (a *Webhooks) deliver(ctx context.Context, ref models.WebhookRef) (step DeliverStep, err error) {
	most := rules.FirstWebhooks * perConnection
	for until := a.now().Add(deliverTime); a.now().Before(until) && ctx.Err() == nil; {
		batch, err := a.records.LeaseBatch(ctx, ref, most)
		if err != nil {
			return step, err
		}
		if batch.Over || len(batch.Deliveries) == 0 {
			return a.idle(ctx, ref, step)
		}
		results, left, err := a.send(ctx, &batch)
		if err != nil {
			return step, err
		}
		attempts := make([]models.WebhookAttempt, len(results))
		for i, r := range results {
			attempts[i] = r.Attempt
		}
		throttle := rules.ThrottleWebhook(batch.Throttle, attempts)
		if err := failpoint.Hit("webhook_before_save"); err != nil {
			return step, err
		}
		if err := a.records.SaveBatch(ctx, ref, throttle, results, left); err != nil {
			return step, err
		}
		a.note(&step, results)
		most = throttle.Concurrency * perConnection
	}
	step.More = true
	return step, ctx.Err()
}

// idle ends the work for now.
func (a *Webhooks) idle(ctx context.Context, ref models.WebhookRef, step DeliverStep) (DeliverStep, error) {
	state, err := a.records.SetIdle(ctx, ref)
	if err != nil {
		return step, err
	}
	step.Status, step.Reason, step.Pending = state.Status, state.Reason, state.Pending
	if last := state.LastAttempt; last != nil {
		step.LastProblem = problemOf(*last)
	}
	if wait := state.Wait; wait != nil {
		shortest := shortestWait
		if state.Replaying {
			shortest = time.Millisecond
		}
		step.WaitMillis = max(*wait, shortest).Milliseconds()
	}
	return step, nil
}

// send attempts the deliveries of a batch, as many at once as the throttle of the endpoint allows. After a timeout it
// starts no further attempt, so a dead endpoint delays the worker once and not for each delivery. left are the
// deliveries that were not attempted.
func (a *Webhooks) send(
	ctx context.Context, batch *models.WebhookBatch,
) (results []models.WebhookResult, left []string, err error) {
	secrets, err := a.secrets(ctx, &batch.Endpoint)
	if _, passing := classify(err); err != nil && passing {
		return nil, nil, err
	}
	if err != nil { // the merchant sees it in each delivery
		a.log.ErrorContext(ctx, "webhooks cannot be signed", "endpoint", batch.Endpoint.ID, "error", diagnosis(err))
	}
	bodyOf, err := a.bodies(ctx, batch.Deliveries)
	if err != nil {
		return nil, nil, err
	}
	ref := models.WebhookRef{OrganizationID: batch.Endpoint.OrganizationID, ID: batch.Endpoint.ID}
	made := make([]models.WebhookResult, len(batch.Deliveries))
	early := storeEarly(len(made), func(delivered []models.WebhookResult) error {
		return a.records.SaveDelivered(ctx, ref, delivered)
	})
	eachAtOnce(len(made), batch.Throttle.Concurrency, func(i int) (more bool) {
		d, r := &batch.Deliveries[i], &made[i]
		r.DeliveryID, r.Attempt.At = d.ID, a.now().UTC().Truncate(time.Millisecond)
		err := guarded(ctx, a.log, func(ctx context.Context) error {
			a.attempt(ctx, &batch.Endpoint, d, secrets, bodyOf[d.Sequence], &r.Attempt)
			return nil
		})
		if err != nil { // it is repeated like any other; what the others were answered is recorded
			r.Attempt.Error = models.WebhookNotCompleted
		}
		r.Outcome = rules.NextWebhookAttempt(&d.WebhookDelivery, r.Attempt)
		early.ended(r)
		return r.Attempt.Error != models.WebhookTimeout
	})
	early.close()
	for i, d := range batch.Deliveries {
		if made[i].DeliveryID == "" {
			left = append(left, d.ID)
			continue
		}
		results = append(results, made[i])
	}
	if ctx.Err() != nil {
		a.saveInterrupted(ctx, ref, results)
	}
	return results, left, ctx.Err()
}

// saveInterrupted stores what was delivered before the activity was cancelled, so that it is not sent again. The other
// results are lost: their deliveries are attempted again after the lease.
func (a *Webhooks) saveInterrupted(ctx context.Context, ref models.WebhookRef, results []models.WebhookResult) {
	var delivered []models.WebhookResult
	for _, r := range results {
		if r.Outcome.Status == models.WebhookDelivered && !r.Saved {
			delivered = append(delivered, r)
		}
	}
	if len(delivered) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), saveTime)
	defer cancel()
	if err := a.records.SaveDelivered(ctx, ref, delivered); err != nil {
		a.log.WarnContext(ctx, "delivered webhooks are sent again", "endpoint", ref.ID, "error", diagnosis(err))
	}
}

// bodies writes the events of a batch, by their numbers. One that cannot be written is left out, so that it holds up no
// other.
func (a *Webhooks) bodies(ctx context.Context, deliveries []models.WebhookSending) (map[int64][]byte, error) {
	var events []models.Event
	for _, d := range deliveries {
		if d.Event != nil {
			events = append(events, *d.Event)
		}
	}
	bodyOf := make(map[int64][]byte, len(events))
	all, err := a.write(ctx, events)
	if _, passing := classify(err); err != nil && passing {
		return nil, err
	}
	for i, e := range events {
		if err == nil {
			bodyOf[e.Sequence] = all[i]
			continue
		}
		one, err := a.write(ctx, events[i:i+1])
		if _, passing := classify(err); err != nil && passing {
			return nil, err
		}
		if err != nil {
			a.log.ErrorContext(ctx, "event cannot be written", "event", e.ID(), "type", e.Type, "error", diagnosis(err))
			continue
		}
		bodyOf[e.Sequence] = one[0]
	}
	return bodyOf, ctx.Err()
}

// write guards what writes the bodies of events, in their order.
func (a *Webhooks) write(ctx context.Context, events []models.Event) (bodies [][]byte, err error) {
	err = guarded(ctx, a.log, func(ctx context.Context) error {
		documents, err := a.events.Documents(ctx, events)
		if err != nil {
			return err
		}
		bodies = make([][]byte, len(events))
		for i, e := range events {
			if bodies[i], err = webhookBody(e, documents[i]); err != nil {
				return err
			}
		}
		return nil
	})
	return bodies, err
}

// secrets are those that sign, the newest first.
func (a *Webhooks) secrets(ctx context.Context, w *models.WebhookEndpoint) ([]string, error) {
	key, err := a.keys.Key(ctx, w.OrganizationID)
	if err != nil {
		return nil, err
	}
	sealed := [][]byte{w.Secret}
	if w.FormerUntil != nil && a.now().Before(*w.FormerUntil) {
		sealed = append(sealed, w.FormerSecret)
	}
	secrets := make([]string, len(sealed))
	for i := range sealed {
		plain, err := key.Open(models.WebhookSecretField(w.ID), sealed[i])
		if err != nil {
			return nil, err
		}
		secrets[i] = string(plain)
	}
	return secrets, nil
}

func (a *Webhooks) attempt(
	ctx context.Context, w *models.WebhookEndpoint, d *models.WebhookSending, secrets []string, body []byte,
	made *models.WebhookAttempt,
) {
	headers, err := webhook.Headers(d.EventID(), made.At, body, secrets...)
	switch {
	case d.Event == nil:
		made.Error = models.WebhookEventGone
	case body == nil:
		made.Error = models.WebhookUnreadable
	case err != nil || len(secrets) == 0:
		made.Error = models.WebhookNotSigned
	default:
		reply := a.sender.Post(ctx, w.URL, headers, body)
		made.HTTPStatus, made.Error, made.RetryAfter = reply.Status, reply.Failed, reply.RetryAfter
		made.Duration = reply.Took.Milliseconds()
	}
}

// note counts what was recorded.
func (a *Webhooks) note(step *DeliverStep, results []models.WebhookResult) {
	for _, r := range results {
		switch {
		case r.Outcome.Status == models.WebhookDelivered:
			step.Delivered++
			a.count("delivered")
			continue
		case rules.WebhookDefect(r.Attempt):
			a.count("defect")
		case r.Outcome.Status == models.WebhookPending:
			a.count("retried")
		default:
			a.count("failed")
		}
		step.Failed++
		step.LastProblem = problemOf(r.Attempt)
	}
}

// problemOf says in plain words why an attempt failed.
func problemOf(made models.WebhookAttempt) string {
	switch made.Error {
	case "":
		return "answered " + http.StatusText(made.HTTPStatus)
	case webhook.FailedTimeout:
		return "did not answer in time"
	case webhook.FailedAddress:
		return "has an address that is not public"
	case webhook.FailedName:
		return "has a name without an address"
	case webhook.FailedTLS:
		return "has no valid certificate"
	case webhook.FailedRefused:
		return "refused the connection"
	case webhook.FailedRedirect:
		return "answered with a redirect"
	case models.WebhookUnreadable, models.WebhookNotSigned, models.WebhookNotCompleted:
		return "did not get an event because of a defect of Levy"
	case models.WebhookEventGone:
		return "did not get an event that is kept no longer"
	}
	return "lost the connection"
}
