package web

import (
	"bytes"
	"encoding/json"
	"html/template"
	"levy/contract"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/oapi-codegen/nullable"

	"levy/models"
)

// webhook is a webhook endpoint.
type webhook struct{ contract.WebhookEndpoint }

// Failing reports whether deliveries of the last hour failed.
func (w webhook) Failing() bool { return valueOf(w.LastHour).FailedCount > 0 }

// Sums returns the deliveries of the last hour in words; "" if they were not read.
func (w webhook) Sums() string {
	switch s := w.LastHour; {
	case s == nil:
		return ""
	case s.Count == 0:
		return "nothing in the last hour"
	default:
		return grouped(s.FailedCount) + " of " + grouped(s.Count) + " failed in the last hour"
	}
}

// deliverySums counts the deliveries of the last hour to an endpoint; nil if that failed.
func (v *pageRequest) deliverySums(id string) (*contract.WebhookDeliverySums, error) {
	params := contract.ListWebhookDeliveriesParams{Size: 1, CreatedAtGte: v.console.now().Add(-time.Hour)}
	request := contract.ListWebhookDeliveriesRequest{WebhookEndpointID: id, Params: params}
	all, err := v.session.ListWebhookDeliveries(v.Context(), request)
	if err != nil {
		return nil, err
	}
	sums := contract.WebhookDeliverySums{Count: all.Total}
	if sums.Count > 0 {
		request.Params.Failed = true
		failed, err := v.session.ListWebhookDeliveries(v.Context(), request)
		if err != nil {
			return nil, err
		}
		sums.FailedCount = failed.Total
	}
	return &sums, nil
}

// Enabled reports whether events are sent to the endpoint.
func (w webhook) Enabled() bool { return models.WebhookStatus(w.Status) == models.WebhookEnabled }

// Why returns why the endpoint is disabled.
func (w webhook) Why() string { return DisabledReason(valueOf(w.DisabledReason)) }

// webhookList is a page of the list of endpoints.
type webhookList struct {
	listPage

	Items  []webhook
	File   template.URL
	Fields []field
	Events []eventGroup
}

// webhookForm returns the field for the address of an endpoint.
func webhookForm() []field {
	return []field{{Name: "url", Label: "Address", Kind: "url", Required: true, Max: 2000, Placeholder: "https://"}}
}

// eventGroup is a group of types of events, such as all about returns. Each box asks for one type, or for all of them.
type eventGroup struct {
	All   field
	Types []field
}

// eventGroups returns the boxes for the events of an endpoint.
func (v *pageRequest) eventGroups() (groups []eventGroup) {
	for _, kind := range models.WebhookTypes {
		of, what, _ := strings.Cut(kind, ".")
		if all := of + ".*"; len(groups) == 0 || groups[len(groups)-1].All.Name != eventField(all) {
			box := field{Name: eventField(all), Label: recordType(of) + ": all", Kind: "check"}
			groups = append(groups, eventGroup{All: v.inputs("", box)[0]})
		}
		last := &groups[len(groups)-1]
		box := field{Name: eventField(kind), Label: sentence(what), Kind: "check"}
		last.Types = append(last.Types, v.inputs("", box)[0])
	}
	return groups
}

// eventField returns the name of the box for a type of events, or for all with a prefix.
func eventField(selector string) string { return "event_" + strings.ReplaceAll(selector, "*", "all") }

// Open reports whether a single type of the group is ticked.
func (g eventGroup) Open() bool { return slices.ContainsFunc(g.Types, field.Given) }

// eventsTyped returns the ticked types of events; none for all. A whole group takes the place of its types.
func (v *pageRequest) eventsTyped() (selected []string) {
	for _, kind := range models.WebhookTypes {
		of, _, _ := strings.Cut(kind, ".")
		all := of + ".*"
		switch whole := v.PostFormValue(eventField(all)) != ""; {
		case whole && !slices.Contains(selected, all):
			selected = append(selected, all)
		case !whole && v.PostFormValue(eventField(kind)) != "":
			selected = append(selected, kind)
		}
	}
	return selected
}

// webhookPage is the page of an endpoint with its deliveries.
type webhookPage struct {
	cursor
	webhook
	listPage

	Items  []delivery
	File   template.URL
	Failed bool    // only those whose latest attempt failed are listed
	Span   []field // the fields of the form that sends the events of a span again
}

// delivery is an event for an endpoint.
type delivery struct{ contract.WebhookDelivery }

// Last returns the latest attempt; nil if there was none.
func (d delivery) Last() *contract.WebhookAttempt {
	if len(d.Attempts) == 0 {
		return nil
	}
	return &d.Attempts[len(d.Attempts)-1]
}

// chosenField begins the names of the boxes that select deliveries.
const chosenField = "chosen_"

// Chosen is the box that selects the delivery to be sent again.
func (d delivery) Chosen() field {
	return field{Name: chosenField + d.ID, Kind: "check", Label: "Choose " + d.Type + ", " + d.EventID, Unseen: true,
		id: "chosen-" + d.ID}
}

