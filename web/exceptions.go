package web

import (
	"cmp"
	"levy/contract"
	"levy/models"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/oapi-codegen/nullable"
)

// exceptionList is a page of the list of exceptions: records that wait for a person.
type exceptionList struct {
	listPage

	Items   []exception
	Counts  []contract.ExceptionCount
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

// exception is a record that waits for a person.
type exception struct {
	contract.Exception

	Confirm []field // the fields of the form that confirms a filed return
	Assign  []field // the fields of the form that assigns the exception
	Sent    bool    // the form that assigns it was refused
	Address field   // of the record, for the client that decides; without a value for people with actions of their own
}

// setFields sets the fields of the forms of an exception. number is its position on the page, which makes their ids
// unique.
func (e *exception) setFields(v *pageRequest, number string) {
	confirmation := text("return_confirmation_id", "Confirmation number from the authority", 100, "")
	e.Confirm = v.inputs("confirm", as("number-"+number, required(confirmation)))
	assignee, note := text("assignee", "Assigned to", 200, ""), text("note", "Note", 2000, "")
	assignee.Value, note.Value = cmp.Or(valueOf(e.Assignee), v.user.User.Name), valueOf(e.Note)
	e.Assign = []field{as("by-"+number, assignee), as("note-"+number, note)}
	e.Sent = v.fault != nil && v.PostFormValue("type") == string(e.Type) &&
		v.PostFormValue("object_id") == e.ObjectID
	if e.Sent {
		e.Assign = v.inputs(v.PostFormValue("action"), e.Assign...)
	}
	for i := range e.Assign {
		e.Assign[i].Native = true
	}
	ofClient := v.user.roles().RoleIn(e.OrganizationID, "") == ""
	if ofClient && len(e.Actions) == 0 && slices.Contains(e.DecidedBy, contract.ExceptionDeciderORGANIZATION) {
		e.Address = shown("address-"+number, "Address of the record, to send to the client", v.absolute(e.Link()))
	}
}

// exceptionPages are the folders below /o/{org} with the pages of the records, by type of exception.
var exceptionPages = map[contract.ExceptionType]string{
	models.ExceptionTransaction: "transactions", models.ExceptionFilingIssue: "filings",
	models.ExceptionToApprove: "filings", models.ExceptionOverdue: "filings", models.ExceptionFilingWaiting: "filings",
	models.ExceptionImport: "imports", models.ExceptionNexus: "nexus", models.ExceptionRegistration: "registrations",
	models.ExceptionOnboarding: "clients", models.ExceptionWebhook: "webhooks", models.ExceptionRefund: "filings",
}

// Code returns the code of the reason; "" if it has none.
func (e exception) Code() string { return valueOf(e.ReasonCode) }

// Link returns the address of the record's page; "" if it has none.
func (e exception) Link() string {
	folder, known := exceptionPages[e.Type]
	if !known {
		return ""
	}
	if e.Type == models.ExceptionRefund && e.Code() == models.NoReturn {
		folder = exceptionPages[models.ExceptionTransaction]
	}
	return "/o/" + url.PathEscape(e.OrganizationID) + "/" + folder + "/" + url.PathEscape(e.ObjectID)
}

// Sum returns the amount at stake, and whether it is final.
func (e exception) Sum() string {
	switch sum := grouped(e.Amount) + " " + valueOf(e.Currency); {
	case e.AmountFromLines:
		return sum + " from its lines"
	case e.Amount == nil && e.awaitsAmount():
		return "the amount is not known yet"
	case e.Amount == nil:
		return ""
	case e.Type == models.ExceptionNexus || e.Code() == models.BackTax:
		return sum + " of tax owed"
	case e.Type != models.ExceptionFilingIssue && mayGrow(e.Code()):
		return sum + " so far"
	default:
		return sum
	}
}

// awaitsAmount reports whether the record gets an amount that it may not have yet.
func (e exception) awaitsAmount() bool {
	switch e.Type {
	case models.ExceptionTransaction, models.ExceptionFilingIssue, models.ExceptionToApprove, models.ExceptionOverdue,
		models.ExceptionFilingWaiting:
		return true
	default:
		return false
	}
}

// mayGrow reports whether sales may still change the amount of a return with this reason.
func mayGrow(code string) bool {
	switch models.FilingStatus(code) {
	case models.FilingUnfiled, models.FilingPaused:
		return true
	default:
		return code == models.ApprovalBlocked
	}
}

// May reports whether the person may call an operation for the record.
func (e exception) May(operation string) bool { return slices.Contains(e.Actions, operation) }

// Deciders returns whose people decide about the record.
func (e exception) Deciders() string {
	words := make([]string, len(e.DecidedBy))
	for i, each := range e.DecidedBy {
		words[i] = map[contract.ExceptionDecider]string{
			contract.ExceptionDeciderORGANIZATION: "people of " + cmp.Or(valueOf(e.OrganizationName), "the organization"),
			contract.ExceptionDeciderPARTNER:      "its partner", contract.ExceptionDeciderSTAFF: "the operator",
		}[each]
	}
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " or " + words[n-1]
	}
	return strings.Join(words, "")
}

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
	query := pick(list.Query, append([]string{"page"}, exceptionParameters...)...)
	found, err := v.session.WithQuery(query).ListExceptions(v.Context(), contract.ListExceptionsRequest{})
	if err != nil {
		return err
	}
	if err := v.follow("/v1/exceptions", query, found); err != nil {
		return err
	}
	list.listPage, list.Counts = v.pageOf(found.Total, found.Page, found.Pages), found.Counts
	if list.Saved, err = v.saved("exceptions", "", list.Query, exceptionParameters...); err != nil {
		return err
	}
	list.Filters = filters("Filter", list.Query, exceptionFilters()...)
	for i, each := range found.Items {
		list.Items = append(list.Items, exception{Exception: each})
		list.Items[i].setFields(v, strconv.Itoa(i))
	}
	return v.show("Exceptions", list)
}

// setOrCleared returns the change of an optional text: an empty one clears it.
func setOrCleared(value string) nullable.Nullable[string] {
	if value == "" {
		return nullable.NewNullNullable[string]()
	}
	return nullable.NewNullableWithValue(value)
}

// assign assigns an exception to a person, with a note.
func (c *Console) assign(v *pageRequest) error {
	_, err := v.session.In(v.Context(), v.PostFormValue("organization_id")).AssignException(v.Context(),
		contract.AssignExceptionRequest{
			Type: v.PostFormValue("type"), ObjectID: v.PostFormValue("object_id"),
			Body: contract.ExceptionUpdate{
				Assignee: setOrCleared(v.PostFormValue("assignee")), Note: setOrCleared(v.PostFormValue("note")),
				Done: v.PostFormValue("done") == "true",
			},
		})
	if err != nil {
		return err
	}
	return v.goTo("/exceptions?" + pick(v.URL.Query(), append([]string{"page"}, exceptionParameters...)...))
}
