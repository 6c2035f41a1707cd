package web

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// exceptionList is a page of what needs a person.
type exceptionList struct {
	listPage

	Items  []exception `json:"items"`
	Counts []struct {
		Type  string `json:"type"`
		Count int    `json:"count"`
	} `json:"counts"`
	Saved   savedViews
	Filters filterForm
}

// exceptionFilters narrow a list of exceptions down.
func exceptionFilters() []field {
	return []field{
		hidden("type__in", ""), hidden("organization_id", ""), text("assignee", "Assigned to", 200, ""),
		as("age", field{Name: "age_days__gte", Label: "Waiting at least (days)", Kind: "digits"}),
	}
}

type exception struct {
	Type     string    `json:"type"`
	Org      string    `json:"organization_id"`
	OrgName  string    `json:"organization_name"`
	ID       string    `json:"object_id"`
	Title    string    `json:"title"`
	Code     string    `json:"reason_code"`
	Reason   string    `json:"reason"`
	Since    time.Time `json:"since"`
	Due      string    `json:"due"`
	Amount   string    `json:"amount"`
	Currency string    `json:"currency"`
	Actions  []string  `json:"actions"`
	Assignee string    `json:"assignee"`
	Note     string    `json:"note"`

	Confirm []field // what is asked to confirm that it was filed
	Assign  []field // what is asked to assign it
	Sent    bool    // that form was refused
}

// setFields sets what the forms about the exception ask for; their fields have ids that end in its number on the page.
func (e *exception) setFields(v *pageRequest, number string) {
	confirmation := text("return_confirmation_id", "Confirmation number from the authority", 100, "")
	e.Confirm = v.inputs("confirm", as("number-"+number, required(confirmation)))
	assignee, note := text("assignee", "Assigned to", 200, ""), text("note", "Note", 2000, "")
	assignee.Value, note.Value = cmp.Or(e.Assignee, v.session.User.Name), e.Note
	e.Assign = []field{as("by-"+number, assignee), as("note-"+number, note)}
	e.Sent = v.fault != nil && v.PostFormValue("type") == e.Type && v.PostFormValue("object_id") == e.ID
	if e.Sent {
		e.Assign = v.inputs(v.PostFormValue("action"), e.Assign...)
	}
	for i := range e.Assign {
		e.Assign[i].Native = true
	}
}

// exceptionPages are the folders of an organization in which the objects of exceptions have their pages.
var exceptionPages = map[string]string{
	"TRANSACTION_UNRESOLVED": "transactions", "FILING_ISSUE": "filings", "FILING_TO_APPROVE": "filings",
	"FILING_OVERDUE": "filings", "FILING_WAITING": "filings", "IMPORT_FAILED": "imports", "NEXUS_UNREGISTERED": "nexus",
	"REGISTRATION_WAITING": "registrations", "ONBOARDING_STUCK": "clients", "WEBHOOK_DISABLED": "webhooks",
}

// Link is the page of the object; empty for none.
func (e exception) Link() string {
	folder, known := exceptionPages[e.Type]
	if !known {
		return ""
	}
	return "/o/" + url.PathEscape(e.Org) + "/" + folder + "/" + url.PathEscape(e.ID)
}

// Sum is how much it is about, in words where that is not known for good.
func (e exception) Sum() string {
	sum := grouped(e.Amount) + " " + e.Currency
	switch {
	case e.Amount == "" && (e.Type == "TRANSACTION_UNRESOLVED" || strings.HasPrefix(e.Type, "FILING")):
		return "the amount is not known yet"
	case e.Amount == "":
		return ""
	case e.Type == "NEXUS_UNREGISTERED" || e.Code == "BACK_TAX":
		return sum + " of tax owed"
	case e.Type != "FILING_ISSUE" && slices.Contains([]string{"UNFILED", "PAUSED", "APPROVAL_BLOCKED"}, e.Code):
		return sum + " so far"
	}
	return sum
}

// May reports whether the person can do something about it by an operation.
func (e exception) May(operation string) bool { return slices.Contains(e.Actions, operation) }

// pick is what of a query goes on to the API.
func pick(from url.Values, names ...string) string { return pickWith(from, url.Values{}, names...) }

// pickWith is pick with parameters of the page itself.
func pickWith(from, query url.Values, names ...string) string {
	for _, name := range names {
		if value := from.Get(name); value != "" {
			query.Set(name, value)
		}
	}
	return query.Encode()
}

// exceptionParameters are the parameters of a list of exceptions that are part of a view.
var exceptionParameters = []string{"type__in", "organization_id", "assignee", "age_days__gte"}

func (c *Console) exceptions(v *pageRequest) error {
	list := exceptionList{listPage: v.listPage()}
	err := v.getLive("/v1/exceptions", pick(list.Query, append([]string{"page"}, exceptionParameters...)...), &list)
	if err != nil {
		return err
	}
	if list.Saved, err = v.saved("exceptions", "", list.Query, exceptionParameters...); err != nil {
		return err
	}
	list.Filters = filters("Filter", list.Query, exceptionFilters()...)
	for i := range list.Items {
		list.Items[i].setFields(v, strconv.Itoa(i))
	}
	return v.show("Exceptions", list)
}

// assign says who takes care of an exception.
func (c *Console) assign(v *pageRequest) error {
	sent := map[string]any{}
	for _, name := range []string{"assignee", "note"} {
		if v.PostFormValue(name) == "" {
			sent[name] = nil
		} else {
			sent[name] = v.PostFormValue(name)
		}
	}
	path := "/v1/exceptions/" + url.PathEscape(v.PostFormValue("type")) + "/" +
		url.PathEscape(v.PostFormValue("object_id"))
	if err := v.call(http.MethodPut, path, v.PostFormValue("organization_id"), sent, nil); err != nil {
		return err
	}
	return v.goTo("/exceptions?" + pick(v.URL.Query(), append([]string{"page"}, exceptionParameters...)...))
}
