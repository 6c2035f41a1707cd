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

	"github.com/oapi-codegen/nullable"

	"levy/contract"
	"levy/models"
)

// exceptionList is a page of the list of exceptions: records that wait for a person.
type exceptionList struct {
	listPage

	Items   []exception
	Counts  []contract.ExceptionCount
	Causes  []cause // empty if the list is of one cause
	Saved   savedViews
	Filters filterForm
	Bulk    []field // the field of the form for the selected exceptions
	Card    *exceptionCard
	Many    bool // some exceptions can be selected
	Returns bool // some of them are returns that the person may approve
}

// exceptionFilters returns the filters of the list of exceptions.
func exceptionFilters() []field {
	return []field{
		hidden("type__in", ""), hidden("organization_id", ""), hidden("reason_code", ""), text("assignee", "Assigned to", 200, ""),
		as("age", field{Name: "age_days__gte", Label: "Days waiting, at least", Kind: "digits"}),
	}
}

// exception is a record that waits for a person.
type exception struct {
	contract.Exception

	Confirm []field // the fields of the form that confirms a filed return
	Assign  []field // the fields of the form that assigns the exception
	Sent    bool    // the form that assigns it was refused
	Address field   // of the record, for the client that decides; without a value for people with actions of their own
	Pick    field   // the box that selects it

	Acts     []act // the actions of its line, the usual one first
	Confirms bool  // the person may enter the confirmation number
	Assigns  bool  // the person may assign it

	filter url.Values // of the list that has it
}

// pickField is the name of the boxes of exceptions. Their values have the organization, the type and the object.
const pickField = "pick"

// setFields sets the fields of the forms of an exception. number is its position on the page, which makes their ids
// unique. people are those who see its organization.
func (e *exception) setFields(v *pageRequest, number string, people []contract.Colleague) {
	confirmation := text("return_confirmation_id", "Confirmation number from the authority", 100, "")
	e.Confirm = v.inputs("confirm", as("number-"+number, required(confirmation)))
	assignee, note := assigneeField("assignee", "Assigned to", valueOf(e.Assignee), people), text("note", "Note", 2000, "")
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
		e.Address = shown("address-"+number, "Address of the record, to send to the client", v.absolute(e.Record()))
	}
	e.Acts, e.Confirms, e.Assigns = e.acts(v.user), e.confirms(v.user), v.user.assigns(e.OrganizationID)
	e.Pick = pickBox(number, e.OrganizationID, string(e.Type), e.ObjectID, isolated(e.Title))
	if slices.Contains(v.PostForm[pickField], e.Pick.Sends) {
		e.Pick.Value = "true"
	}
}

// exceptionPages are the folders below /o/{org} with the pages of the records, by type of exception.
var exceptionPages = map[contract.ExceptionType]string{
	models.ExceptionTransaction: "transactions", models.ExceptionFilingIssue: "filings",
	models.ExceptionToApprove: "filings", models.ExceptionOverdue: "filings", models.ExceptionFilingWaiting: "filings",
	models.ExceptionImport: "imports", models.ExceptionNexus: "nexus", models.ExceptionRegistration: "registrations",
	models.ExceptionOnboarding: "clients", models.ExceptionWebhook: "webhooks", models.ExceptionRefund: "filings",
	models.ExceptionNotice: "notices",
}

// Code returns the code of the reason; "" if it has none.
func (e exception) Code() string { return valueOf(e.ReasonCode) }

// Link returns the address of the record's page as a step of the queue; "" if it has none.
func (e exception) Link() string { return e.inQueue(e.filter) }

// folder returns the folder of the record's page; "" if it has none.
func (e exception) folder() string {
	if e.Type == models.ExceptionRefund && e.Code() == models.NoReturn {
		return exceptionPages[models.ExceptionTransaction]
	}
	return exceptionPages[e.Type]
}

