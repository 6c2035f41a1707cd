package feed

import (
	"context"
	"strconv"
	"strings"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/service/internal/output"
)

// endpointColumns are the columns of the list of endpoints as a file.
var endpointColumns = []output.Column[contract.WebhookEndpoint]{
	{Name: "id", Value: func(r *contract.WebhookEndpoint) string { return r.ID }},
	{Name: "url", Text: true, Value: func(r *contract.WebhookEndpoint) string { return r.URL }},
	{Name: "description", Text: true, Value: func(r *contract.WebhookEndpoint) string { return convert.ValueOf(r.Description) }},
	{Name: "status", Value: func(r *contract.WebhookEndpoint) string { return string(r.Status) }},
	{Name: "disabled_reason", Value: func(r *contract.WebhookEndpoint) string { return convert.ValueOf(r.DisabledReason) }},
	{Name: "enabled_events", Text: true, Value: func(r *contract.WebhookEndpoint) string { return strings.Join(r.EnabledEvents, " ") }},
	{Name: "include_clients", Value: func(r *contract.WebhookEndpoint) string { return strconv.FormatBool(r.IncludeClients) }},
	{Name: "signature_scheme", Value: func(r *contract.WebhookEndpoint) string { return string(r.SignatureScheme) }},
	{Name: "created_at", Value: func(r *contract.WebhookEndpoint) string { return convert.InstantText(r.CreatedAt) }},
	{Name: "updated_at", Value: func(r *contract.WebhookEndpoint) string { return convert.InstantText(r.UpdatedAt) }},
}

// ExportWebhookEndpoints sends the list of endpoints as a file.
func (o *Operations) ExportWebhookEndpoints(
	ctx context.Context, r contract.ExportWebhookEndpointsRequest, out contract.Stream,
) error {
	order, file := convert.OrderOf(r.Params.OrderBy), output.ListFile{Name: "webhooks", Format: r.Params.Format}
	return output.ExportList(ctx, o.outputs, out, file, endpointColumns,
		func(ctx context.Context, page models.Page) (models.List[contract.WebhookEndpoint], error) {
			list, err := o.deps.Webhooks.ListWebhookEndpoints(ctx, call.Of(ctx).Scope, order, page)
			return output.Answers(list, err, endpointAnswer)
		})
}

// deliveryColumns are the columns of the list of deliveries as a file.
var deliveryColumns = []output.Column[contract.WebhookDelivery]{
	{Name: "id", Value: func(r *contract.WebhookDelivery) string { return r.ID }},
	{Name: "event_id", Value: func(r *contract.WebhookDelivery) string { return r.EventID }},
	{Name: "type", Value: func(r *contract.WebhookDelivery) string { return r.Type }},
	{Name: "status", Value: func(r *contract.WebhookDelivery) string { return string(r.Status) }},
	{Name: "attempts", Value: func(r *contract.WebhookDelivery) string { return strconv.Itoa(len(r.Attempts)) }},
	{Name: "last_attempt_at", Value: func(r *contract.WebhookDelivery) string {
		return lastAttempt(r, func(a *contract.WebhookAttempt) string { return convert.InstantText(a.At) })
	}},
	{Name: "last_status", Value: func(r *contract.WebhookDelivery) string {
		return lastAttempt(r, func(a *contract.WebhookAttempt) string { return convert.OptionalNumberText(a.HTTPStatus) })
	}},
	{Name: "last_error", Value: func(r *contract.WebhookDelivery) string {
		return lastAttempt(r, func(a *contract.WebhookAttempt) string { return convert.ValueOf(a.Error) })
	}},
	{Name: "next_attempt_at", Value: func(r *contract.WebhookDelivery) string { return convert.OptionalInstantText(r.NextAttemptAt) }},
	{Name: "replay_id", Value: func(r *contract.WebhookDelivery) string { return r.ReplayID }},
	{Name: "created_at", Value: func(r *contract.WebhookDelivery) string { return convert.InstantText(r.CreatedAt) }},
}

// lastAttempt returns a value of the latest attempt of a delivery; "" before the first one.
func lastAttempt(d *contract.WebhookDelivery, value func(*contract.WebhookAttempt) string) string {
	if len(d.Attempts) == 0 {
		return ""
	}
	return value(&d.Attempts[len(d.Attempts)-1])
}

// ExportWebhookDeliveries sends the list of deliveries to an endpoint as a file.
func (o *Operations) ExportWebhookDeliveries(
	ctx context.Context, r contract.ExportWebhookDeliveriesRequest, out contract.Stream,
) error {
	filter := models.WebhookDeliveryFilter{Failed: r.Params.Failed, Since: r.Params.CreatedAtGte}
	file := output.ListFile{Name: "deliveries", Format: r.Params.Format}
	return output.ExportList(ctx, o.outputs, out, file, deliveryColumns,
		func(ctx context.Context, page models.Page) (models.List[contract.WebhookDelivery], error) {
			list, err := o.deps.Webhooks.ListWebhookDeliveries(ctx, call.Of(ctx).Scope, r.WebhookEndpointID, filter, page)
			return output.Answers(list, err, deliveryAnswer)
		})
}
