package web

import (
	"errors"
	"net/url"
	"strings"
)

// dueFiling is a return in the list of all organizations.
type dueFiling struct {
	filing
	OrgName  string `json:"organization_name"`
	WaitsFor string `json:"waits_for"`
}

// Waits returns the person or event for which the return waits.
func (f dueFiling) Waits() string {
	return map[string]string{
		"PERIOD_END": "the end of its period", "UNBLOCKING": "its approval to be unblocked",
		"PROCESSING": "transactions to be processed",
		"CORRECTION": "transactions to be corrected", "APPROVAL": "approval", "AUTHORITY": "the authority",
		"CONFIRMATION": "someone to file it and enter the confirmation",
		"DECISION":     "a decision about the issue", "RESUMPTION": "someone to resume it",
	}[f.WaitsFor]
}

type dueList struct {
	listPage

	Items    []dueFiling `json:"items"`
	Counts   []dueCount  `json:"counts"`
	None     bool        // there are no returns at all, with or without filters
	Unsorted string      // why the list is not in the requested order; empty if it is
	Views    []view
	Saved    savedViews
	Calendar month
	Filters  filterForm
}

type dueCount struct {
	Due    string `json:"due_date"`
	Status string `json:"status"`
	Count  int    `json:"count"`
}

// openStatuses are the statuses of returns with work to do.
const openStatuses = "UNFILED,FILING,ISSUE,PAUSED"

// dueOrders are the orders of the list of returns of all organizations.
var dueOrders = []option{
	{"", "Earliest due first"}, {"-due_date", "Latest due first"}, {"-amount", "Largest amount first"},
	{"amount", "Smallest amount first"}, {"organization_name", "By client"},
}

// filingStatuses are the statuses by which lists of returns are filtered.
var filingStatuses = options("UNFILED", "FILING", "ISSUE", "PAUSED", "FILED", "SKIPPED", "CANCELLED")

// dueFilters are the filters of the list of returns of all organizations.
var dueFilters = []field{
	allOf("status", "status__in", "Status", append([]option{{openStatuses, "Open"}}, filingStatuses...)),
	as("state", field{Name: "state_code", Label: "Place", Kind: "place", Blank: "All"}),
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
	return "sorted as asked for"
}

// dueFilings lists the returns of all organizations that the person sees. If they are too many to be sorted by amount,
// the list is by due date and says why.
func (c *Console) dueFilings(v *pageRequest) error {
	list := dueList{listPage: v.listPage()}
	if !list.Query.Has("status__in") {
		list.Query.Set("status__in", openStatuses)
	}
	list.Views = filingViews(list.Query)
	query := pick(list.Query, append([]string{"page"}, filingParameters...)...)
	err := v.get("/v1/due_filings?"+query, "", &list)
	var refused *problem
	if errors.As(err, &refused) && len(refused.Errors) == 1 && refused.Errors[0].Location == "query.order_by" {
		list.Unsorted = refused.Errors[0].Message
		list.Query.Del("order_by")
		err = v.get("/v1/due_filings?"+pick(list.Query, append([]string{"page"}, filingParameters...)...), "", &list)
	}
	if err != nil {
		return err
	}
	if list.Total == 0 {
		var all struct{ Total int }
		query := pickWith(list.Query, url.Values{"size": {"1"}}, "organization_id")
		if err := v.get("/v1/due_filings?"+query, "", &all); err != nil {
			return err
		}
		list.None = all.Total == 0
	}
	if list.Saved, err = v.saved("filings", "", list.Query, filingParameters...); err != nil {
		return err
	}
	list.Filters = filters("Filter", list.Query, dueFilters...)
	return v.show("Filings", list)
}
