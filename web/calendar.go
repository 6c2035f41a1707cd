package web

import (
	"net/url"
	"time"
)

// month is the data of a calendar.
type month struct {
	Name, Before, After string // Before and After are months such as 2026-11
	Weeks               [][]monthDay
}

// monthDay is a day of a calendar with its number of due returns. A day of another month has an empty Date.
type monthDay struct {
	Date                 string
	Day                  int
	Today                bool
	Open, Issue, Settled int
}

// calendar shows the number of returns that are due on each day of a month.
func (c *Console) calendar(v *pageRequest) error {
	list := dueList{listPage: v.listPage()}
	first, err := time.Parse("2006-01", list.Query.Get("month"))
	if err != nil || first.Year() < 1900 || first.Year() > 2100 {
		first = time.Date(c.now().UTC().Year(), c.now().UTC().Month(), 1, 0, 0, 0, 0, time.UTC)
	}
	last := first.AddDate(0, 1, -1)
	query := pickWith(list.Query, url.Values{
		"size": {"1"}, "due_date__gte": {first.Format(time.DateOnly)}, "due_date__lte": {last.Format(time.DateOnly)},
	}, "organization_id", "state_code", "country_code")
	if err := v.get("/v1/due_filings?"+query, "", &list); err != nil {
		return err
	}
	list.Calendar = monthOf(first, c.now().UTC().Format(time.DateOnly), list.Counts)
	return v.show("Filings due in "+list.Calendar.Name, list)
}

// monthOf returns a month in weeks from Sunday to Saturday, as calendars in the United States have them.
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
			d.Settled += each.Count
		}
	}
	return m
}
