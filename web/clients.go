package web

import (
	"html/template"
	"net/http"
	"net/url"
	"strconv"
)

type clientList struct {
	listPage

	Items  []onboarding `json:"items"`
	Counts []count      `json:"counts"`
	Org    string
	File   template.URL // the query of the list, for its CSV file
	Waits  []waiting
	Views  []view
	Saved  savedViews

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
			options("NOT_STARTED", "IN_PROGRESS", "COMPLETED", "CANCELLED", "EXPIRED", "FAILED")...)),
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

type count struct {
	Status string `json:"status"`
	Next   int    `json:"next_step"`
	Count  int    `json:"count"`
}

// waiting is the number of clients whose next step is Step, and of those without progress for a week.
type waiting struct {
	Step      int
	Name      string
	All, Long int
}

// waitingStatuses are the statuses of onboardings that can still be completed.
const waitingStatuses = "NOT_STARTED,IN_PROGRESS"

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
	return c.pass(v, "/v1/onboardings/export?"+pickWith(v.URL.Query(), url.Values{"format": {"csv"}},
		clientParameters...))
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
	query := pick(list.Query, append([]string{"page"}, clientParameters...)...)
	err := v.get("/v1/onboardings?"+query, list.Org, &list)
	if err != nil {
		return err
	}
	if list.Saved, err = v.saved("clients", list.Query.Get("organization_id"), list.Query,
		clientParameters...); err != nil {
		return err
	}
	var all, long clientList
	if err := v.get("/v1/onboardings?size=1", list.Org, &all); err != nil {
		return err
	}
	if err := v.get("/v1/onboardings?size=1&age_days__gte=7", list.Org, &long); err != nil {
		return err
	}
	for _, s := range steps[1:] {
		w := waiting{Step: s.Number, Name: s.Label, All: waitingAt(all.Counts, s.Number),
			Long: waitingAt(long.Counts, s.Number)}
		list.Waits = append(list.Waits, w)
	}
	return v.show("Clients", list)
}

func waitingAt(counts []count, step int) (n int) {
	for _, each := range counts {
		if each.Next == step && each.Status == "IN_PROGRESS" {
			n += each.Count
		}
	}
	return n
}

// createClient creates a client of the partner and redirects to its page.
func (c *Console) createClient(v *pageRequest) error {
	partner := v.PostFormValue("organization_id")
	sent := map[string]any{"name": v.PostFormValue("name"), "is_test": v.PostFormValue("is_test") != ""}
	var created struct{ ID string }
	if err := v.call(http.MethodPost, "/v1/organizations", partner, sent, &created); err != nil {
		return err
	}
	return v.goTo("/o/" + url.PathEscape(partner) + "/clients/" + url.PathEscape(created.ID))
}
