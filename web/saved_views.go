package web

import (
	"cmp"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"levy/contract"
	"levy/models"

	"github.com/oapi-codegen/nullable"
)

// view is a filter of a list with a name.
type view struct {
	Name    string
	Query   template.URL
	Current bool

	Address    string // of its own, to send; empty for a predefined view
	SharedWith string // organization of a person's own view; empty if it is private
	SharedBy   string // name of the other person; empty for one's own
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
		shown[i] = view{Name: each.name, Query: template.URL(of.Encode()), Current: current} //nolint:gosec // it is encoded
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
		shown = append(shown, view{Name: each.Label, Query: queryWith(kept, "status__in", each.Value),
			Current: query.Get("status__in") == each.Value})
	}
	return shown
}

// savedViews is the data of a person's saved views of a list, and of those that others share.
type savedViews struct {
	List  string // name of the list in the API
	Org   string // organization of the list; empty for lists of all
	Query string // the current filter
	Views []view // all views of the list, the person's own first
	Full  bool   // the person cannot save further views

	organizations []contract.SessionOrganization // of the person, who may share a view with them
}

// ShareWith returns the field for the organization whose people see a view; none for a person without a role.
func (s savedViews) ShareWith(i int) []field {
	if len(s.organizations) == 0 {
		return nil
	}
	all := make([]option, len(s.organizations))
	for j, o := range s.organizations {
		all[j] = option{o.OrganizationID, cmp.Or(valueOf(o.OrganizationName), o.OrganizationID)}
	}
	f := choice("shared_with", "Who sees “"+isolated(s.Views[i].Name)+"”", "off", all)
	f.Blank, f.Value, f.Native, f.Unlisted = "Only you", s.Views[i].SharedWith, true, true
	return []field{as("share-"+strconv.Itoa(i), f)}
}

// NewName returns the field for the name of a new view.
func (s savedViews) NewName() []field {
	return []field{nameOfView("view", "name", "Save this filter as", "")}
}

// NameOf returns the field for a new name of a view.
func (s savedViews) NameOf(i int) []field {
	name := s.Views[i].Name
	return []field{nameOfView("view-"+strconv.Itoa(i), "new_name", "Name of “"+isolated(name)+"”", name)}
}

func nameOfView(id, name, label, value string) field {
	f := as(id, required(text(name, label, 60, "off")))
	f.Value, f.Native = value, true
	return f
}

// mostViews is the number of views that a person may save, for all lists together.
const mostViews = 20

// saved reads the person's views of a list, and those that others share. names are the parameters that views store.
func (v *pageRequest) saved(list, org string, query url.Values, names ...string) (savedViews, error) {
	s := savedViews{List: list, Org: org, Query: pick(query, names...), organizations: v.user.Organizations}
	all, own, err := v.readViews()
	if err != nil {
		return s, err
	}
	s.Full = own >= mostViews
	for _, each := range all {
		if string(each.List) != list {
			continue
		}
		of, err := viewQuery(each, org)
		if err != nil {
			return s, err
		}
		s.Views = append(s.Views, view{
			Name: each.Name, Query: template.URL(of.Encode()), //nolint:gosec // it is encoded
			Current: each.Query == s.Query,
			Address: "/views/" + url.PathEscape(each.ID), SharedWith: valueOf(each.SharedWith), SharedBy: each.SharedBy})
		if org != "" {
			s.Views[len(s.Views)-1].Address += "?organization_id=" + url.QueryEscape(org)
		}
	}
	return s, nil
}

// readViews reads the views of all lists that the person sees, the own ones first, and how many are own ones. No
// other person has shared these.
func (v *pageRequest) readViews() (all []contract.SharedView, own int, err error) {
	found, err := v.session.In(v.Context(), "").ListSavedViews(v.Context(), contract.ListSavedViewsRequest{})
	for _, each := range found.Items {
		all = append(all, contract.SharedView{ID: each.ID, List: each.List, Name: each.Name, Query: each.Query, SharedWith: each.SharedWith})
	}
	return append(all, found.Shared...), len(found.Items), err
}

