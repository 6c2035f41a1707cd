package web

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"levy/models"
)

// webhook is a webhook endpoint.
type webhook struct {
	ID          string   `json:"id"`
	URL         string   `json:"url"`
	Description string   `json:"description"`
	Events      []string `json:"enabled_events"`
	Status      string   `json:"status"`
	Reason      string   `json:"disabled_reason"`
	Scheme      string   `json:"signature_scheme"`
	Secret      string   `json:"secret"` // only in the answer that creates it
}

// Why returns why the endpoint is disabled.
func (w webhook) Why() string { return DisabledReason(w.Reason) }

type webhookList struct {
	listPage

	Items  []webhook `json:"items"`
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

// delivery is the delivery of an event to an endpoint.
type delivery struct {
	ID       string     `json:"id"`
	Event    string     `json:"event_id"`
	Type     string     `json:"type"`
	Status   string     `json:"status"`
	Next     *time.Time `json:"next_attempt_at"`
	Attempts []struct {
		At     time.Time `json:"at"`
		Status int       `json:"http_status"`
		Took   int64     `json:"duration_ms"`
		Error  string    `json:"error"`
	} `json:"attempts"`
}

type webhookPage struct {
	cursor
	webhook
	listPage

	Items []delivery `json:"items"`
}

// Resends reports whether the person may redeliver an event. A disabled endpoint gets no deliveries.
func (p webhookPage) Resends(who *user, org string) bool {
	return p.Status == "ENABLED" && who.may(org, models.RoleAdmin)
}

// Waiting reports whether a delivery is pending. Its progress is no event that the page could follow.
func (p webhookPage) Waiting() bool {
	return slices.ContainsFunc(p.Items, func(d delivery) bool { return d.Status == "PENDING" })
}

const webhooksPath = "/v1/webhook_endpoints"

func (c *Console) webhooks(v *pageRequest) error {
	list := webhookList{listPage: v.listPage()}
	if err := v.get(webhooksPath+"?"+pick(list.Query, "page"), v.org, &list); err != nil {
		return err
	}
	list.Fields = v.inputs("", webhookForm()...)
	return v.show("Webhooks", list)
}

// createWebhook creates an endpoint and shows its secret once.
func (c *Console) createWebhook(v *pageRequest) error {
	sent := map[string]any{"url": strings.TrimSpace(v.PostFormValue("url"))}
	events := strings.FieldsFunc(v.PostFormValue("events"), func(r rune) bool { return r == ',' || r == ' ' })
	if len(events) > 0 {
		sent["enabled_events"] = events
	}
	var created webhook
	err := v.call(http.MethodPost, webhooksPath, v.org, sent, &created)
	if refused, ok := correctable(err); ok {
		for i, e := range refused.Errors {
			var at int
			if _, err := fmt.Sscanf(e.Location, "body.enabled_events[%d]", &at); err == nil && at < len(events) {
				refused.Errors[i].Message = "“" + events[at] + "”: " + e.Message
			}
		}
		_ = refused.fromForm(originsOf(webhookForm())) // in place
	}
	if err != nil {
		return err
	}
	return v.showOnce(newSecret(created), c.webhooks)
}

func newSecret(of webhook) shownOnce {
	return shownOnce{Title: "The new secret of the endpoint", Secret: of.Secret,
		Says: "It verifies the signatures of what is sent, and is shown only now."}
}

// webhookOf shows an endpoint with its deliveries.
func (c *Console) webhookOf(v *pageRequest) error {
	path := webhooksPath + "/" + v.id()
	page := webhookPage{listPage: v.listPage()}
	if err := v.get(path, v.org, &page.webhook); err != nil {
		return err
	}
	if err := v.get(path+"/deliveries?"+pick(page.Query, "page", "after", "status"), v.org, &page); err != nil {
		return err
	}
	return v.show("Webhook", page)
}

// changeWebhook tests, enables, disables or deletes an endpoint, replaces its secret, or redelivers an event. A new
// secret is shown once.
func (c *Console) changeWebhook(v *pageRequest) error {
	path := webhooksPath + "/" + v.id()
	var err error
	switch action := v.PostFormValue("action"); action {
	case "redeliver":
		err = v.call(http.MethodPost, path+"/deliveries/"+url.PathEscape(v.PostFormValue("delivery"))+"/redeliver",
			v.org, nil, nil)
	case "test":
		err = v.call(http.MethodPost, path+"/test", v.org, nil, nil)
	case "rotate":
		var created webhook
		if err = v.call(http.MethodPost, path+"/rotate_secret", v.org, nil, &created); err == nil {
			return v.showOnce(newSecret(created), c.webhookOf)
		}
	case "enable":
		err = v.call(http.MethodPut, path, v.org, map[string]any{"status": "ENABLED"}, nil)
	case "disable":
		err = v.call(http.MethodPut, path, v.org, map[string]any{"status": "DISABLED"}, nil)
	case "remove":
		if err = v.call(http.MethodDelete, path, v.org, nil, nil); err == nil {
			return v.goToOwn("webhooks")
		}
	default:
		err = unknownAction()
	}
	return v.goBack(err)
}
