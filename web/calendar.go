package web

import (
	"net/url"
	"time"

	"levy/contract"
	"levy/models"
)

// month is the data of a calendar.
type month struct {
	Name, Before, After string // Before and After are months such as 2026-11
	Weeks               [][]monthDay
	Empty               bool // nothing is due
}

// monthDay is a day of a calendar with its number of due returns. A day of another month has an empty Date.
type monthDay struct {
	Date                 string
	Day                  int
	Today                bool
	Open, Issue, Settled int
}

// calendarPage is a month, and the query of its address.
type calendarPage struct {
	month

	Query url.Values
}

// OpenStatuses returns the statuses of returns that a day counts as open, as the value of a filter.
func (calendarPage) OpenStatuses() string {
	return statusesOf(func(s models.FilingStatus) bool { return !s.Over() && s != models.FilingIssue })
}

// SettledStatuses returns the statuses of returns that are over, as the value of a filter.
func (calendarPage) SettledStatuses() string { return statusesOf(models.FilingStatus.Over) }

// calendar shows the number of returns that are due on each day of a month.
func (c *Console) calendar(v *pageRequest) error {
	query := v.URL.Query()
	first, err := time.Parse("2006-01", query.Get("month"))
	if err != nil || first.Year() < 1900 || first.Year() > 2100 {
		first = time.Date(c.now().UTC().Year(), c.now().UTC().Month(), 1, 0, 0, 0, 0, time.UTC)
	}
	last := first.AddDate(0, 1, -1)
	list, err := v.listDue(pickWith(placed(query, "country_code"), url.Values{
		"size": {"1"}, "due_date__gte": {first.Format(time.DateOnly)}, "due_date__lte": {last.Format(time.DateOnly)},
	}, "organization_id", "state_code", "country_code"))
	if err != nil {
		return err
	}
	page := calendarPage{monthOf(first, c.now().UTC().Format(time.DateOnly), list.Counts), query}
	return v.show("Filings due in "+page.Name, page)
}

// monthOf returns a month in weeks from Sunday to Saturday, as calendars in the United States have them.
func monthOf(first time.Time, today string, counts []contract.DueCount) month {
	m := month{
		Name: first.Format("January 2006"), Before: first.AddDate(0, -1, 0).Format("2006-01"),
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
