package feed

import (
	"context"
	"strconv"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/service/internal/output"
)

// endpointColumns are the columns of the list of endpoints as a file.
var endpointColumns = output.Columns[contract.WebhookEndpoint](`
	id 'url 'description status disabled_reason 'enabled_events include_clients signature_scheme created_at updated_at`, nil)

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
var deliveryColumns = output.Columns[contract.WebhookDelivery](`
	id event_id type status attempts last_attempt_at last_status last_error next_attempt_at replay_id created_at`,
	map[string]func(*contract.WebhookDelivery) string{
		"attempts": func(r *contract.WebhookDelivery) string { return strconv.Itoa(len(r.Attempts)) },
		"last_attempt_at": func(r *contract.WebhookDelivery) string {
			return lastAttempt(r, func(a *contract.WebhookAttempt) string { return convert.InstantText(a.At) })
		},
		"last_status": func(r *contract.WebhookDelivery) string {
			return lastAttempt(r, func(a *contract.WebhookAttempt) string { return convert.OptionalNumberText(a.HTTPStatus) })
		},
		"last_error": func(r *contract.WebhookDelivery) string {
			return lastAttempt(r, func(a *contract.WebhookAttempt) string { return convert.ValueOf(a.Error) })
		},
	})

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