// spanForm returns the fields for a span of which the events are sent again.
func spanForm() []field {
	return []field{
		required(as("since", date("since", "From the beginning of"))),
		hinted(as("until", date("until", "Until the end of")), "In UTC. Leave empty for all until now."),
	}
}

// Resends reports whether the person may redeliver an event. A disabled endpoint gets no deliveries.
func (p webhookPage) Resends(who *user, org string) bool {
	return p.Enabled() && who.may(org, models.RoleAdmin)
}

// Waiting reports whether a delivery is pending. Its progress is no event that the page could follow.
func (p webhookPage) Waiting() bool {
	return slices.ContainsFunc(p.Items, func(d delivery) bool {
		return models.WebhookDeliveryStatus(d.Status) == models.WebhookPending
	})
}

func (c *Console) webhooks(v *pageRequest) error {
	list := webhookList{Fields: v.inputs("", webhookForm()...), Events: v.eventGroups(),
		File: v.fileOf("webhooks", nil)}
	found, err := v.session.WithQuery(v.sized(pick(v.URL.Query(), "page"))).
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
	if events := v.eventsTyped(); len(events) > 0 {
		sent["enabled_events"] = events
	}
	session, err := v.sending(sent)
	if err != nil {
		return err
	}
	created, err := session.CreateWebhookEndpoint(v.Context(), contract.CreateWebhookEndpointRequest{})
	if refused, ok := correctable(err); ok {
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
	found, err := v.session.WithQuery(v.sized(pick(v.URL.Query(), append([]string{"page", "after"}, deliveryParameters...)...))).
		ListWebhookDeliveries(v.Context(), contract.ListWebhookDeliveriesRequest{WebhookEndpointID: id})
	if err != nil {
		return err
	}
	page := webhookPage{webhook: webhook{endpoint}, Failed: v.URL.Query().Get("failed") == "true",
		Span: v.inputs("replay", spanForm()...), File: v.fileOf("webhooks/"+url.PathEscape(id), v.URL.Query(), deliveryParameters...)}
	for _, each := range found.Items {
		page.Items = append(page.Items, delivery{each})
	}
	if page.LastHour, err = v.deliverySums(id); v.optional("the deliveries of the last hour", err) != nil {
		return err
	}
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
		err = v.redeliver(id)
	case "replay":
		err = v.replay(id)
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

// redeliver sends the chosen events again, each by itself, or the one whose button was pressed.
func (v *pageRequest) redeliver(id string) error {
	chosen := v.PostForm["delivery"]
	if len(chosen) == 0 {
		for name := range v.PostForm {
			if id, ok := strings.CutPrefix(name, chosenField); ok {
				chosen = append(chosen, id)
			}
		}
		slices.Sort(chosen)
	}
	if len(chosen) == 0 {
		return &problem{Status: http.StatusBadRequest, Title: "Nothing was chosen", Detail: "Tick what is to be sent again."}
	}
	chosen = chosen[:min(len(chosen), mostChosen)]
	var last error
	failed := 0
	for _, each := range chosen {
		request := contract.RedeliverWebhookRequest{WebhookEndpointID: id, DeliveryID: each}
		if _, err := v.session.RedeliverWebhook(v.Context(), request); err != nil {
			failed, last = failed+1, err
		}
	}
	refused := problemOf(last)
	if refused == nil || failed == len(chosen) {
		return last
	}
	return &problem{Status: refused.Status, Partly: true, Detail: refused.Detail,
		Title: grouped(failed) + " of " + counted(len(chosen), "event") + " cannot be sent again"}
}

// mostChosen is the largest number of rows of a page of deliveries.
const mostChosen = 100

// replay sends the events of a span of days again.
func (v *pageRequest) replay(id string) error {
	sent := map[string]any{}
	if since := v.PostFormValue("since"); since != "" {
		sent["since"] = since + "T00:00:00Z"
	}
	if until := v.PostFormValue("until"); until != "" {
		sent["until"] = until + "T23:59:59.999Z"
	}
	session, err := v.sending(sent)
	if err == nil {
		_, err = session.ReplayWebhookEvents(v.Context(), contract.ReplayWebhookEventsRequest{WebhookEndpointID: id})
	}
	return err
}

// eventPage is the page of an event: what is sent to an endpoint.
type eventPage struct {
	contract.Event
	Endpoint, Payload string
}

// eventOf shows the payload of an event that an endpoint got.
func (c *Console) eventOf(v *pageRequest) error {
	event, err := v.session.GetEvent(v.Context(), contract.GetEventRequest{EventID: v.PathValue("event")})
	if err != nil {
		return err
	}
	raw, err := contract.Encode(event)
	if err != nil {
		return err
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, raw, "", "  "); err != nil {
		return err
	}
	return v.show("Event "+event.Type, eventPage{event, v.PathValue("id"), indented.String()})
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
