package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

type filing struct {
	ID           string   `json:"id"`
	Org          string   `json:"organization_id"`
	Registration string   `json:"registration_id"`
	Status       string   `json:"status"`
	Country      string   `json:"country_code"`
	State        string   `json:"state_code"`
	StateName    string   `json:"state_name"`
	Start        string   `json:"start_date"`
	End          string   `json:"end_date"`
	Due          string   `json:"due_date"`
	Filed        string   `json:"date_filed"`
	Category     string   `json:"filing_category"`
	Currency     string   `json:"currency"`
	Amount       string   `json:"amount"`
	Sales        string   `json:"amount_sales"`
	Taxable      string   `json:"total_taxable_sales"`
	Calculated   string   `json:"amount_calculated"`
	Collected    string   `json:"amount_tax_collected"`
	Liability    string   `json:"total_tax_liability"`
	Adjusted     string   `json:"amount_adjusted"`
	Discounts    string   `json:"amount_discounts"`
	Fees         string   `json:"amount_fees"`
	Penalties    string   `json:"amount_penalties"`
	Transactions int      `json:"transaction_count"`
	Unresolved   int      `json:"unresolved_transaction_count"`
	CanApprove   bool     `json:"can_approve"`
	Blockers     []string `json:"approval_blockers"`
	Blocked      bool     `json:"block_approval"`
	Notes        string   `json:"internal_notes"`
	ApprovedBy   string   `json:"approved_by"`
	IssueReason  string   `json:"issue_reason"`
	SkipReason   string   `json:"skip_reason"`
	CancelReason string   `json:"cancelled_reason"`
	PausedUntil  string   `json:"paused_until_date"`
	Confirmation string   `json:"return_confirmation_id"`
	Payment      string   `json:"payment_confirmation_id"`
	Remitted     string   `json:"tax_remitted"`
	Ticket       string   `json:"jira_issue_key"`
	WorkflowID   string   `json:"workflow_id"`

	Amends string  `json:"amends_filing_id"` // of an amendment: the return that was filed
	Causes []cause `json:"amendment_causes"`
}

// cause is how many transactions made an amendment necessary, and why.
type cause struct {
	Reason       string `json:"reason"`
	Transactions int    `json:"transactions"`
}

// Said is the cause in words.
func (c cause) Said() string {
	said := map[string]string{
		"LATE": "transactions came too late", "CHANGED": "transactions were changed",
		"CREDIT_NOTE": "credit notes were made",
	}[c.Reason]
	if c.Transactions == 1 {
		said = strings.NewReplacer("transactions", "transaction", "notes", "note", "were", "was").Replace(said)
	}
	return grouped(c.Transactions) + " " + said
}

// Place is where the return goes.
func (f filing) Place() string {
	if f.StateName != "" {
		return f.StateName + ", " + f.Country
	}
	return f.State + ", " + f.Country
}

// Paid is what was said to be paid; empty for nothing yet.
func (f filing) Paid() string {
	if strings.Trim(f.Remitted, "0.") == "" {
		return ""
	}
	return f.Remitted
}

// Open reports whether something is left to do.
func (f filing) Open() bool {
	return f.Status != "FILED" && f.Status != "SKIPPED" && f.Status != "CANCELLED"
}

// Approvable reports whether it can be approved, if need be without the transactions that are unresolved.
func (f filing) Approvable() bool {
	other := func(blocker string) bool { return blocker != "TRANSACTIONS_UNRESOLVED" }
	return f.Status == "UNFILED" && !slices.ContainsFunc(f.Blockers, other)
}

// Blockable reports whether its approval is not blocked and can be.
func (f filing) Blockable() bool { return !f.Blocked && f.unsettled() }

// Unblockable reports whether its approval is blocked and can be unblocked.
func (f filing) Unblockable() bool { return f.Blocked && f.unsettled() }

// unsettled reports whether it may still be approved, now or after something else was done with it.
func (f filing) unsettled() bool {
	return f.Status == "UNFILED" || f.Status == "PAUSED" || f.Status == "ISSUE"
}

type filingList struct {
	listed

	Items    []filing `json:"items"`
	Statuses []string
}

func (c *Console) filings(v *visit) error {
	list := filingList{
		listed: v.listed(), Statuses: []string{"UNFILED", "FILING", "ISSUE", "PAUSED", "FILED", "SKIPPED", "CANCELLED"},
	}
	query := passedWith(list.Query, url.Values{"order_by": {"due_date"}}, "status__in", "state_code", "due_date__lte",
		"order_by", "page")
	v.followEvents()
	if err := v.get("/v1/filings?"+query, v.org, &list); err != nil {
		return err
	}
	return v.show("filings", "Filings", list)
}

