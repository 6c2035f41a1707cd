package web

import (
	"html/template"
	"net/url"
	"strconv"

	"levy/contract"
	"levy/models"
)

type clientList struct {
	listPage

	Items []onboarding
	Org   string
	File  template.URL // the query of the list, for its CSV file
	Waits []waiting
	Views []view
	Saved savedViews

	Filters filterForm
	Create  []field // the fields of the form for a new client
}

// clientForm returns the fields of the form for a new client.
func clientForm() []field {
	return []field{
		required(text("name", "Legal name", 200, "off")), {Name: "is_test", Label: "Test client", Kind: "check"},
	}
}

// clientFilters returns the filters of the list of clients.
func clientFilters() []field {
	next := make([]option, len(steps))
	for i, s := range steps {
		next[i] = option{strconv.Itoa(s.Number), strconv.Itoa(s.Number) + ". " + s.Label}
	}
	return []field{
		hidden("organization_id", ""), search("query", "query", "Name"),
		allOf("status", "status__in", "Status", append([]option{{waitingStatuses, "Still onboarding"}},
			options(models.OnboardingTransitions.States...)...)),
		allOf("step", "next_step__in", "Next step", next),
		as("age", field{Name: "age_days__gte", Label: "No progress for (days)", Kind: "digits"}),
		sortedBy(option{"", "Longest waiting first"}, option{"-since", "Latest progress first"},
			option{"next_step,since", "By step"}),
	}
}

// Onboarding reports whether the list shows exactly the clients that are still being onboarded.
func (l clientList) Onboarding() bool {
	return pick(l.Query, clientParameters...) == url.Values{"status__in": {waitingStatuses}}.Encode()
}

// waiting is the number of clients whose next step is Step, and of those without progress for a week.
type waiting struct {
	Step      int
	Name      string
	All, Long int64
}

// waitingStatuses are the statuses of onboardings that can still be completed.
const waitingStatuses = string(models.OnboardingNotStarted + "," + models.OnboardingInProgress)

// clientParameters are the parameters of the list of clients that a saved view stores.
var clientParameters = []string{"query", "status__in", "next_step__in", "age_days__gte", "order_by"}

// partner returns the partner of the list of clients: the one in the query, else the first partner that the person
// belongs to. It returns "" if there is none.
func (v *pageRequest) partner() string {
	if named := v.URL.Query().Get("organization_id"); named != "" {
		return named
	}
	for _, m := range v.user.Organizations {
		if m.Root {
			return m.OrganizationID
		}
	}
	return ""
}

// clientsFile answers with the list of clients as CSV.
func (c *Console) clientsFile(v *pageRequest) error {
	v.org = v.partner()
	query := pickWith(v.URL.Query(), url.Values{"format": {"csv"}}, append([]string{"format"}, clientParameters...)...)
	session := v.session.In(v.Context(), v.org).WithQuery(query)
	return v.download(func(out contract.Stream) error {
		return session.ExportOnboardings(v.Context(), contract.ExportOnboardingsRequest{}, out)
	})
}

// clients lists the clients of a partner with their status and next step.
func (c *Console) clients(v *pageRequest) error {
	list := clientList{listPage: v.listPage(), Org: v.partner()}
	if !list.Query.Has("status__in") && list.Query.Get("query") == "" { // a search by name finds clients in every status
		list.Query.Set("status__in", waitingStatuses)
	}
	list.Views, list.Filters = clientViews(list.Query), filters("Filter", list.Query, clientFilters()...)
	list.Create = v.inputs("create", clientForm()...)
	list.File = template.URL(pick(list.Query, append([]string{"organization_id"}, clientParameters...)...)) //nolint:gosec // it is encoded
	if list.Org == "" {
		return v.show("Clients", list)
	}
	session := v.session.In(v.Context(), list.Org)
	query := v.sized(pick(list.Query, append([]string{"page"}, clientParameters...)...))
	found, err := session.WithQuery(query).ListOnboardings(v.Context(), contract.ListOnboardingsRequest{})
	if err != nil {
		return err
	}
	list.Total, list.Page, list.Pages = int(found.Total), found.Page, found.Pages
	for _, o := range found.Items {
		list.Items = append(list.Items, onboardingOf(o))
	}
	if list.Saved, err = v.saved("clients", list.Query.Get("organization_id"), list.Query,
		clientParameters...); err != nil {
		return err
	}
	list.Waits, err = v.waitingBySteps(session)
	if err != nil {
		return err
	}
	return v.show("Clients", list)
}

// waitingBySteps counts the clients of a partner by the step that they wait for.
func (v *pageRequest) waitingBySteps(session contract.CallerSession) (waits []waiting, err error) {
	list, err := session.ListOnboardings(v.Context(), contract.ListOnboardingsRequest{
		Params: contract.ListOnboardingsParams{Size: 1}})
	if err != nil {
		return nil, err
	}
	for _, s := range steps[1:] {
		at := waiting{Step: s.Number, Name: s.Label}
		for _, each := range list.Counts {
			if valueOf(each.NextStep) == s.Number && models.OnboardingStatus(each.Status) == models.OnboardingInProgress {
				at.All, at.Long = at.All+each.Count, at.Long+valueOf(each.WithoutProgress)
			}
		}
		waits = append(waits, at)
	}
	return waits, nil
}

// createClient creates a client of the partner and redirects to its page.
func (c *Console) createClient(v *pageRequest) error {
	partner := v.PostFormValue("organization_id")
	created, err := v.session.In(v.Context(), partner).CreateOrganization(v.Context(), contract.CreateOrganizationRequest{
		Body: contract.OrganizationCreate{Name: v.PostFormValue("name"), IsTest: new(v.PostFormValue("is_test") != "")},
	})
	if err != nil {
		return err
	}
	return v.goTo("/o/" + url.PathEscape(partner) + "/clients/" + url.PathEscape(created.ID))
}
