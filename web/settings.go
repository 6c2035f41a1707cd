package web

import (
	"net/http"

	"levy/contract"
)

// settingsPage is the page of an organization and its settings.
type settingsPage struct {
	contract.Organization
	Record, Rules htmlForm
	Faults        []fault
}

// recordForm returns the form of the record, which the partner maintains.
func recordForm() htmlForm {
	return htmlForm{Groups: []fieldGroup{{Title: "The organization", Fields: []field{
		required(text("name", "Legal name", 200, "organization")),
		hinted(text("external_id", "Your ID", 255, "off"), "Leave empty to use the ID that Levy gave it"),
		text("email_group", "E-mail group", 255, "off"), text("promo", "Promotion code", 255, "off"),
		{Name: "disable_emails", Label: "Send no e-mails about work", Kind: "check", Auto: "off"},
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
			hinted(text("sst_id", "Streamlined Sales Tax ID (SSTPID)", 9, "off"), "S and 8 digits, the same in all states"),
			zoneField("Time zone", "UTC, as none is set",
				"For people who have chosen none in their preferences. Tax dates, periods and due dates follow the law."),
			check("disable_onboarding", "Onboarding sends no reminders and does not expire"),
		},
	}}}
}

// readOrganization reads the organization of the page. A page that only shows it reads it once.
func (v *pageRequest) readOrganization() (contract.Organization, error) {
	if v.organization != nil && v.Method == http.MethodGet {
		return *v.organization, nil
	}
	read, err := v.session.GetOrganization(v.Context(), contract.GetOrganizationRequest{OrganizationID: v.org})
	if err == nil {
		v.organization = &read
	}
	return read, err
}

func (c *Console) settings(v *pageRequest) error { return c.showSettings(v, http.StatusOK, nil) }

// showSettings shows the settings. refused is why a form was refused; nil if it was not.
func (c *Console) showSettings(v *pageRequest, status int, refused *problem) error {
	read, stored, err := withFields(v.readOrganization())
	if err != nil {
		return err
	}
	rules, _ := stored["settings"].(map[string]any)
	page := settingsPage{
		Organization: read,
		Record:       recordForm().changing().filled(stored, v.refusedForm("record", refused)),
		Rules:        settingsForm().changing().filled(rules, v.refusedForm("settings", refused)),
	}
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
	_, stored, err := withFields(v.readOrganization())
	if err != nil {
		return err
	}
	var session contract.CallerSession
	switch v.PostFormValue("action") {
	case "record":
		if session, err = v.changing(recordForm(), stored); err == nil {
			_, err = session.UpdateOrganization(v.Context(), contract.UpdateOrganizationRequest{OrganizationID: v.org})
		}
	case "settings":
		rules, _ := stored["settings"].(map[string]any)
		// Two different changes of a checkbox cannot conflict.
		if session, err = v.sending(settingsForm().changing().body(rules, v.PostForm)); err == nil {
			request := contract.ChangeOrganizationSettingsRequest{OrganizationID: v.org}
			_, err = session.ChangeOrganizationSettings(v.Context(), request)
		}
	default:
		return unknownAction()
	}
	if refused, ok := correctable(err); ok {
		return c.showSettings(v, refused.Status, refused)
	}
	return v.goBack(err)
}
