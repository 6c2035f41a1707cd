package web

import (
	"net/http"
	"net/url"
	"time"
)

// registration is the registration of an organization with an authority.
type registration struct {
	ID            string     `json:"id"`
	Country       string     `json:"country_code"`
	State         string     `json:"state_code"`
	Name          string     `json:"state_name"`
	Status        string     `json:"status"`
	Frequency     string     `json:"filing_frequency"`
	Scheme        string     `json:"registration_import_type"`
	Since         string     `json:"registration_date"`
	FilesFrom     string     `json:"create_filings_from"`
	NextDue       string     `json:"next_filing_due_date"`
	Requested     *time.Time `json:"registration_requested"`
	Completed     *time.Time `json:"registration_completed"`
	Last          string     `json:"deregistration_date"`
	LastReason    string     `json:"deregistration_reason"`
	Clarification string     `json:"clarification"`
	Unanswered    *time.Time `json:"authority_unanswered_since"`
	Manual        bool       `json:"awaits_confirmation"`
	SalesTaxID    string     `json:"sales_tax_id"`
	Email         string     `json:"registration_email"`
	Comment       string     `json:"comment"`
	Auto          bool       `json:"auto_registered"`
	NoFilings     bool       `json:"do_not_file"`
	Collecting    bool       `json:"marked_collecting"`
	MarkCollected bool       `json:"needs_mark_as_collecting"`
	NexusID       string     `json:"nexus_id"`
}

// Waits returns the person or event for which the registration waits; "" if it waits for none.
func (r registration) Waits() string {
	switch r.Status {
	case "UNREGISTERED":
		return "the onboarding to be completed"
	case "PROCESSING":
		return "Levy to hand it to the authority"
	case "VALIDATING":
		if r.Manual {
			return "someone to register there and enter the confirmation"
		}
		return "the authority"
	case "AWAITING_CLARIFICATION":
		return "an answer to the authority"
	case "DEREGISTERING":
		if r.Manual {
			return "the last return, and someone to end it with the authority"
		}
		return "the last return and the authority"
	}
	if r.MarkCollected {
		return "the organization to start collecting tax"
	}
	return ""
}

// Ended reports whether the registration has ended: it cannot be changed any more.
func (r registration) Ended() bool { return r.Status == "DEREGISTERED" || r.Status == "CANCELLED" }

// Before reports whether the authority has not yet confirmed the registration.
func (r registration) Before() bool {
	return !r.Ended() && r.Status != "REGISTERED" && r.Status != "DEREGISTERING"
}

// Confirmable reports whether a person can enter the confirmation of the authority.
func (r registration) Confirmable() bool {
	return r.Status == "PROCESSING" || r.Status == "VALIDATING" || r.Status == "AWAITING_CLARIFICATION"
}

type registrationList struct {
	listPage

	Items   []registration `json:"items"`
	Filters filterForm
	Form    htmlForm
	Faults  []fault
}

const registrationsPath = "/v1/registrations"

func (c *Console) registrations(v *pageRequest) error {
	list := registrationList{Form: registrationForm(true).filled(map[string]any{"country_code": "US"}, nil)}
	return c.showRegistrations(v, http.StatusOK, list)
}

func (c *Console) showRegistrations(v *pageRequest, status int, list registrationList) error {
	list.Query = v.URL.Query()
	list.Filters = filters("Filter", list.Query,
		allOf("status", "status__in", "Status", options("REGISTERED", "AWAITING_CLARIFICATION", "PROCESSING", "VALIDATING",
			"UNREGISTERED", "DEREGISTERING", "DEREGISTERED", "CANCELLED")),
		as("state", field{Name: "state_code", Label: "Place", Kind: "place", Blank: "All"}))
	query := pick(list.Query, "state_code", "status__in", "filing_frequency__in", "page")
	v.followEvents()
	if err := v.get(registrationsPath+"?"+query, v.org, &list); err != nil {
		return err
	}
	v.render(status, titled("Registrations", list.Faults), list)
	return nil
}

// createRegistration creates a registration and redirects to it.
func (c *Console) createRegistration(v *pageRequest) error {
	form, created := registrationForm(true), registration{}
	sent := form.body(nil, v.PostForm)
	if country, chosen := sent["country_code"]; chosen && country != "US" && sent["state_code"] == nil {
		sent["state_code"] = country // the state code of a whole country in the API
	}
	err := v.call(http.MethodPost, registrationsPath, v.org, sent, &created)
	if refused, ok := correctable(err); ok {
		list := registrationList{Form: form.filled(nil, v.PostForm)}
		list.Faults = list.Form.mark(refused)
		return c.showRegistrations(v, refused.Status, list)
	}
	if err != nil {
		return err
	}
	return v.goTo(v.URL.Path + "/" + url.PathEscape(created.ID))
}
