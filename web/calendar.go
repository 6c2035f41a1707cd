package web

import (
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"levy/contract"
	"levy/models"
)

// month is the data of a calendar.
type month struct {
	Name, Month, Before, After string // Month, Before and After are months such as 2026-11
	Weeks                      [][]monthDay
	Empty                      bool // nothing is due
}

// monthDay is a day of a calendar with its number of due returns. A day of another month has an empty Date.
type monthDay struct {
	Date                 string
	Day                  int
	Today                bool
	Open, Issue, Settled int
}

// calendarPage is a month with its open returns, and the query of its address.
type calendarPage struct {
	month

	Query url.Values
	Open  []dueFiling // the first ones
	Total int64       // of open returns
	// Money is what open returns need by day and currency, if Asked.
	Money   []contract.DueMoney
	Asked   bool
	NoMoney string // why the money is not added up; empty if it is or if the page does not ask
	// Notices are letters of authorities to be answered in the month. MoreNotices reports whether there may be others.
	Notices     []exception
	MoreNotices bool
}

// Client returns the client of the calendar as a part of a query; "" for all.
func (p calendarPage) Client() template.URL {
	client := p.Query.Get("organization_id")
	if client == "" {
		return ""
	}
	return template.URL("&" + url.Values{"organization_id": {client}}.Encode()) //nolint:gosec // it is encoded
}

// lackLabels are the data that returns lack.
var lackLabels = map[string]string{
	models.LacksNumber:       "the number of the authority in the registration",
	models.LacksField:        "a field of the registration that its form asks for",
	models.LacksTaxpayer:     "data of the organization that its file or payment asks for",
	models.LacksBank:         "the bank account of the organization",
	models.LacksTransactions: "transactions to be corrected",
}

// Lacks returns the data that the return lacks.
func (f dueFiling) Lacks() string {
	labels := make([]string, len(f.MissingData))
	for i, lack := range f.MissingData {
		labels[i] = lackLabels[lack]
	}
	return strings.Join(labels, ", ")
}

// OpenStatuses returns the statuses of returns that a day counts as open, as the value of a filter.
func (calendarPage) OpenStatuses() string {
	return statusesOf(func(s models.FilingStatus) bool { return !s.Over() && s != models.FilingIssue })
}

// SettledStatuses returns the statuses of returns that are over, as the value of a filter.
func (calendarPage) SettledStatuses() string { return statusesOf(models.FilingStatus.Over) }

// listedInCalendar is how many open returns the page of a month lists.
const listedInCalendar = "50"

// calendar shows the returns that are due in a month: their number on each day, and which data and money open ones need.
// All organizations together need an explicit request for the money, because it adds up each return that waits.
func (c *Console) calendar(v *pageRequest) error {
	query := v.URL.Query()
	first, err := c.monthAsked(query)
	if err != nil {
		return err
	}
	page := calendarPage{Query: query}
	page.Asked = query.Get("money") == "true" || query.Get("organization_id") != ""
	var notices []exception
	var more bool
	var due, letters error
	atOnce(
		func() { due = page.readDue(v, first, c.now()) },
		func() { notices, more, letters = noticesIn(v, first) })
	if due != nil {
		return due
	}
	if letters = v.readable(letters); letters != nil {
		return letters
	}
	page.Notices, page.MoreNotices = notices, more
	return v.show("Returns due in "+page.Name, page)
}