// viewQuery returns the parameters of a list with the filter of a view. org is the organization of a list of clients.
func viewQuery(of contract.SharedView, org string) (url.Values, error) {
	query, err := url.ParseQuery(of.Query)
	if err != nil {
		return nil, fmt.Errorf("view %s: %w", of.ID, err)
	}
	completeQuery(query, of.List, org)
	return query, nil
}

// completeQuery adds the parameters without which a list would not show what the filter of a view selects.
func completeQuery(query url.Values, list contract.SavedViewOf, org string) {
	if list == contract.SavedViewOfFilings && !query.Has("status__in") {
		query.Set("status__in", "") // without a status the page would show only open ones
	}
	if list == contract.SavedViewOfClients && org != "" {
		query.Set("organization_id", org)
	}
}

// listAddress returns the path of a list with views. Transactions are those of an organization.
func listAddress(list, org string) string {
	switch contract.SavedViewOf(list) {
	case contract.SavedViewOfFilings, contract.SavedViewOfExceptions:
		return "/" + list
	case contract.SavedViewOfTransactions:
		return "/o/" + url.PathEscape(org) + "/transactions"
	case contract.SavedViewOfClients:
	}
	return clientsPath
}

// openView redirects from the address of a view to its list. A view of transactions is opened for the organization of the
// address. Without one it is that with which the view is shared, else the first one of the person.
func (c *Console) openView(v *pageRequest) error {
	found, _, err := v.readViews()
	if err != nil {
		return err
	}
	at := slices.IndexFunc(found, func(each contract.SharedView) bool { return each.ID == v.PathValue("id") })
	if at < 0 {
		return &problem{Status: http.StatusNotFound, Title: "There is no such view",
			Detail: "Its owner has removed it, has not shared it with you, or has left the organization."}
	}
	org := v.URL.Query().Get("organization_id")
	query, err := viewQuery(found[at], org)
	if err != nil {
		return err
	}
	if found[at].List == contract.SavedViewOfTransactions {
		org = cmp.Or(org, valueOf(found[at].SharedWith))
		if org == "" && len(v.user.Organizations) > 0 {
			org = v.user.Organizations[0].OrganizationID
		}
		if org == "" {
			return &problem{Status: http.StatusNotFound, Title: "Transactions of which organization?",
				Detail: "Open the transactions of an organization and choose the view there."}
		}
	}
	http.Redirect(v.w, v.Request, listAddress(string(found[at].List), org)+"?"+query.Encode(), http.StatusSeeOther)
	return nil
}

// changeViews saves, renames, shares or removes a view and redirects to the list with its filter.
func (c *Console) changeViews(v *pageRequest) error {
	list, org := v.PostFormValue("list"), v.PostFormValue("organization_id")
	sent := contract.SavedViewUpdate{List: contract.SavedViewOf(list), Name: v.PostFormValue("name")}
	switch v.PostFormValue("action") {
	case "rename":
		sent.NewName = v.PostFormValue("new_name")
	case "remove":
		sent.Query = nullable.NewNullNullable[string]()
	case "share":
		sent.SharedWith = nullable.NewNullNullable[string]()
		if with := v.PostFormValue("shared_with"); with != "" {
			sent.SharedWith = nullable.NewNullableWithValue(with)
		}
	default:
		sent.Query = nullable.NewNullableWithValue(v.PostFormValue("query"))
	}
	shown, err := url.ParseQuery(v.PostFormValue("query"))
	if err != nil {
		shown = url.Values{}
	}
	completeQuery(shown, sent.List, org)
	// A refusal also leads back to the list.
	v.URL.Path = listAddress(list, org)
	v.URL.RawQuery = shown.Encode()
	// Without a new name, the service cannot tell what was meant.
	if v.PostForm.Has("new_name") && v.PostFormValue("action") == "rename" && strings.TrimSpace(sent.NewName) == "" {
		return &problem{Status: http.StatusBadRequest, Title: "The view keeps its name",
			Detail: "Type the new name, then rename the view."}
	}
	_, err = v.session.In(v.Context(), "").SetSavedView(v.Context(), contract.SetSavedViewRequest{Body: sent})
	if err != nil {
		return err
	}
	return v.goTo(v.URL.String())
}
