package web

import (
	"fmt"
	"levy/contract"
	"slices"
	"strings"

	"github.com/oapi-codegen/nullable"

	"levy/models"
)

// webhook is a webhook endpoint.
type webhook struct{ contract.WebhookEndpoint }

// Enabled reports whether events are sent to the endpoint.
func (w webhook) Enabled() bool { return models.WebhookStatus(w.Status) == models.WebhookEnabled }

// Why returns why the endpoint is disabled.
func (w webhook) Why() string { return DisabledReason(valueOf(w.DisabledReason)) }

// webhookList is a page of the list of endpoints.
type webhookList struct {
	listPage

	Items  []webhook
	Fields []field
}

// webhookForm returns the fields for the address and the events of an endpoint.
func webhookForm() []field {
	return []field{
		{Name: "url", Label: "Address", Kind: "url", Required: true, Max: 2000, Placeholder: "https://"},
		{Name: "events", Path: "enabled_events", Label: "Events (all if empty)", Kind: "text", Max: 1000,
			Placeholder: "filing.*"},
	}
}

// webhookPage is the page of an endpoint with its deliveries.
type webhookPage struct {
	cursor
	webhook
	listPage

	Items []contract.WebhookDelivery
}

// Resends reports whether the person may redeliver an event. A disabled endpoint gets no deliveries.
func (p webhookPage) Resends(who *user, org string) bool {
	return p.Enabled() && who.may(org, models.RoleAdmin)
}

// Waiting reports whether a delivery is pending. Its progress is no event that the page could follow.
func (p webhookPage) Waiting() bool {
	return slices.ContainsFunc(p.Items, func(d contract.WebhookDelivery) bool {
		return models.WebhookDeliveryStatus(d.Status) == models.WebhookPending
	})
}

func (c *Console) webhooks(v *pageRequest) error {
	list := webhookList{Fields: v.inputs("", webhookForm()...)}
	found, err := v.session.WithQuery(pick(v.URL.Query(), "page")).
		ListWebhookEndpoints(v.Context(), contract.ListWebhookEndpointsRequest{})
	if err != nil {
		return err
	}
	list.listPage = v.pageOf(found.Total, found.Page, found.Pages)
	for _, each := range found.Items {
		list.Items = append(list.Items, webhook{each})
	}
	return v.show("Webhooks", list)
}

// createWebhook creates an endpoint and shows its secret once.
func (c *Console) createWebhook(v *pageRequest) error {
	sent := map[string]any{"url": strings.TrimSpace(v.PostFormValue("url"))}
	events := strings.FieldsFunc(v.PostFormValue("events"), func(r rune) bool { return r == ',' || r == ' ' })
	if len(events) > 0 {
		sent["enabled_events"] = events
	}
	session, err := v.sending(sent)
	if err != nil {
		return err
	}
	created, err := session.CreateWebhookEndpoint(v.Context(), contract.CreateWebhookEndpointRequest{})
	if refused, ok := correctable(err); ok {
		for i, e := range refused.Errors {
			var at int
			if _, err := fmt.Sscanf(e.Location, "body.enabled_events[%d]", &at); err == nil && at < len(events) {
				refused.Errors[i].Message = "“" + events[at] + "”: " + e.Message
			}
		}
		return refused.fromForm(originsOf(webhookForm()))
	}
	if err != nil {
		return err
	}
	return v.showOnce(newSecret(created), c.webhooks)
}

func newSecret(of contract.WebhookEndpoint) shownOnce {
	return shownOnce{Title: "The new secret of the endpoint", Secret: of.Secret,
		Says: "It verifies the signatures of what is sent, and is shown only now."}
}

// webhookOf shows an endpoint with its deliveries.
func (c *Console) webhookOf(v *pageRequest) error {
	id := v.PathValue("id")
	endpoint, err := v.session.GetWebhookEndpoint(v.Context(), contract.GetWebhookEndpointRequest{WebhookEndpointID: id})
	if err != nil {
		return err
	}
	found, err := v.session.WithQuery(pick(v.URL.Query(), "page", "after", "status")).
		ListWebhookDeliveries(v.Context(), contract.ListWebhookDeliveriesRequest{WebhookEndpointID: id})
	if err != nil {
		return err
	}
	page := webhookPage{webhook: webhook{endpoint}, Items: found.Items}
	page.listPage, page.NextCursor = v.pageOf(found.Total, found.Page, found.Pages), valueOf(found.NextCursor)
	return v.show("Webhook", page)
}

// changeWebhook tests, enables, disables or deletes an endpoint, replaces its secret, or redelivers an event. A new
// secret is shown once.
func (c *Console) changeWebhook(v *pageRequest) error {
	id := v.PathValue("id")
	var err error
	switch action := v.PostFormValue("action"); action {
	case "redeliver":
		_, err = v.session.RedeliverWebhook(v.Context(), contract.RedeliverWebhookRequest{
			WebhookEndpointID: id, DeliveryID: v.PostFormValue("delivery"),
		})
	case "test":
		_, err = v.session.TestWebhookEndpoint(v.Context(), contract.TestWebhookEndpointRequest{WebhookEndpointID: id})
	case "rotate":
		request := contract.RotateWebhookSecretRequest{WebhookEndpointID: id}
		created, refused := v.session.RotateWebhookSecret(v.Context(), request)
		if err = refused; err == nil {
			return v.showOnce(newSecret(created), c.webhookOf)
		}
	case "enable":
		err = v.setWebhookStatus(id, models.WebhookEnabled)
	case "disable":
		err = v.setWebhookStatus(id, models.WebhookDisabled)
	case "remove":
		err = v.session.DeleteWebhookEndpoint(v.Context(), contract.DeleteWebhookEndpointRequest{WebhookEndpointID: id})
		if err == nil {
			return v.goToOwn("webhooks")
		}
	default:
		err = unknownAction()
	}
	return v.goBack(err)
}

// setWebhookStatus enables or disables an endpoint.
func (v *pageRequest) setWebhookStatus(id string, status models.WebhookStatus) error {
	_, err := v.session.UpdateWebhookEndpoint(v.Context(), contract.UpdateWebhookEndpointRequest{
		WebhookEndpointID: id, Body: contract.WebhookEndpointUpdate{
			Status: nullable.NewNullableWithValue(contract.WebhookEndpointStatus(status)),
		},
	})
	return err
}