// readDue reads the returns that are due in the month of a day.
func (p *calendarPage) readDue(v *pageRequest, first, now time.Time) error {
	due := dueIn(first)
	due.Set("size", "1")
	list, err := v.listDue(pickWith(placed(p.Query, "country_code"), due, "organization_id", "state_code", "country_code"))
	if err != nil {
		return err
	}
	p.month = monthOf(first, now.UTC().Format(time.DateOnly), list.Counts)
	if p.Empty {
		return nil
	}
	due.Set("size", listedInCalendar)
	due.Set("status__in", openStatuses)
	due.Set("money", strconv.FormatBool(p.Asked))
	asked := []string{"organization_id", "state_code", "country_code"}
	open, err := v.listDue(pickWith(placed(p.Query, "country_code"), due, asked...))
	if refused := problemOf(err); refused != nil && len(refused.Errors) == 1 && refused.Errors[0].Location == "query.money" {
		p.NoMoney, p.Asked = refused.Errors[0].Message, false
		due.Set("money", "false")
		open, err = v.listDue(pickWith(placed(p.Query, "country_code"), due, asked...))
	}
	if err != nil {
		return err
	}
	p.Total, p.Money = open.Total, open.Money
	for _, f := range open.Items {
		p.Open = append(p.Open, dueFiling{DueFiling: f})
	}
	return nil
}

// listedNotices is how many notices the calendar reads.
const listedNotices = 100

// noticesIn reads the letters of authorities that are to be answered in the month of a day, among those that wait the longest. more
// reports whether there may be others.
func noticesIn(v *pageRequest, first time.Time) (notices []exception, more bool, err error) {
	query := v.URL.Query()
	if query.Get("state_code")+query.Get("country_code") != "" {
		return nil, false, nil
	}
	list, err := v.session.In(v.Context(), "").ListExceptions(v.Context(), contract.ListExceptionsRequest{
		Params: contract.ListExceptionsParams{
			TypeIn: []contract.ExceptionType{models.ExceptionNotice}, OrganizationID: query.Get("organization_id"),
			Page: 1, Size: listedNotices,
		},
	})
	for _, each := range list.Items {
		if each.Due != nil && each.Due.Format("2006-01") == first.Format("2006-01") {
			notices = append(notices, exception{Exception: each})
		}
	}
	return notices, list.Total > listedNotices, err
}

// monthAsked returns the first day of the month of an address; of this month if it names none. Errors: *problem.
func (c *Console) monthAsked(query url.Values) (time.Time, error) {
	if query.Get("month") == "" {
		return time.Date(c.now().UTC().Year(), c.now().UTC().Month(), 1, 0, 0, 0, 0, time.UTC), nil
	}
	first, err := time.Parse("2006-01", query.Get("month"))
	// guard: calendar: an address without a month of the calendar shows no other month
	if err != nil || first.Year() < 1900 || first.Year() > 2100 {
		return first, &problem{Status: http.StatusBadRequest, Title: "There is no such month",
			Detail: "The month of this address cannot be read. Write it like 2026-11, between 1900-01 and 2100-12, or open the calendar."}
	}
	return first, nil
}

// dueIn returns the filter of returns that are due in a month.
func dueIn(first time.Time) url.Values {
	return url.Values{
		"due_date__gte": {first.Format(time.DateOnly)}, "due_date__lte": {first.AddDate(0, 1, -1).Format(time.DateOnly)},
	}
}

// calendarFile answers with the returns that are due in a month as CSV.
func (c *Console) calendarFile(v *pageRequest) error {
	query := v.URL.Query()
	first, err := c.monthAsked(query)
	if err != nil {
		v.backToParent = true
		return err
	}
	asked := pickWith(placed(query, "country_code"), dueIn(first), "organization_id", "state_code", "country_code")
	return v.download(func(out contract.Stream) error {
		return v.session.WithQuery(asked).ExportDueFilings(v.Context(), contract.ExportDueFilingsRequest{}, out)
	})
}

// monthOf returns a month in weeks from Sunday to Saturday, as calendars in the United States have them.
func monthOf(first time.Time, today string, counts []contract.DueCount) month {
	m := month{
		Name: first.Format("January 2006"), Month: first.Format("2006-01"), Before: first.AddDate(0, -1, 0).Format("2006-01"),
		After: first.AddDate(0, 1, 0).Format("2006-01"), Empty: len(counts) == 0,
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
		status, count := models.FilingStatus(each.Status), int(each.Count)
		d, ok := by[each.DueDate.String()]
		switch {
		case !ok:
		case status == models.FilingIssue:
			d.Issue += count
		case !status.Over():
			d.Open += count
		default:
			d.Settled += count
		}
	}
	return m
}
