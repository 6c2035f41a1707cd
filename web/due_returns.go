package web

import (
	"net/url"
	"strconv"
	"strings"

	"levy/contract"
	"levy/models"
)

// dueFiling is a return in the list of all organizations.
type dueFiling struct {
	contract.DueFiling
	Pick *field // the box that selects it for an approval with others; nil if it has none
}

// Jurisdiction returns the name of the place of the return, such as "US: California".
func (f dueFiling) Jurisdiction() string {
	return placeNamed(f.CountryCode, f.StateCode, valueOf(f.StateName))
}

// Open reports whether the return is not filed, skipped or cancelled.
func (f dueFiling) Open() bool { return !models.FilingStatus(f.Status).Over() }

// waitLabels are the persons and events for which returns wait.
var waitLabels = map[string]string{
	models.WaitsForPeriodEnd: "the end of its period", models.WaitsForUnblocking: "its approval to be unblocked",
	models.WaitsForProcessing: "transactions to be processed", models.WaitsForCorrection: "transactions to be corrected",
	models.WaitsForApproval: "approval", models.WaitsForAuthority: "the authority",
	models.WaitsForConfirmation: "a person to file it and enter the confirmation",
	models.WaitsForDecision:     "a decision about the issue", models.WaitsForResumption: "a person to resume it",
}

// Waits returns the person or event for which the return waits; "" if it is over.
func (f dueFiling) Waits() string { return waitLabels[plain(f.WaitsFor)] }

type dueList struct {
	listPage

	Items    []dueFiling
	Many     bool   // some of them can be selected
	None     bool   // there are no returns at all, with or without filters
	Unsorted string // why the list is not in the requested order; empty if it is
	Views    []view
	Saved    savedViews
	Filters  filterForm
}

// filingStatuses are the statuses by which lists of returns are filtered.
var filingStatuses = options(models.FilingUnfiled, models.FilingFiling, models.FilingIssue, models.FilingPaused,
	models.FilingFiled, models.FilingSkipped, models.FilingCancelled)

// openStatuses are the statuses of returns with work to do.
var openStatuses = statusesOf(func(s models.FilingStatus) bool { return !s.Over() })

// statusesOf returns the statuses of returns that fit, as the value of a filter.
func statusesOf(fits func(models.FilingStatus) bool) string {
	var all []string
	for _, o := range filingStatuses {
		if fits(models.FilingStatus(o.Value)) {
			all = append(all, o.Value)
		}
	}
	return strings.Join(all, ",")
}

// dueOrders are the orders of the list of returns of all organizations.
var dueOrders = []option{
	{"", "Earliest due first"}, {"-due_date", "Latest due first"}, {"-amount", "Largest amount first"},
	{"amount", "Smallest amount first"}, {"organization_name", "By client"},
}

// dueFilters are the filters of the list of returns of all organizations.
var dueFilters = []field{
	allOf("status", "status__in", "Status", append([]option{{openStatuses, "Open"}}, filingStatuses...)),
	placeFilter,
	as("from", date("due_date__gte", "Due from")), as("by", date("due_date__lte", "Due by")),
	hidden("due_days__gte", ""), hidden("due_days__lte", ""), hidden("country_code", ""), hidden("organization_id", ""),
	sortedBy(dueOrders...),
}

// Sorted returns the order of the list as part of a sentence.
func (l dueList) Sorted() string {
	for _, order := range dueOrders {
		if order.Value == l.Query.Get("order_by") {
			return strings.ToLower(order.Label[:1]) + order.Label[1:]
		}
	}
	return "in the chosen order"
}

// dueFilings lists the returns of all organizations that the person sees. If they are too many to be sorted by amount,
// the list is by due date and says why.
func (c *Console) dueFilings(v *pageRequest) error {
	query := unplaced(v.URL.Query(), "country_code")
	if !query.Has("status__in") {
		query.Set("status__in", openStatuses)
	}
	list := dueList{Views: filingViews(query)}
	asked := append([]string{"page"}, filingParameters...)
	found, err := v.listDue(v.sized(pick(placed(query, "country_code"), asked...)))
	if refused := problemOf(err); refused != nil && len(refused.Errors) == 1 && refused.Errors[0].Location == "query.order_by" {
		list.Unsorted = refused.Errors[0].Message
		query.Del("order_by")
		found, err = v.listDue(v.sized(pick(placed(query, "country_code"), asked...)))
	}
	if err != nil {
		return err
	}
	if found.Total == 0 {
		all, err := v.listDue(pickWith(query, url.Values{"size": {"1"}}, "organization_id"))
		if err != nil {
			return err
		}
		list.None = all.Total == 0
	}
	if list.Saved, err = v.saved("filings", "", placed(query, "country_code"), filingParameters...); err != nil {
		return err
	}
	list.listPage = listPage{Total: int(found.Total), Page: found.Page, Pages: found.Pages, Query: query}
	for i, f := range found.Items {
		item := dueFiling{DueFiling: f}
		if plain(f.WaitsFor) == models.WaitsForApproval && v.user.reaches(f.OrganizationID, models.RoleApprover) {
			item.Pick = new(pickBox(strconv.Itoa(i), f.OrganizationID, pickedReturn, f.ID, item.Jurisdiction()))
			list.Many = true
		}
		list.Items = append(list.Items, item)
	}
	list.Filters = filters("Filter", query, dueFilters...)
	return v.show("Due returns", list)
}

// listDue lists the returns of all organizations.
func (v *pageRequest) listDue(query string) (contract.DueFilingList, error) {
	return v.session.WithQuery(query).ListDueFilings(v.Context(), contract.ListDueFilingsRequest{})
}
