package web

import (
	"html/template"
	"net/http"
	"net/url"

	"levy/contract"
	"levy/models"
)

// registration is the registration of an organization with an authority.
type registration struct{ contract.Registration }

// Place returns the name of the place, such as "US: California".
func (r registration) Place() string { return placeNamed(r.CountryCode, r.StateCode, r.StateName) }

func (r registration) status() models.RegistrationStatus { return models.RegistrationStatus(r.Status) }

// Waits returns the person or event for which the registration waits; "" if it waits for none.
func (r registration) Waits() string {
	switch r.status() {
	case models.RegistrationUnregistered:
		return "the onboarding to be completed"
	case models.RegistrationProcessing:
		return "Levy to hand it to the authority"
	case models.RegistrationValidating:
		if r.AwaitsConfirmation {
			return "a person to register there and enter the confirmation"
		}
		return "the authority"
	case models.RegistrationClarification:
		return "an answer to the authority"
	case models.RegistrationDeregistering:
		if r.AwaitsConfirmation {
			return "the last return, and a person to end it with the authority"
		}
		return "the last return and the authority"
	default:
		if r.NeedsMarkAsCollecting {
			return "the organization to start collecting tax"
		}
		return ""
	}
}

// Ended reports whether the registration has ended: it cannot be changed any more.
func (r registration) Ended() bool { return r.status().Over() }

// Before reports whether the authority has not yet confirmed the registration.
func (r registration) Before() bool { return r.status().Pending() }

// Confirmable reports whether a person can enter the confirmation of the authority.
func (r registration) Confirmable() bool {
	return models.RegistrationTransitions.CanTransition(string(r.Status), string(models.RegistrationRegistered))
}

type registrationList struct {
	listPage

	Items   []registration
	File    template.URL
	Filters filterForm
	Form    htmlForm
	Faults  []fault
}

// registrationStatuses are the statuses by which the list is filtered, the most frequent ones first.
var registrationStatuses = options(
	models.RegistrationRegistered, models.RegistrationClarification, models.RegistrationProcessing,
	models.RegistrationValidating, models.RegistrationUnregistered, models.RegistrationDeregistering,
	models.RegistrationDeregistered, models.RegistrationCancelled,
)

func (c *Console) registrations(v *pageRequest) error {
	list := registrationList{Form: registrationForm(true).filled(map[string]any{"country_code": "US"}, nil)}
	return c.showRegistrations(v, http.StatusOK, list)
}

func (c *Console) showRegistrations(v *pageRequest, status int, list registrationList) error {
	query := v.URL.Query()
	list.Filters = filters("Filter", query, allOf("status", "status__in", "Status", registrationStatuses), placeFilter)
	v.followEvents()
	asked := placed(query, "country_code__in")
	session := v.session.WithQuery(v.sized(pick(asked, append([]string{"page"}, registrationParameters...)...)))
	found, err := session.ListRegistrations(v.Context(), contract.ListRegistrationsRequest{})
	if err != nil {
		return err
	}
	list.listPage = v.pageOf(found.Total, found.Page, found.Pages)
	list.File = v.fileOf("registrations", asked, registrationParameters...)
	for _, r := range found.Items {
		list.Items = append(list.Items, registration{r})
	}
	v.render(status, titled("Registrations", list.Faults), list)
	return nil
}

// createRegistration creates a registration and redirects to it.
func (c *Console) createRegistration(v *pageRequest) error {
	form := registrationForm(true)
	body := form.body(nil, v.PostForm)
	if country, chosen := body["country_code"]; chosen && country != "US" && body["state_code"] == nil {
		body["state_code"] = country // the state code of a whole country in the API
	}
	session, err := v.sending(body)
	if err != nil {
		return err
	}
	created, err := session.CreateRegistration(v.Context(), contract.CreateRegistrationRequest{})
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
