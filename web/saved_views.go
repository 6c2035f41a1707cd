package web

import (
	"fmt"
	"html/template"
	"levy/contract"
	"levy/models"
	"net/url"
	"strconv"

	"github.com/oapi-codegen/nullable"
)

// view is a filter of a list with a name.
type view struct {
	Name    string
	Query   template.URL
	Current bool
}

// dueSoon is the number of days before its due date from which a return is due soon.
const dueSoon = 14

// filingParameters are the parameters of the list of returns that a saved view stores.
var filingParameters = []string{
	"status__in", "state_code", "country_code", "organization_id", "due_date__gte", "due_date__lte",
	"due_days__gte", "due_days__lte",
	"order_by",
}

// filingViews returns the predefined views of the list of returns. They preserve its other filters.
func filingViews(query url.Values) []view {
	views := []struct{ name, statuses, from, to string }{
		{"Open", openStatuses, "", ""}, {"Overdue", openStatuses, "", "-1"},
		{"Due in two weeks", openStatuses, "0", strconv.Itoa(dueSoon)}, {"With an issue", string(models.FilingIssue), "", ""},
		{"With the authority", string(models.FilingFiling), "", ""}, {"Filed", string(models.FilingFiled), "", ""},
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

// clientViews returns the predefined views of the list of clients. They preserve its other filters.
func clientViews(query url.Values) []view {
	kept := url.Values{}
	for _, name := range append([]string{"organization_id"}, clientParameters...) {
		if value := query.Get(name); value != "" {
			kept.Set(name, value)
		}
	}
	var shown []view
	for _, each := range []option{
		{waitingStatuses, "Still onboarding"}, {string(models.OnboardingCompleted), "Completed"}, {"", "All"},
	} {
		shown = append(shown, view{each.Label, queryWith(kept, "status__in", each.Value),
			query.Get("status__in") == each.Value})
	}
	return shown
}

// savedViews is the data of a person's saved views of a list.
type savedViews struct {
	List  string // name of the list in the API
	Org   string // organization of the list; empty for lists of all
	Query string // the current filter
	Views []view
	Full  bool // the person cannot save further views
}

// NewName returns the field for the name of a new view.
func (s savedViews) NewName() []field {
	return []field{nameOfView("view", "name", "Save this filter as", "")}
}

// NameOf returns the field for a new name of a view.
func (s savedViews) NameOf(i int) []field {
	name := s.Views[i].Name
	return []field{nameOfView("view-"+strconv.Itoa(i), "new_name", "Name of “"+name+"”", name)}
}

func nameOfView(id, name, label, value string) field {
	f := as(id, required(text(name, label, 60, "off")))
	f.Value, f.Native = value, true
	return f
}

// mostViews is the number of views that a person may save, for all lists together.
const mostViews = 20

// saved reads the person's saved views of a list. names are the parameters that views store.
func (v *pageRequest) saved(list, org string, query url.Values, names ...string) (savedViews, error) {
	s := savedViews{List: list, Org: org, Query: pick(query, names...)}
	all, err := v.session.In(v.Context(), "").ListSavedViews(v.Context(), contract.ListSavedViewsRequest{})
	if err != nil {
		return s, err
	}
	s.Full = len(all.Items) >= mostViews
	for _, each := range all.Items {
		if string(each.List) != list {
			continue
		}
		of, err := url.ParseQuery(each.Query)
		if err != nil {
			return s, fmt.Errorf("view %s: %w", each.Name, err)
		}
		current := of.Encode() == s.Query
		if list == "filings" && !of.Has("status__in") {
			of.Set("status__in", "") // without a status the page would show only open ones
		}
		if list == "clients" && org != "" {
			of.Set("organization_id", org)
		}
		s.Views = append(s.Views, view{each.Name, template.URL(of.Encode()), current}) //nolint:gosec // it is encoded
	}
	return s, nil
}

// changeViews saves, renames or removes a view and redirects to the list with its filter.
func (c *Console) changeViews(v *pageRequest) error {
	list, org := v.PostFormValue("list"), v.PostFormValue("organization_id")
	sent := contract.SavedViewUpdate{List: contract.SavedViewOf(list), Name: v.PostFormValue("name")}
	switch v.PostFormValue("action") {
	case "rename":
		sent.NewName = v.PostFormValue("new_name")
	case "remove":
		sent.Query = nullable.NewNullNullable[string]()
	default:
		sent.Query = nullable.NewNullableWithValue(v.PostFormValue("query"))
	}
	shown, err := url.ParseQuery(v.PostFormValue("query"))
	if err != nil {
		shown = url.Values{}
	}
	if !shown.Has("status__in") && list == "filings" {
		shown.Set("status__in", "")
	}
	// A refusal also leads back to the list.
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
	_, err = v.session.In(v.Context(), "").SetSavedView(v.Context(), contract.SetSavedViewRequest{Body: sent})
	if err != nil {
		return err
	}
	return v.goTo(v.URL.String())
}
