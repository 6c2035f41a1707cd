package api

import (
	"context"

	"levy/contract"
	"levy/models"
)

// ListWebhookDeliveries lists what was sent to an endpoint.
func (s *Server) ListWebhookDeliveries(
	ctx context.Context, r contract.ListWebhookDeliveriesRequest,
) (contract.WebhookDeliveryList, error) {
	p := r.Params
	page, err := pageAfter(ctx, p.After, r.WebhookEndpointID, nil, pageOf(p.Page, p.Size))
	if err != nil {
		return contract.WebhookDeliveryList{}, err
	}
	list, err := s.deps.Webhooks.ListWebhookDeliveries(ctx, callOf(ctx).scope, r.WebhookEndpointID, page.Page)
	answer, err := cursorAnswer(list, err, page, deliveryAnswer)
	return contract.WebhookDeliveryList(answer), err
}

// RedeliverWebhook sends an event once more.
func (s *Server) RedeliverWebhook(
	ctx context.Context, r contract.RedeliverWebhookRequest,
) (contract.WebhookDelivery, error) {
	call := callOf(ctx)
	d, err := s.deps.Webhooks.Redeliver(ctx, call.scope, call.actor(), r.WebhookEndpointID, r.DeliveryID)
	return deliveryAnswer(d), err
}

// TestWebhookEndpoint sends a test event.
func (s *Server) TestWebhookEndpoint(
	ctx context.Context, r contract.TestWebhookEndpointRequest,
) (contract.WebhookDelivery, error) {
	call := callOf(ctx)
	d, err := s.deps.Webhooks.Ping(ctx, call.scope, call.actor(), r.WebhookEndpointID)
	return deliveryAnswer(d), err
}

// ReplayWebhookEvents sends the events of a span once more.
func (s *Server) ReplayWebhookEvents(
	ctx context.Context, r contract.ReplayWebhookEventsRequest,
) (contract.WebhookReplay, error) {
	call, span := callOf(ctx), models.WebhookSpan{Since: r.Body.Since, Until: r.Body.Until, Types: r.Body.Types}
	if faults := spanFaults(span); faults != nil {
		return contract.WebhookReplay{}, &models.InvalidError{Faults: faults}
	}
	replay, err := s.deps.Webhooks.Replay(ctx, call.scope, call.actor(), r.WebhookEndpointID, span)
	return contract.WebhookReplay{ReplayID: replay.ID, Events: replay.Events}, err
}

// spanFaults refuses a span that ends before it begins.
func spanFaults(span models.WebhookSpan) []models.Fault {
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
		ReplayID: valueOf(d.ReplayID), Status: contract.WebhookDeliveryStatus(d.Status),
		Attempts: convertAll(d.Attempts, attemptAnswer), NextAttemptAt: optionalInstant(d.NextAttemptAt),
	}
}

func attemptAnswer(a models.WebhookAttempt) contract.WebhookAttempt {
	return contract.WebhookAttempt{
		At: instant(a.At), HTTPStatus: optional(a.HTTPStatus), DurationMs: a.Duration, Error: optional(a.Error),
	}
}
