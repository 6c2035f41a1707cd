package web

import (
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strconv"
)

// view is a filter of a list, with a name.
type view struct {
	Name    string
	Query   template.URL
	Current bool
}

// dueSoon is how many days ahead returns are due soon.
const dueSoon = 14

// filingParameters are the parameters of a list of returns that are part of a view.
var filingParameters = []string{
	"status__in", "state_code", "country_code", "organization_id", "due_date__gte", "due_date__lte",
	"due_days__gte", "due_days__lte",
	"order_by",
}

// filingViews are the views of a list of returns that many people want. What else the list is narrowed to stays.
func filingViews(query url.Values) []view {
	views := []struct{ name, statuses, from, to string }{
		{"Open", openStatuses, "", ""}, {"Overdue", openStatuses, "", "-1"},
		{"Due in two weeks", openStatuses, "0", strconv.Itoa(dueSoon)}, {"With an issue", "ISSUE", "", ""},
		{"With the authority", "FILING", "", ""}, {"Filed", "FILED", "", ""},
	}
	shown := make([]view, len(views))
	for i, each := range views {
		of := url.Values{"status__in": {each.statuses}}
		for name, value := range map[string]string{
			"organization_id": query.Get("organization_id"), "state_code": query.Get("state_code"),
			"country_code":  query.Get("country_code"),
			"order_by":      query.Get("order_by"),
			"due_days__gte": each.from, "due_days__lte": each.to,
		} {
			if value != "" {
				of.Set(name, value)
			}
		}
		current := pick(query, filingParameters...) == of.Encode()
		shown[i] = view{each.name, template.URL(of.Encode()), current} //nolint:gosec // it is encoded
	}
	return shown
}

// clientViews are the views of a list of clients that many people want. What else the list is narrowed to stays.
func clientViews(query url.Values) []view {
	kept := url.Values{}
	for _, name := range append([]string{"organization_id"}, clientParameters...) {
		if value := query.Get(name); value != "" {
			kept.Set(name, value)
		}
	}
	var shown []view
	for _, each := range []option{
		{waitingStatuses, "Still onboarding"}, {"COMPLETED", "Completed"}, {"", "All"},
	} {
		shown = append(shown, view{each.Label, queryWith(kept, "status__in", each.Value),
			query.Get("status__in") == each.Value})
	}
	return shown
}

// savedViews is what a list shows of the views that the person has saved of it.
type savedViews struct {
	List  string // as the API calls it
	Org   string // of a list of one organization
	Query string // the filter that is shown
	Views []view
	Full  bool // there is no room for another one
}

// NewName asks what the filter is called as a view.
func (s savedViews) NewName() []field {
	return []field{nameOfView("view", "name", "Save this filter as", "")}
}

// NameOf asks for another name of a view.
func (s savedViews) NameOf(i int) []field {
	name := s.Views[i].Name
	return []field{nameOfView("view-"+strconv.Itoa(i), "new_name", "Name of “"+name+"”", name)}
}

func nameOfView(id, name, label, value string) field {
	f := as(id, required(text(name, label, 60, "off")))
	f.Value, f.Native = value, true
	return f
}

// mostViews is how many views a person may have, of all lists.
const mostViews = 20

// saved reads the views of a list that the person has saved; names are the parameters that are part of one.
func (v *pageRequest) saved(list, org string, query url.Values, names ...string) (savedViews, error) {
	s := savedViews{List: list, Org: org, Query: pick(query, names...)}
	var all struct {
		Items []struct{ List, Name, Query string }
	}
	if err := v.get("/v1/session/views", "", &all); err != nil {
		return s, err
	}
	s.Full = len(all.Items) >= mostViews
	for _, each := range all.Items {
		if each.List != list {
			continue
		}
		of, err := url.ParseQuery(each.Query)
		if err != nil {
			return s, fmt.Errorf("view %s: %w", each.Name, err)
		}
		current := of.Encode() == s.Query
		if list == "filings" && !of.Has("status__in") {
			of.Set("status__in", "") // the page shows open ones unless it is asked for all
		}
		if list == "clients" && org != "" {
			of.Set("organization_id", org)
		}
		s.Views = append(s.Views, view{each.Name, template.URL(of.Encode()), current}) //nolint:gosec // it is encoded
	}
	return s, nil
}

// changeViews saves, renames or removes a view of the person, and shows the list as it was.
func (c *Console) changeViews(v *pageRequest) error {
	list, org := v.PostFormValue("list"), v.PostFormValue("organization_id")
	sent := map[string]any{"list": list, "name": v.PostFormValue("name")}
	switch v.PostFormValue("action") {
	case "rename":
		sent["new_name"] = v.PostFormValue("new_name")
	case "remove":
		sent["query"] = nil
	default:
		sent["query"] = v.PostFormValue("query")
	}
	shown, err := url.ParseQuery(v.PostFormValue("query"))
	if err != nil {
		shown = url.Values{}
	}
	if !shown.Has("status__in") && list == "filings" {
		shown.Set("status__in", "")
	}
	// A refusal leads back to the list, too.
	switch list {
	case "filings", "exceptions":
		v.URL.Path = "/" + list
	case "transactions":
		v.URL.Path = "/o/" + org + "/transactions"
	default:
		v.URL.Path = "/clients"
		if org != "" {
			shown.Set("organization_id", org)
		}
	}
	v.URL.RawQuery = shown.Encode()
	if err := v.call(http.MethodPut, "/v1/session/views", "", sent, nil); err != nil {
		return err
	}
	return v.goTo(v.URL.String())
}
