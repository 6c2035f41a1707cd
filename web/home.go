package web

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"levy/contract"
	"levy/models"
)

// home is the first page: what is owed, what is due on the next days, and what waits for people.
type home struct {
	contract.Figures

	Large    []largeFigure
	Queue    []cause
	Mentions []mentionLine // comments that wait for the person; on the page about all organizations
	Comments comments      // about the organization of the page
	Total    int64         // exceptions of all causes
	Waits    []waiting
	Days     []dueDay
	Shapes   []shownState // the states, coloured by the tax that is owed there without a registration; nil for no such tax
	Owing    []placeSum
	Org      string // the organization that it is about; empty for all that the person sees
	Read     bool   // the figures were read
	Queued   bool   // the queue was read
}

// largeFigure is one of the four figures, in each currency, with its months as a curve.
type largeFigure struct {
	Label, Address string
	Sums           []contract.Figure
	Records        string // the noun of what it is made of
	Line           string // points of the curve; empty if there is nothing to draw
	Currency       string // of the curve
	Now, Before    string // this month and the one before
	Change         string // between them, with its sign; empty if there was nothing before
}

// Count returns how many records the figure is made of.
func (l largeFigure) Count() (n int) {
	for _, sum := range l.Sums {
		n += int(sum.Count)
	}
	return n
}

// dueDay is a day with returns that are due, in a currency.
type dueDay struct {
	contract.DayFigure
	Address string
}

// placeSum is the tax that is owed in a place without a registration.
type placeSum struct {
	contract.PlaceFigure
	Name string
}

// cause is a group of exceptions with the addresses of its list, and of the first record in it.
type cause struct {
	contract.ExceptionGroup
	List, First string
}

// causeTable is a table of causes. Clients reports whether it says how many organizations each is about.
type causeTable struct {
	Causes  []cause
	Clients bool
}

// CausesOf returns the table of causes. A person of one organization alone sees no other.
func (f layout) CausesOf(causes []cause) causeTable { return causeTable{causes, !f.Sole} }

// Risk returns the money at risk, the largest sum first.
func (c cause) Risk() string {
	texts := make([]string, len(c.Amounts))
	for i, sum := range c.Amounts {
		texts[i] = grouped(sum.Amount) + " " + sum.Currency
	}
	return strings.Join(texts, ", ")
}

// Others returns the number of exceptions by currency for causes that go by currency, such as conversion rates.
func (c cause) Others() string {
	if valueOf(c.ReasonCode) != models.NoRate {
		return ""
	}
	texts := make([]string, len(c.Amounts))
	for i, sum := range c.Amounts {
		texts[i] = sum.Currency + " " + strconv.FormatInt(sum.Count, 10)
	}
	return strings.Join(texts, ", ")
}

// home shows the first page of the person, or of an organization.
func (c *Console) home(v *pageRequest) error {
	page := home{Org: v.org}
	var groups contract.ExceptionGroupList
	parts := []part{
		{"the figures", func() (err error) {
			page.Figures, err = v.session.GetFigures(v.Context(), contract.GetFiguresRequest{
				Params: contract.GetFiguresParams{OrganizationID: v.org}})
			page.Read = err == nil
			return err
		}},
		{"the queue", func() (err error) {
			groups, err = v.session.ListExceptionGroups(v.Context(), contract.ListExceptionGroupsRequest{
				Params: contract.ListExceptionGroupsParams{OrganizationID: v.org}})
			page.Queued = err == nil
			return err
		}},
	}
	if partner := v.partner(); partner != "" && (v.org == "" || v.org == partner) {
		parts = append(parts, part{"the onboardings", func() (err error) {
			page.Waits, err = v.waitingBySteps(v.session.In(v.Context(), partner))
			return err
		}})
	}
	err := v.readAtOnce(parts...)
	if err != nil {
		return err
	}
	page.Queue, page.Total = causesOf(groups, url.Values{"organization_id": {v.org}}), groups.Total
	if page.Read {
		page.setFigures()
	}
	if v.org == "" {
		page.Mentions, err = v.mentions()
	} else {
		page.Comments, err = v.comments(models.CommentOnOrganization, v.org)
	}
	if err != nil {
		return err
	}
	return v.show(homeLabel, page)
}

