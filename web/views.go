package web

import (
	"html/template"
	"net/url"
	"time"
)

// filingView is a filter of returns that many people want, with a name.
type filingView struct {
	Name    string
	Query   template.URL
	Current bool
}

// dueSoon is how many days ahead returns are due soon.
const dueSoon = 14

// filingViews are the views of a list of returns. What else the list is narrowed to stays. A filter of one's own is
// in the address of the page, which a browser keeps.
func filingViews(query url.Values, now time.Time) []filingView {
	day := func(n int) string { return now.UTC().AddDate(0, 0, n).Format(time.DateOnly) }
	views := []struct{ name, statuses, from, to string }{
		{"Open", openStatuses, "", ""}, {"Overdue", openStatuses, "", day(-1)},
		{"Due in two weeks", openStatuses, day(0), day(dueSoon)}, {"With an issue", "ISSUE", "", ""},
		{"With the authority", "FILING", "", ""}, {"Filed", "FILED", "", ""},
	}
	shown := make([]filingView, len(views))
	for i, view := range views {
		q := url.Values{}
		for _, name := range []string{"organization_id", "state_code"} {
			if query.Get(name) != "" {
				q.Set(name, query.Get(name))
			}
		}
		q.Set("status__in", view.statuses)
		for name, value := range map[string]string{"due_date__gte": view.from, "due_date__lte": view.to} {
			if value != "" {
				q.Set(name, value)
			}
		}
		current := query.Get("status__in") == view.statuses && query.Get("due_date__gte") == view.from &&
			query.Get("due_date__lte") == view.to
		shown[i] = filingView{view.name, template.URL(q.Encode()), current} //nolint:gosec // it is encoded
	}
	return shown
}