// Open returns the address of the list with the card of the exception.
func (e exception) Open() template.URL {
	return "/exceptions?" + queryWith(e.filter, openParameter, e.Pick.Sends) + "#pane"
}

// Shut returns the address of the list without a card.
func (e exception) Shut() string { return "/exceptions?" + pick(e.filter, exceptionAddress...) }

// Record returns the address of the record's page; "" if it has none.
func (e exception) Record() string {
	folder := e.folder()
	if folder == "" {
		return ""
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
			contract.ExceptionDeciderORGANIZATION: "people of " + isolated(cmp.Or(valueOf(e.OrganizationName), "the organization")),
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
var exceptionParameters = []string{"type__in", "organization_id", "reason_code", "assignee", "age_days__gte"}

// exceptionAddress are the parameters in the address of a page of the list.
var exceptionAddress = append([]string{"page"}, exceptionParameters...)

func (c *Console) exceptions(v *pageRequest) error {
	list := exceptionList{listPage: v.listPage()}
	query := v.sized(pick(list.Query, exceptionAddress...))
	found, groups, err := v.exceptionsAndCauses(query, list.Query)
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
	people, everywhere, err := v.assignable(found.Items)
	if err = v.optional("who can be asked", err); err != nil {
		return err
	}
	for i, each := range found.Items {
		list.Items = append(list.Items, exception{Exception: each, filter: list.Query})
		list.Items[i].setFields(v, strconv.Itoa(i), people[each.OrganizationID])
		list.Many = list.Many || list.Items[i].Assigns
		list.Returns = list.Returns || list.Items[i].May("approveFiling")
	}
	opened := func(e exception) bool { return e.Pick.Sends == list.Query.Get(openParameter) }
	if at := slices.IndexFunc(list.Items, opened); at >= 0 {
		if list.Card, err = v.card(list.Items[at]); err != nil {
			return err
		}
	}
	list.Causes = causesOf(groups, list.Query)
	list.Bulk = v.inputs("bulk", assigneeField("bulk_assignee", "Assign to", v.user.User.Name, everywhere))
	return v.show("Exceptions", list)
}

// exceptionsAndCauses reads a page of the list. With the first page of all causes it reads their groups at the same time.
func (v *pageRequest) exceptionsAndCauses(query string, asked url.Values) (
	found contract.ExceptionList, groups contract.ExceptionGroupList, err error,
) {
	var causes error
	calls := []func(){func() {
		found, err = v.session.WithQuery(query).ListExceptions(v.Context(), contract.ListExceptionsRequest{})
	}}
	if page := asked.Get("page"); asked.Get("reason_code") == "" && (page == "" || page == "1") {
		calls = append(calls, func() {
			groups, causes = v.session.WithQuery(pick(asked, "type__in", "organization_id", "assignee", "age_days__gte")).
				ListExceptionGroups(v.Context(), contract.ListExceptionGroupsRequest{})
		})
	}
	atOnce(calls...)
	if err != nil {
		return found, groups, err
	}
	return found, groups, v.optional("the causes", causes)
}

// assignable reads the people who see the organizations of exceptions that the person assigns, by organization, and those
// who see all of these organizations.
func (v *pageRequest) assignable(items []contract.Exception) (
	people map[string][]contract.Colleague, everywhere []contract.Colleague, err error,
) {
	var organizations []string
	for _, e := range items {
		if v.user.assigns(e.OrganizationID) && !slices.Contains(organizations, e.OrganizationID) {
			organizations = append(organizations, e.OrganizationID)
		}
	}
	if organizations == nil {
		return nil, nil, nil
	}
	if people, err = v.colleagues(organizations...); err != nil {
		return nil, nil, err
	}
	for i, organization := range organizations {
		here := people[organization]
		if i == 0 {
			everywhere = slices.Clone(here)
			continue
		}
		everywhere = slices.DeleteFunc(everywhere, func(p contract.Colleague) bool {
			return !slices.ContainsFunc(here, func(other contract.Colleague) bool { return other.ID == p.ID && other.MayAct })
		})
	}
	return people, everywhere, nil
}

// said returns the message after a bulk form, whose cookie is the number of exceptions.
func (exceptionList) said(value string) string {
	n, found := strings.CutPrefix(value, "bulk-")
	count, err := strconv.Atoi(n)
	if !found || err != nil {
		return ""
	}
	return counted(count, "exception") + " done."
}

// changeMany does the action of the bulk form to the selected exceptions, for each organization by itself. Errors:
// *problem that names the refused ones.
func (v *pageRequest) changeMany() error {
	byOrganization, organizations := map[string][]contract.ExceptionRef{}, []string{}
	for _, picked := range v.PostForm[pickField] {
		parts := strings.SplitN(picked, " ", 3)
		if len(parts) != 3 {
			return unknownAction()
		}
		if byOrganization[parts[0]] == nil {
			organizations = append(organizations, parts[0])
		}
		byOrganization[parts[0]] = append(byOrganization[parts[0]],
			contract.ExceptionRef{Type: contract.ExceptionType(parts[1]), ObjectID: parts[2]})
	}
	if organizations == nil {
		return &problem{Status: http.StatusBadRequest, Title: "Nothing is selected", Detail: "Select one exception or more first."}
	}
	body := contract.ExceptionBulk{Action: "REPROCESS"}
	if v.PostFormValue("action") == "assign_many" {
		body.Action, body.Assignee = "ASSIGN", v.PostFormValue("bulk_assignee")
	}
	done, refused := 0, []problemField(nil)
	for _, organization := range organizations {
		body.Exceptions = byOrganization[organization]
		answer, err := v.session.In(v.Context(), organization).ChangeExceptions(v.Context(),
			contract.ChangeExceptionsRequest{Body: body})
		if p := problemOf(err); p != nil && p.Status < http.StatusInternalServerError && len(organizations) > 1 {
			refused = append(refused, problemField{Message: p.Title})
			continue
		}
		if err != nil {
			return v.brokenOff(err, done, refused)
		}
		done += answer.DoneCount
		for _, item := range answer.Items {
			if item.Message != nil {
				refused = append(refused, problemField{Message: item.ObjectID + ": " + *item.Message})
			}
		}
	}
	if refused != nil {
		return &problem{Status: http.StatusConflict, Partly: done > 0, Errors: refused,
			Title: fmt.Sprintf("%d done, %d refused", done, len(refused))}
	}
	v.setFlash("bulk-"+strconv.Itoa(done), 60)
	http.Redirect(v.w, v.Request, v.exceptionsAddress(), http.StatusSeeOther)
	return nil
}

// brokenOff returns why a bulk form ended before its last exception. A call that fails may have done a part of its own.
func (v *pageRequest) brokenOff(err error, done int, refused []problemField) error {
	p := v.refusalOf(err)
	if p.Status < http.StatusInternalServerError {
		return err
	}
	return &problem{Status: p.Status, Code: p.Code, Title: p.Title, Partly: true, Errors: append(refused, p.Errors...),
		Detail: counted(done, "exception") + " done. Some of the others may be done, too. Those that are still listed can be sent again."}
}

// exceptionsAddress returns the address of the list with the filters of the form's address.
func (v *pageRequest) exceptionsAddress() string {
	return "/exceptions?" + pick(v.URL.Query(), exceptionAddress...)
}

// setOrCleared returns the change of an optional text: an empty one clears it.
func setOrCleared(value string) nullable.Nullable[string] {
	if value == "" {
		return nullable.NewNullNullable[string]()
	}
	return nullable.NewNullableWithValue(value)
}

// assign assigns an exception to a person, with a note, or changes the selected exceptions.
func (c *Console) assign(v *pageRequest) error {
	if action := v.PostFormValue("action"); action == "reprocess_many" || action == "assign_many" {
		return v.changeMany()
	}
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
	return v.goTo(v.exceptionsAddress())
}
