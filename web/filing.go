package web

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"
)

type filingPage struct {
	filing
	History struct {
		listPage

		Items []filingEvent
	}
	Parts        []part
	Stack        []slice // Parts as slices of a bar; none for fewer than two
	OnHold       []transaction
	Before       *filing       // the return of the previous period; nil if there is none
	Amended      []filing      // its amendments, the earliest first
	Verification *verification // nil before a verification
	Form         htmlForm      // of amounts and notes; without groups if nothing can be changed
	Faults       []fault
	Fields       map[string][]field // of the forms of the page, by their action
	Without      field              // the checkbox that leaves unresolved transactions out
}

type filingEvent struct {
	At     time.Time `json:"at"`
	Action string    `json:"action"`
	Reason string    `json:"reason"`
	Actor  struct {
		Type, ID, Name string
	} `json:"actor"`
	Attempt  int `json:"attempt"`
	Excluded *struct {
		Transactions int `json:"transaction_count"`
	} `json:"excluded_unresolved"`
	Authority *struct {
		Name         string `json:"name"`
		Code         string `json:"code"`
		Message      string `json:"message"`
		Confirmation string `json:"confirmation_id"`
	} `json:"authority"`
}

// MoreOnHold returns the number of unresolved transactions that the page does not list.
func (p filingPage) MoreOnHold() int { return max(0, p.Unresolved-len(p.OnHold)) }

func (c *Console) filing(v *pageRequest) error { return c.showFiling(v, filingPage{}, nil) }

// showFiling shows a return. refused is why its form was refused; nil if it was not.
func (c *Console) showFiling(v *pageRequest, page filingPage, refused *problem) error {
	base := "/v1/filings/" + v.id()
	v.followEvents()
	if err := v.get(base, v.org, &page.filing); err != nil {
		return err
	}
	if err := v.optional("the history", v.get(base+"/history?size=100", v.org, &page.History)); err != nil {
		return err
	}
	if page.Unresolved > 0 {
		onHold := struct{ Items *[]transaction }{&page.OnHold}
		err := v.get(base+"/transactions/unresolved?size=20", v.org, &onHold)
		if err = v.optional("the unresolved transactions", err); err != nil {
			return err
		}
	}
	parts, err := c.parts(v, base)
	if err = v.optional("the amounts by jurisdiction", err); err != nil {
		return err
	}
	page.Parts, page.Stack = parts, stackOf(parts)
	page.Before, err = v.before(page.filing)
	if err = v.optional("the return of the period before", err); err != nil {
		return err
	}
	page.Amended, err = v.amendments(page.filing)
	if err = v.optional("its amendments", err); err != nil {
		return err
	}
	page.Fields = map[string][]field{}
	for action, change := range filingChanges {
		page.Fields[action] = v.inputs(action, change.fields(page.filing)...)
	}
	page.Without = field{Name: "exclude_unresolved", Kind: "check", Required: !page.CanApprove, Native: true,
		Label: "Leave out " + counted(page.Unresolved, "unresolved transaction")}
	status, form := http.StatusOK, returnForm(page.filing)
	page.Form = form.changing().filled(page.stored(), v.refusedForm("change", refused))
	if refused != nil {
		status, page.Faults = refused.Status, page.Form.mark(refused)
	}
	v.render(status, titled(page.Jurisdiction()+", "+day(page.Start)+" – "+day(page.End), page.Faults), page)
	return nil
}

// amendments returns the amendments of a return, which exist once it has claimed its transactions. The API has no
// filter for the amended return, so it reads those of the same registration and period.
func (v *pageRequest) amendments(f filing) ([]filing, error) {
	if f.Status != "FILING" && f.Status != "ISSUE" && f.Status != "FILED" {
		return nil, nil
	}
	query := url.Values{
		"registration_id": {f.Registration}, "filing_category__in": {"AMENDMENT"}, "order_by": {"created_at"},
		"start_date": {f.Start}, "end_date": {f.End}, "size": {"100"},
	}
	var list filingList
	err := v.get("/v1/filings?"+query.Encode(), v.org, &list)
	return slices.DeleteFunc(list.Items, func(a filing) bool { return a.Amends != f.ID }), err
}

// before returns the return of the previous period of the same registration and category; nil if there is none.
func (v *pageRequest) before(f filing) (*filing, error) {
	start, err := time.Parse(time.DateOnly, f.Start)
	if err != nil {
		return nil, err
	}
	query := url.Values{
		"registration_id": {f.Registration}, "filing_category__in": {f.Category}, "order_by": {"-end_date"},
		"size": {"1"}, "end_date": {start.AddDate(0, 0, -1).Format(time.DateOnly)},
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

// report answers with the report of a return as a file, named by its jurisdiction and period.
func (c *Console) report(v *pageRequest) error {
	v.backToParent = true
	path, format := "/v1/filings/"+v.id(), v.URL.Query().Get("format")
	var of filing
	if err := v.get(path, v.org, &of); err != nil {
		return err
	}
	place := of.Country
	if of.State != place { // a state, not a whole country
		place += "-" + of.State
	}
	v.file = fmt.Sprintf("%s %s to %s %s.%s", place, of.Start, of.End, v.PathValue("id"), format)
	return c.pass(v, path+"/report?format="+url.QueryEscape(format))
}
