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

// exceptionList is a page of the list of exceptions: records that wait for a person.
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

// exceptionFilters returns the filters of the list of exceptions.
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

	Confirm []field // the fields of the form that confirms a filed return
	Assign  []field // the fields of the form that assigns the exception
	Sent    bool    // the form that assigns it was refused
}

// setFields sets the fields of the forms of an exception. number is its position on the page, which makes their ids
// unique.
func (e *exception) setFields(v *pageRequest, number string) {
	confirmation := text("return_confirmation_id", "Confirmation number from the authority", 100, "")
	e.Confirm = v.inputs("confirm", as("number-"+number, required(confirmation)))
	assignee, note := text("assignee", "Assigned to", 200, ""), text("note", "Note", 2000, "")
	assignee.Value, note.Value = cmp.Or(e.Assignee, v.user.User.Name), e.Note
	e.Assign = []field{as("by-"+number, assignee), as("note-"+number, note)}
	e.Sent = v.fault != nil && v.PostFormValue("type") == e.Type && v.PostFormValue("object_id") == e.ID
	if e.Sent {
		e.Assign = v.inputs(v.PostFormValue("action"), e.Assign...)
	}
	for i := range e.Assign {
		e.Assign[i].Native = true
	}
}

// exceptionPages are the folders below /o/{org} with the pages of the records, by type of exception.
var exceptionPages = map[string]string{
	"TRANSACTION_UNRESOLVED": "transactions", "FILING_ISSUE": "filings", "FILING_TO_APPROVE": "filings",
	"FILING_OVERDUE": "filings", "FILING_WAITING": "filings", "IMPORT_FAILED": "imports", "NEXUS_UNREGISTERED": "nexus",
	"REGISTRATION_WAITING": "registrations", "ONBOARDING_STUCK": "clients", "WEBHOOK_DISABLED": "webhooks",
}

// Link returns the address of the record's page; "" if it has none.
func (e exception) Link() string {
	folder, known := exceptionPages[e.Type]
	if !known {
		return ""
	}
	return "/o/" + url.PathEscape(e.Org) + "/" + folder + "/" + url.PathEscape(e.ID)
}

// Sum returns the amount at stake, and whether it is final.
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

// May reports whether the person may call an operation for the record.
func (e exception) May(operation string) bool { return slices.Contains(e.Actions, operation) }

// pick returns the named parameters of a query that have a value, encoded for the API.
func pick(from url.Values, names ...string) string { return pickWith(from, url.Values{}, names...) }

// pickWith returns the named parameters of a query together with those of the page, encoded for the API.
func pickWith(from, query url.Values, names ...string) string {
	for _, name := range names {
		if value := from.Get(name); value != "" {
			query.Set(name, value)
		}
	}
	return query.Encode()
}

// exceptionParameters are the parameters of the list of exceptions that a saved view stores.
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

// assign assigns an exception to a person, with a note.
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
