package feed

import (
	"context"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
)

// ListWebhookDeliveries lists the deliveries to an endpoint.
func (o *Operations) ListWebhookDeliveries(
	ctx context.Context, r contract.ListWebhookDeliveriesRequest,
) (contract.WebhookDeliveryList, error) {
	p := r.Params
	filter := models.WebhookDeliveryFilter{Failed: p.Failed, Since: p.CreatedAtGte}
	listed := any(r.WebhookEndpointID)
	if filter != (models.WebhookDeliveryFilter{}) { // cursors of earlier releases have no filter
		listed = []any{r.WebhookEndpointID, filter}
	}
	page, err := convert.PageAfter(ctx, p.After, listed, nil, convert.PageOf(p.Page, p.Size))
	if err != nil {
		return contract.WebhookDeliveryList{}, err
	}
	list, err := o.deps.Webhooks.ListWebhookDeliveries(ctx, call.Of(ctx).Scope, r.WebhookEndpointID, filter, page.Page)
	answer, err := convert.CursorAnswer(list, err, page, deliveryAnswer)
	return contract.WebhookDeliveryList(answer), err
}

// RedeliverWebhook queues a delivery once more.
func (o *Operations) RedeliverWebhook(
	ctx context.Context, r contract.RedeliverWebhookRequest,
) (contract.WebhookDelivery, error) {
	c := call.Of(ctx)
	d, err := o.deps.Webhooks.Redeliver(ctx, c.Scope, c.Actor(), r.WebhookEndpointID, r.DeliveryID)
	return deliveryAnswer(d), err
}

// TestWebhookEndpoint queues a test event.
func (o *Operations) TestWebhookEndpoint(
	ctx context.Context, r contract.TestWebhookEndpointRequest,
) (contract.WebhookDelivery, error) {
	c := call.Of(ctx)
	d, err := o.deps.Webhooks.Ping(ctx, c.Scope, c.Actor(), r.WebhookEndpointID)
	return deliveryAnswer(d), err
}

// ReplayWebhookEvents queues the events of a span once more.
func (o *Operations) ReplayWebhookEvents(
	ctx context.Context, r contract.ReplayWebhookEventsRequest,
) (contract.WebhookReplay, error) {
	c, span := call.Of(ctx), models.WebhookSpan{Since: r.Body.Since, Until: r.Body.Until, Types: r.Body.Types}
	if faults := SpanFaults(span); faults != nil {
		return contract.WebhookReplay{}, &models.InvalidError{Faults: faults}
	}
	replay, err := o.deps.Webhooks.Replay(ctx, c.Scope, c.Actor(), r.WebhookEndpointID, span)
	return contract.WebhookReplay{ReplayID: replay.ID, Events: replay.Events}, err
}

// SpanFaults returns a fault for a span that ends before it begins.
func SpanFaults(span models.WebhookSpan) []models.Fault {
	if span.Until.IsZero() || !span.Until.Before(span.Since) {
		return nil
	}
	return []models.Fault{{
		Code: models.FieldMismatch, Path: "until", Message: "until must not be before since.",
		Of: []string{"since"},
	}}
}

func deliveryAnswer(d models.WebhookDelivery) contract.WebhookDelivery {
	return contract.WebhookDelivery{
		ID: d.ID, EventID: d.EventID(), Type: d.Type,
		ReplayID: convert.ValueOf(d.ReplayID), Status: contract.WebhookDeliveryStatus(d.Status),
		Attempts: convert.ConvertAll(d.Attempts, attemptAnswer), NextAttemptAt: convert.OptionalInstant(d.NextAttemptAt),
		CreatedAt: convert.Instant(d.CreatedAt),
	}
}

func attemptAnswer(a models.WebhookAttempt) contract.WebhookAttempt {
	return contract.WebhookAttempt{
		At: convert.Instant(a.At), HTTPStatus: convert.Optional(a.HTTPStatus), DurationMs: a.Duration, Error: convert.Optional(a.Error),
	}
}