type filingPage struct {
	filing
	History []filingEvent
	Parts   []part
	Stack   []slice // of the parts; none for fewer than two
	Held    []transaction
	Before  *filing       // the return of the period before; nil for none
	Amended []filing      // its amendments, the earliest first
	Verdict *verification // nil unless it was asked for
	Form    joinForm      // of what can be changed besides the status; without groups for nothing
	Faults  []fault
}

// returnForm asks for what of a return can be changed in its status. What is filed cannot; of what was handed over, or
// is over, only what people note about it.
func returnForm(f filing) joinForm {
	switch {
	case f.Status == "FILED":
		return joinForm{}
	case !f.unsettled():
		return joinForm{Groups: []fields{{Title: "Notes", Fields: notesOfReturn()}}}
	}
	return unsettledForm()
}

func notesOfReturn() []field {
	return []field{
		hinted(text("jira_issue_key", "Ticket", 50, "off"), "Its key in your own system"),
		{Name: "internal_notes", Label: "Internal notes", Kind: "lines", Auto: "off", Max: 2000},
	}
}

// unsettledForm is that of a return that may still be approved.
func unsettledForm() joinForm {
	amount := func(name, label string) field {
		return field{Name: name, Label: label, Kind: "number", Auto: "off", Max: 22}
	}
	return joinForm{Groups: []fields{{Title: "Amounts and notes", Fields: append([]field{
		hinted(amount("amount_adjusted", "Adjusted"), "Below zero lowers what is to be paid"),
		hinted(amount("amount_discounts", "Discounts"), "Taken off"),
		amount("amount_fees", "Fees"), amount("amount_penalties", "Penalties"),
		{Name: "due_date", Label: "Due", Kind: "date", Auto: "off", Hint: "Leave empty for the day that the authority sets"},
	}, notesOfReturn()...)}}}
}

// stored is what of the return the form about it asks for.
func (f filing) stored() map[string]any {
	return map[string]any{
		"amount_adjusted": f.Adjusted, "amount_discounts": f.Discounts, "amount_fees": f.Fees,
		"amount_penalties": f.Penalties, "due_date": f.Due, "internal_notes": f.Notes, "jira_issue_key": f.Ticket,
	}
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

// part is what a jurisdiction gets of a return.
type part struct {
	Code    string `json:"code"`
	Name    string `json:"jurisdiction_name"`
	Type    string `json:"jurisdiction_type"`
	Taxable string `json:"taxable_amount"`
	Tax     string `json:"tax_amount"`
}

func (c *Console) filing(v *visit) error { return c.showFiling(v, filingPage{}, nil) }

// showFiling shows a return; refused is what of the form about it could not be saved, nil for nothing.
func (c *Console) showFiling(v *visit, page filingPage, refused *problem) error {
	base := "/v1/filings/" + v.id()
	v.followEvents()
	if err := v.get(base, v.org, &page.filing); err != nil {
		return err
	}
	history := struct{ Items *[]filingEvent }{&page.History}
	if err := v.get(base+"/history?size=100", v.org, &history); err != nil {
		return err
	}
	if page.Unresolved > 0 {
		held := struct{ Items *[]transaction }{&page.Held}
		if err := v.get(base+"/transactions/unresolved?size=20", v.org, &held); err != nil {
			return err
		}
	}
	parts, err := c.parts(v, base)
	if err != nil {
		return err
	}
	page.Parts, page.Stack = parts, stackOf(parts)
	if page.Before, err = v.before(page.filing); err != nil {
		return err
	}
	if page.Amended, err = v.amendments(page.filing); err != nil {
		return err
	}
	status, form := http.StatusOK, returnForm(page.filing)
	page.Form = form.changing().filled(page.stored(), v.refusedForm("change", refused))
	if refused != nil {
		status, page.Faults = refused.Status, page.Form.mark(refused)
	}
	v.render(status, "filing", titled(page.Place(), page.Faults), page)
	return nil
}

// amendments reads those of a return, which there are once it has claimed its transactions. They have its registration
// and its period, but the API has no filter for the return itself, which may share both with others.
func (v *visit) amendments(f filing) ([]filing, error) {
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

// pipe is a ResponseWriter into a pipe.
type pipe struct {
	*io.PipeWriter
	header http.Header
	status int
}

func (p *pipe) Header() http.Header    { return p.header }
func (p *pipe) WriteHeader(status int) { p.status = status }

// parts reads what each jurisdiction gets from the report of a return: its members are sorted, so
// that they come before the transactions, which are not waited for.
func (c *Console) parts(v *visit, base string) (parts []part, err error) {
	ctx, enough := context.WithCancel(v.Context())
	defer enough()
	call, err := inner(v.WithContext(ctx), http.MethodGet, base+"/report?format=json", v.org, nil)
	if err != nil {
		return nil, err
	}
	reader, writer := io.Pipe()
	defer reader.Close()
	p := &pipe{PipeWriter: writer, header: http.Header{}, status: http.StatusOK}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if recover() != nil { // the API broke the answer off: nobody reads it any more
				_ = writer.CloseWithError(io.ErrUnexpectedEOF)
			}
		}()
		c.api().ServeHTTP(p, call)
		_ = writer.Close()
	}()
	defer func() {
		_ = reader.Close()
		enough()
		<-done
	}()
	decoder := json.NewDecoder(reader)
	for {
		token, err := decoder.Token()
		if err != nil {
			if errors.Is(err, io.EOF) {
				return nil, nil
			}
			return nil, err
		}
		if token == "jurisdictions" {
			return parts, decoder.Decode(&parts)
		}
	}
}

