package web

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// dueFiling is a return in a list over organizations.
type dueFiling struct {
	filing
	OrgName  string `json:"organization_name"`
	WaitsFor string `json:"waits_for"`
}

// Waits says for whom or what a return waits.
func (f dueFiling) Waits() string {
	return map[string]string{
		"PERIOD_END": "the end of its period", "UNBLOCKING": "its approval to be unblocked",
		"PROCESSING": "transactions to be processed",
		"CORRECTION": "transactions to be corrected", "APPROVAL": "approval", "AUTHORITY": "the authority",
		"DECISION": "a decision about the issue", "RESUMPTION": "someone to resume it",
	}[f.WaitsFor]
}

type dueList struct {
	listed

	Items    []dueFiling `json:"items"`
	Counts   []dueCount  `json:"counts"`
	Statuses []string
	Orders   []option
	None     bool   // there are no returns at all, whatever is asked for
	Unsorted string // why the list is not sorted as was asked for; empty where it is
	Views    []view
	Saved    savedViews
	Calendar month
}

type dueCount struct {
	Due    string `json:"due_date"`
	Status string `json:"status"`
	Count  int    `json:"count"`
}

// month is a month of a calendar.
type month struct {
	Name, Before, After string // Before and After are months as 2026-11
	Weeks               [][]monthDay
}

// monthDay is a day of a calendar, with how many returns are due; an empty Date is a day of another month.
type monthDay struct {
	Date              string
	Day               int
	Today             bool
	Open, Issue, Over int
}

// openStatuses are those of returns for which something is left to do.
const openStatuses = "UNFILED,FILING,ISSUE,PAUSED"

// dueOrders are how a list of returns of all organizations can be sorted.
var dueOrders = []option{
	{"", "Earliest due first"}, {"-due_date", "Latest due first"}, {"-amount", "Largest amount first"},
	{"amount", "Smallest amount first"}, {"organization_name", "By client"},
}

// Sorted is the order that is shown, in words.
func (l dueList) Sorted() string {
	for _, order := range l.Orders {
		if order.Value == l.Query.Get("order_by") {
			return strings.ToLower(order.Label[:1]) + order.Label[1:]
		}
	}
	return "sorted as asked for"
}

// dueFilings lists the returns of all organizations that the person sees. Where they are too many to be sorted by
// amount it shows them by due day, and says so.
func (c *Console) dueFilings(v *visit) error {
	list := dueList{listed: v.listed(), Orders: dueOrders, Statuses: []string{
		openStatuses, "UNFILED", "FILING", "ISSUE", "PAUSED", "FILED", "SKIPPED", "CANCELLED",
	}}
	if !list.Query.Has("status__in") {
		list.Query.Set("status__in", openStatuses)
	}
	list.Views = filingViews(list.Query)
	query := passed(list.Query, append([]string{"page"}, filingParameters...)...)
	err := v.get("/v1/due_filings?"+query, "", &list)
	var refused *problem
	if errors.As(err, &refused) && len(refused.Errors) == 1 && refused.Errors[0].Location == "query.order_by" {
		list.Unsorted = refused.Errors[0].Message
		list.Query.Del("order_by")
		err = v.get("/v1/due_filings?"+passed(list.Query, append([]string{"page"}, filingParameters...)...), "", &list)
	}
	if err != nil {
		return err
	}
	if list.Total == 0 {
		var all struct{ Total int }
		if err := v.get("/v1/due_filings?"+passedWith(list.Query, url.Values{"size": {"1"}}, "organization_id"), "", &all); err != nil {
			return err
		}
		list.None = all.Total == 0
	}
	if list.Saved, err = v.saved("filings", "", list.Query, filingParameters...); err != nil {
		return err
	}
	return v.show("due", "Filings", list)
}

// calendar shows how many returns are due on each day of a month.
func (c *Console) calendar(v *visit) error {
	list := dueList{listed: v.listed()}
	first, err := time.Parse("2006-01", list.Query.Get("month"))
	if err != nil || first.Year() < 1900 || first.Year() > 2100 {
		first = time.Date(c.now().UTC().Year(), c.now().UTC().Month(), 1, 0, 0, 0, 0, time.UTC)
	}
	last := first.AddDate(0, 1, -1)
	query := passedWith(list.Query, url.Values{
		"size": {"1"}, "due_date__gte": {first.Format(time.DateOnly)}, "due_date__lte": {last.Format(time.DateOnly)},
	}, "organization_id", "state_code", "country_code")
	if err := v.get("/v1/due_filings?"+query, "", &list); err != nil {
		return err
	}
	list.Calendar = monthOf(first, c.now().UTC().Format(time.DateOnly), list.Counts)
	return v.show("calendar", "Filings due in "+list.Calendar.Name, list)
}

// monthOf lays a month out in weeks that begin on Sunday, as in the United States.
func monthOf(first time.Time, today string, counts []dueCount) month {
	m := month{
		Name: first.Format("January 2006"), Before: first.AddDate(0, -1, 0).Format("2006-01"), After: first.AddDate(0,
			1, 0).Format("2006-01"),
	}
	by := map[string]*monthDay{}
	week := make([]monthDay, 7)
	for day := first; day.Month() == first.Month(); day = day.AddDate(0, 0, 1) {
		if day.Weekday() == time.Sunday || day.Equal(first) {
			week = make([]monthDay, 7)
			m.Weeks = append(m.Weeks, week)
		}
		d := &week[day.Weekday()]
		d.Date, d.Day = day.Format(time.DateOnly), day.Day()
		d.Today = d.Date == today
		by[d.Date] = d
	}
	for _, each := range counts {
		d, ok := by[each.Due]
		switch {
		case !ok:
		case each.Status == "ISSUE":
			d.Issue += each.Count
		case filing{Status: each.Status}.Open():
			d.Open += each.Count
		default:
			d.Over += each.Count
		}
	}
	return m
}

// verification is the verdict about the report of a return.
type verification struct {
	Verdict      string `json:"verdict"`
	Transactions int    `json:"transactions"`
	Differences  []struct {
		Where  string `json:"where"`
		Stated any    `json:"stated"`
		Found  any    `json:"found"`
	} `json:"differences"`
	More bool `json:"differences_truncated"`
}

// verifyFiling recomputes the report of a return and shows whether it still is what was filed.
func (c *Console) verifyFiling(v *visit) error {
	verdict := &verification{}
	err := v.call(http.MethodPost, "/v1/filings/"+v.id()+"/verify", v.org, nil, verdict)
	if err != nil {
		return err
	}
	return c.showFiling(v, filingPage{Verdict: verdict}, nil)
}

// before reads the return of the period before, of the same registration and category; nil for none.
func (v *visit) before(f filing) (*filing, error) {
	start, err := time.Parse(time.DateOnly, f.Start)
	if err != nil {
		return nil, err
	}
	query := url.Values{
		"registration_id": {f.Registration}, "filing_category__in": {f.Category}, "order_by": {"-end_date"},
		"size":     {strconv.Itoa(1)},
		"end_date": {start.AddDate(0, 0, -1).Format(time.DateOnly)},
	}
	var list filingList
	if err := v.get("/v1/filings?"+query.Encode(), v.org, &list); err != nil {
		return nil, err
	}
	if len(list.Items) == 0 || list.Items[0].Currency != f.Currency {
		return nil, nil
	}
	return &list.Items[0], nil
}