// causesOf returns the groups of exceptions with their addresses. query are the other filters of the lists.
func causesOf(groups contract.ExceptionGroupList, query url.Values) []cause {
	all := make([]cause, len(groups.Items))
	for i, g := range groups.Items {
		filter := url.Values{"type__in": {string(g.Type)}}
		if code := valueOf(g.ReasonCode); code != "" {
			filter.Set("reason_code", code)
		}
		of := "?" + pickWith(query, filter, "organization_id", "assignee", "age_days__gte")
		all[i] = cause{ExceptionGroup: g, List: "/exceptions" + of}
		if exceptionPages[g.Type] != "" {
			all[i].First = "/exceptions/first" + of
		}
	}
	return all
}

// setFigures sets the four figures and the days of the page.
func (h *home) setFigures() {
	address := func(path string, values ...string) string {
		query := url.Values{}
		for i := 0; i < len(values); i += 2 {
			query.Set(values[i], values[i+1])
		}
		if h.Org != "" {
			query.Set("organization_id", h.Org)
		}
		return path + "?" + query.Encode()
	}
	due := func(m contract.MonthFigures) string { return m.DueAmount }
	h.Large = []largeFigure{
		h.large("Owed now", "return", h.OwedNow, due, address("/filings", "status__in", openStatuses, "due_days__lte", "0")),
		h.large("Due in 14 days", "return", h.DueSoon, due, address("/filings", "status__in", openStatuses,
			"due_days__gte", "1", "due_days__lte", "14")),
		h.large("Tax exposed", "place", h.Exposed, func(m contract.MonthFigures) string { return m.ExposedAmount },
			address("/exceptions", "type__in", models.ExceptionNexus)),
		h.large("Sales that cannot be taxed", "sale", h.Untaxable,
			func(m contract.MonthFigures) string { return m.UntaxableAmount },
			address("/exceptions", "type__in", models.ExceptionTransaction)),
	}
	for _, p := range h.Places {
		h.Owing = append(h.Owing, placeSum{p, placeName(p.CountryCode, p.StateCode)})
	}
	h.Shapes = mapOfMoney(h.Places)
	for _, d := range h.Figures.Days {
		on := d.Day.Format(time.DateOnly)
		h.Days = append(h.Days, dueDay{d, address("/filings", "status__in", openStatuses, "due_date__gte", on, "due_date__lte", on)})
	}
}

// Size of the curve of a figure, in units of its viewBox.
const sparkWidth, sparkHeight = 240, 48

// large returns a figure with the curve of its first currency.
func (h *home) large(
	label, noun string, sums []contract.Figure, of func(contract.MonthFigures) string, address string,
) largeFigure {
	l := largeFigure{Label: label, Address: address, Sums: sums, Records: noun}
	if len(sums) > 0 {
		l.Currency = sums[0].Currency
	} else if len(h.Months) > 0 {
		l.Currency = h.Months[0].Currency
	}
	var amounts []float64
	for _, m := range h.Months {
		if m.Currency == l.Currency {
			amounts = append(amounts, amountOf(of(m)))
			l.Before, l.Now = l.Now, of(m)
		}
	}
	l.Line = sparkline(amounts)
	if len(amounts) > 1 && l.Line != "" {
		if now, before := amounts[len(amounts)-1], amounts[len(amounts)-2]; before > 0 {
			l.Change = fmt.Sprintf("%+.0f %%", (now-before)*100/before)
		}
	}
	return l
}

// sparkline returns the points of a curve; "" if all amounts are the same.
func sparkline(amounts []float64) string {
	most, least := 0.0, 0.0
	for _, amount := range amounts {
		most, least = max(most, amount), min(least, amount)
	}
	if most == least || len(amounts) < 2 {
		return ""
	}
	points := make([]string, len(amounts))
	for i, amount := range amounts {
		points[i] = point(2+float64(i)*(sparkWidth-4)/float64(len(amounts)-1)) + "," +
			point(2+(most-amount)*(sparkHeight-4)/(most-least))
	}
	return strings.Join(points, " ")
}
