package web

import (
	"net/http"
	"net/url"
	"time"
)

// organization is the record of an organization with its settings.
type organization struct {
	ID         string         `json:"id"`
	Parent     string         `json:"parent_organization_id"`
	ExternalID string         `json:"external_id"`
	Name       string         `json:"name"`
	Status     string         `json:"status"`
	Onboarding string         `json:"onboarding_status"`
	IsTest     bool           `json:"is_test"`
	NoEmails   bool           `json:"disable_emails"`
	Promo      string         `json:"promo"`
	EmailGroup string         `json:"email_group"`
	CreatedAt  time.Time      `json:"created_at"`
	Settings   map[string]any `json:"settings"`
}

// stored returns the values of the form of the record.
func (o organization) stored() map[string]any {
	return map[string]any{
		"name": o.Name, "external_id": o.ExternalID, "promo": o.Promo, "email_group": o.EmailGroup,
		"disable_emails": o.NoEmails,
	}
}

// Enabled returns the jurisdictions to which the operator limits the organization; none if there is no limit.
func (o organization) Enabled() (places []string) {
	all, _ := o.Settings["enabled_jurisdictions"].([]any)
	for _, place := range all {
		places = append(places, textOf(place))
	}
	return places
}

// Setting returns the value of a setting of the operator; "none" if it is not set.
func (o organization) Setting(name string) string {
	if text := textOf(o.Settings[name]); text != "" {
		return text
	}
	return "none"
}

type settingsPage struct {
	organization
	Record, Rules htmlForm
	Faults        []fault
}

// recordForm returns the form of the record, which the partner maintains.
func recordForm() htmlForm {
	return htmlForm{Groups: []fieldGroup{{Title: "The organization", Fields: []field{
		required(text("name", "Legal name", 200, "organization")),
		hinted(text("external_id", "Your ID", 255, "off"), "Leave empty to use the ID that Levy gave it"),
		text("email_group", "E-mail group", 255, "off"), text("promo", "Promotion code", 255, "off"),
		{Name: "disable_emails", Label: "Send no e-mails", Kind: "check", Auto: "off"},
	}}}}
}

// settingsForm returns the form of the settings.
func settingsForm() htmlForm {
	check := func(name, label string) field { return field{Name: name, Label: label, Kind: "check", Auto: "off"} }
	return htmlForm{Groups: []fieldGroup{{
		Title: "Settings", Note: "They apply from now on; what was calculated stays as it is.",
		Fields: []field{
			check("prefer_collected_tax_amounts", "Treat the tax collected as the tax owed"),
			check("enable_business_address_fallback", "Tax a sale without a usable address at the business address"),
			check("enable_eu_registration", "Let Levy register in the European Union automatically"),
			check("require_second_person", "Require a second person for returns"),
			check("disable_onboarding", "Onboarding sends no reminders and does not expire"),
		},
	}}}
}

func organizationPath(org string) string { return "/v1/organizations/" + url.PathEscape(org) }

func (c *Console) settings(v *pageRequest) error { return c.showSettings(v, http.StatusOK, nil) }

// showSettings shows the settings. refused is why a form was refused; nil if it was not.
func (c *Console) showSettings(v *pageRequest, status int, refused *problem) error {
	page := settingsPage{}
	if err := v.get(organizationPath(v.org), v.org, &page.organization); err != nil {
		return err
	}
	page.Record, page.Rules = recordForm().changing(), settingsForm().changing()
	page.Record = page.Record.filled(page.stored(), v.refusedForm("record", refused))
	page.Rules = page.Rules.filled(page.Settings, v.refusedForm("settings", refused))
	if refused != nil {
		form := &page.Rules
		if v.PostFormValue("action") == "record" {
			form = &page.Record
		}
		page.Faults = form.mark(refused)
	}
	v.render(status, titled("Settings", page.Faults), page)
	return nil
}

// changeSettings saves one of the two forms.
func (c *Console) changeSettings(v *pageRequest) error {
	var now organization
	err := v.get(organizationPath(v.org), v.org, &now)
	if err != nil {
		return err
	}
	switch v.PostFormValue("action") {
	case "record":
		err = v.save(organizationPath(v.org), recordForm(), now.stored())
	case "settings":
		// Two different changes of a checkbox cannot conflict.
		sent := settingsForm().changing().body(now.Settings, v.PostForm)
		err = v.call(http.MethodPost, settingsPath(v.org), v.org, sent, nil)
	default:
		return unknownAction()
	}
	if refused, ok := correctable(err); ok {
		return c.showSettings(v, refused.Status, refused)
	}
	return v.goBack(err)
}