// changes are what a person can do with a return, with the fields of the form that go along.
var changes = map[string]struct {
	status string
	fields []string
}{
	"pause":   {"PAUSED", []string{"paused_until_date"}},
	"resume":  {"UNFILED", nil},
	"skip":    {"SKIPPED", []string{"skip_reason"}},
	"cancel":  {"CANCELLED", []string{"cancelled_reason"}},
	"confirm": {"FILED", []string{"return_confirmation_id", "payment_confirmation_id", "date_filed", "tax_remitted"}},
	"refuse":  {"ISSUE", []string{"issue_reason"}},
}

// changeFiling does what the button says.
func (c *Console) changeFiling(v *visit) error {
	base, action := "/v1/filings/"+v.id(), v.PostFormValue("action")
	switch action {
	case "verify":
		return c.verifyFiling(v)
	case "change":
		return c.saveFiling(v)
	}
	var err error
	switch change, known := changes[action]; {
	case action == "approve":
		sent := map[string]any{"expected_amount": v.PostFormValue("expected_amount")}
		if v.PostFormValue("exclude_unresolved") == "yes" {
			sent["exclude_unresolved"] = true
		}
		err = v.call(http.MethodPut, base+"/approve", v.org, sent, nil)
	case action == "block":
		notes := strings.ReplaceAll(v.PostFormValue("internal_notes"), "\r\n", "\n") // a browser sends lines so
		err = v.call(http.MethodPut, base, v.org, map[string]any{"block_approval": true, "internal_notes": notes}, nil)
	case action == "unblock":
		err = v.call(http.MethodPut, base, v.org, map[string]any{"block_approval": false}, nil)
	case action == "retry":
		err = v.call(http.MethodPost, base+"/retry", v.org, nil, nil)
	case known:
		sent := v.given(change.fields...)
		sent["status"] = change.status
		err = v.call(http.MethodPut, base, v.org, sent, nil)
	default:
		err = noSuchAction()
	}
	if err != nil {
		return err
	}
	return v.goToOwn("filings", v.PathValue("id"))
}

// saveFiling changes of a return what was changed on its page. What cannot be changed any more, because it was handed
// over meanwhile, the API refuses.
func (c *Console) saveFiling(v *visit) error {
	base := "/v1/filings/" + v.id()
	var now filing
	if err := v.get(base, v.org, &now); err != nil {
		return err
	}
	form := joinForm{Groups: []fields{{Fields: notesOfReturn()}}}
	if v.PostForm.Has("amount_adjusted") {
		form = unsettledForm()
	}
	if len(form.changing().body(now.stored(), v.PostForm)) == 0 && v.PostForm.Has(was+"internal_notes") {
		return v.goTo(v.URL.Path) // an update would count as a change of this person's
	}
	err := v.save(base, form, now.stored())
	if refused, ok := isRefusal(err); ok {
		return c.showFiling(v, filingPage{}, refused)
	}
	return v.goBack(err)
}

// report is the report of a return as a file, which is named by its place and period.
func (c *Console) report(v *visit) error {
	v.above = true
	path, format := "/v1/filings/"+v.id(), v.URL.Query().Get("format")
	var of filing
	if err := v.get(path, v.org, &of); err != nil {
		return err
	}
	place := of.Country
	if of.State != place { // which is not a whole country
		place += "-" + of.State
	}
	v.file = fmt.Sprintf("%s %s to %s %s.%s", place, of.Start, of.End, v.PathValue("id"), format)
	return c.pass(v, path+"/report?format="+url.QueryEscape(format))
}
