package web

import (
	"net/http"
	"net/url"
	"time"
)

// registration is that of an organization with the authority of one place.
type registration struct {
	ID            string     `json:"id"`
	Country       string     `json:"country_code"`
	State         string     `json:"state_code"`
	Name          string     `json:"state_name"`
	Status        string     `json:"status"`
	Frequency     string     `json:"filing_frequency"`
	Scheme        string     `json:"registration_import_type"`
	Since         string     `json:"registration_date"`
	FilesFrom     string     `json:"create_filings_from"`
	NextDue       string     `json:"next_filing_due_date"`
	Requested     *time.Time `json:"registration_requested"`
	Completed     *time.Time `json:"registration_completed"`
	Last          string     `json:"deregistration_date"`
	LastReason    string     `json:"deregistration_reason"`
	Asked         string     `json:"clarification"`
	SalesTaxID    string     `json:"sales_tax_id"`
	Email         string     `json:"registration_email"`
	Comment       string     `json:"comment"`
	Auto          bool       `json:"auto_registered"`
	NoFilings     bool       `json:"do_not_file"`
	Collecting    bool       `json:"marked_collecting"`
	MarkCollected bool       `json:"needs_mark_as_collecting"`
	NexusID       string     `json:"nexus_id"`
}

// Waits says what the registration waits for; empty for nothing.
func (r registration) Waits() string {
	switch r.Status {
	case "UNREGISTERED":
		return "the onboarding to be completed"
	case "PROCESSING":
		return "Levy to hand it to the authority"
	case "VALIDATING":
		return "the authority"
	case "AWAITING_CLARIFICATION":
		return "an answer to the authority"
	case "DEREGISTERING":
		return "the last return and the authority"
	}
	if r.MarkCollected {
		return "the organization to start collecting tax"
	}
	return ""
}

// Ended reports whether nothing about the registration changes any more.
func (r registration) Ended() bool { return r.Status == "DEREGISTERED" || r.Status == "CANCELLED" }

// Before reports whether the authority has not confirmed the registration.
func (r registration) Before() bool {
	return !r.Ended() && r.Status != "REGISTERED" && r.Status != "DEREGISTERING"
}

// Confirmable reports whether it waits for the confirmation of the authority, which somebody can enter.
func (r registration) Confirmable() bool {
	return r.Status == "PROCESSING" || r.Status == "VALIDATING" || r.Status == "AWAITING_CLARIFICATION"
}

// stored is what of it the form asks for.
func (r registration) stored() map[string]any {
	return map[string]any{
		"filing_frequency": r.Frequency, "registration_date": r.Since, "create_filings_from": r.FilesFrom,
		"sales_tax_id": r.SalesTaxID, "registration_email": r.Email, "comment": r.Comment,
		"do_not_file": r.NoFilings, "marked_collecting": r.Collecting,
	}
}

type registrationList struct {
	listed

	Items    []registration `json:"items"`
	Statuses []string
	Form     joinForm
	Faults   []fault
}

type registrationPage struct {
	registration
	Filings []filing
	More    int // returns that are not shown
	Form    joinForm
	New     joinForm // of a return

	AskedReturn bool // the form of a return was refused
	Faults      []fault
}

// newReturnForm asks for a return of a registration. Only whoever may decide about returns records one that was filed
// elsewhere.
func newReturnForm(decides bool) joinForm {
	asked := []field{
		{Name: "start_date", Label: "First day", Kind: "date", Auto: "off", Required: true},
		{Name: "end_date", Label: "Last day", Kind: "date", Auto: "off", Required: true},
		choice("filing_category", "Kind", "off", options("REGULAR", "PREPAYMENT")),
	}
	if decides {
		asked = append(asked,
			field{Name: filedElsewhere, Label: "It was filed already, not by Levy: its transactions are locked", Kind: "check"},
			field{Name: "date_filed", Label: "Filed on", Kind: "date", Auto: "off", Hint: "Today if empty"})
	}
	return joinForm{Groups: []fields{{Title: "Create a return", Fields: asked,
		Note: "Levy creates returns when their period is over. Create one yourself for a period that runs, or for one before " +
			"the first return."}}}
}

// filedElsewhere is no field of a body: it is a status there.
const filedElsewhere = "filed_elsewhere"

const registrationsPath = "/v1/registrations"

var filingFrequencies = options(
	"MONTHLY", "QUARTERLY", "SEMI_ANNUALLY", "ANNUALLY", "ANNUAL_FISCAL_YEAR", "SEMI_MONTHLY", "BI_MONTHLY",
	"FOUR_MONTHLY", "QUARTERLY_PREPAYMENT", "UNKNOWN",
)

// registrationForm asks for what changes; fresh: of a registration that is to be made, or that exists and is to be
// recorded.
func registrationForm(fresh bool) joinForm {
	since := field{
		Name: "registration_date", Label: "Registered since", Kind: "date", Auto: "off",
		Hint: "A past date records a registration you have. Leave empty to have Levy register",
	}
	from := field{
		Name: "create_filings_from", Label: "Returns from", Kind: "date", Auto: "off", Hint: "Leave empty to start on that date",
	}
	number := text("sales_tax_id", "Sales tax ID", 50, "off")
	often := required(choice("filing_frequency", "Filing frequency", "off", filingFrequencies))
	if fresh {
		return joinForm{Groups: []fields{{Title: "New registration", Fields: []field{
			required(choice("country_code", "Country", "off", countries)),
			hinted(state("state_code", "State or province"), "Leave empty for a whole country"),
			often, since, from, number,
		}}}}
	}
	since.Hint = "Tax is collected from this day on, also one to come. A day that has come makes it registered"
	return joinForm{Groups: []fields{{Title: "Change this registration", Fields: []field{
		hinted(often, "A new frequency applies from the next period"), since, from, number,
		{Name: "registration_email", Label: "E-mail address at the authority", Kind: "email", Max: 254, Auto: "off"},
		text("comment", "Comment", 1000, "off"),
		{Name: "marked_collecting", Label: "The organization collects tax here", Kind: "check", Auto: "off"},
		{Name: "do_not_file", Label: "Levy files no returns here", Kind: "check", Auto: "off"},
	}}}}
}

func (c *Console) registrations(v *visit) error {
	list := registrationList{Form: registrationForm(true).filled(map[string]any{"country_code": "US"}, nil)}
	return c.showRegistrations(v, http.StatusOK, list)
}

func (c *Console) showRegistrations(v *visit, status int, list registrationList) error {
	list.Query, list.Statuses = v.URL.Query(), []string{
		"REGISTERED", "AWAITING_CLARIFICATION", "PROCESSING", "VALIDATING", "UNREGISTERED", "DEREGISTERING",
		"DEREGISTERED", "CANCELLED",
	}
	query := passed(list.Query, "state_code", "status__in", "filing_frequency__in", "page")
	v.followEvents()
	if err := v.get(registrationsPath+"?"+query, v.org, &list); err != nil {
		return err
	}
	v.render(status, "registrations", titled("Registrations", list.Faults), list)
	return nil
}

// createRegistration asks for a registration, or records one that exists.
func (c *Console) createRegistration(v *visit) error {
	if err := v.ParseForm(); err != nil {
		return &problem{Status: http.StatusBadRequest, Title: "The form cannot be read"}
	}
	form, made := registrationForm(true), registration{}
	sent := form.body(nil, v.PostForm)
	if country, chosen := sent["country_code"]; chosen && country != "US" && sent["state_code"] == nil {
		sent["state_code"] = country // as the API calls a whole country
	}
	err := v.call(http.MethodPost, registrationsPath, v.org, sent, &made)
	if refused, ok := isRefusal(err); ok {
		list := registrationList{Form: form.filled(nil, v.PostForm)}
		list.Faults = list.Form.mark(refused)
		return c.showRegistrations(v, refused.Status, list)
	}
	if err != nil {
		return err
	}
	return v.goTo(v.URL.Path + "/" + url.PathEscape(made.ID))
}

func (c *Console) registrationOf(v *visit) error { return c.showRegistration(v, http.StatusOK, nil) }

// showRegistration shows a registration with its returns; refused is what of the form could not be saved, nil for
// nothing.
func (c *Console) showRegistration(v *visit, status int, refused *problem) error {
	path := registrationsPath + "/" + v.id()
	page := registrationPage{}
	v.followEvents()
	if err := v.get(path, v.org, &page.registration); err != nil {
		return err
	}
	list := struct {
		Items *[]filing
		Total int
	}{Items: &page.Filings}
	returns := "/v1/filings/registration/" + v.id()
	if err := v.get(returns+"?order_by=-due_date&size=12", v.org, &list); err != nil {
		return err
	}
	page.More = list.Total - len(page.Filings)
	asked := v.refusedForm("return", refused)
	page.Form = registrationForm(false).changing().filled(page.stored(), v.refusedForm("change", refused))
	page.New = newReturnForm(v.session.may(v.org, "approver")).filled(map[string]any{"filing_category": "REGULAR"}, asked)
	form := &page.Form
	if page.AskedReturn = asked != nil; page.AskedReturn {
		form = &page.New
	}
	if refused != nil {
		page.Faults = form.mark(refused)
	}
	v.render(status, "registration", titled("Registration in "+page.Name, page.Faults), page)
	return nil
}

// changeRegistration changes a registration, answers the authority, or ends it.
func (c *Console) changeRegistration(v *visit) error {
	path := registrationsPath + "/" + v.id()
	var err error
	action := v.PostFormValue("action")
	switch action {
	case "change":
		var now registration
		if err = v.get(path, v.org, &now); err != nil {
			return err
		}
		err = v.save(path, registrationForm(false), now.stored())
	case "answered":
		err = v.call(http.MethodPut, path, v.org, map[string]any{"status": "PROCESSING"}, nil)
	case "cancel":
		err = v.call(http.MethodPut, path, v.org, map[string]any{"status": "CANCELLED"}, nil)
	case "confirm":
		sent := v.given("registration_date", "sales_tax_id")
		sent["status"] = "REGISTERED"
		err = v.call(http.MethodPut, path, v.org, sent, nil)
	case "closed":
		err = v.call(http.MethodPut, path, v.org, map[string]any{"status": "DEREGISTERED"}, nil)
	case "end":
		err = v.call(http.MethodPost, path+"/deregister", v.org, v.given("deregistration_date", "reason"), nil)
	case "return":
		return c.createReturn(v)
	default:
		return noSuchAction()
	}
	if refused, ok := isRefusal(err); ok && action == "change" {
		return c.showRegistration(v, refused.Status, refused)
	}
	return v.goBack(err)
}

// given are the fields of a form that are not empty.
func (v *visit) given(names ...string) map[string]any {
	given := map[string]any{}
	for _, name := range names {
		if value := v.PostFormValue(name); value != "" {
			given[name] = value
		}
	}
	return given
}

// createReturn creates a return of a registration, and shows it.
func (c *Console) createReturn(v *visit) error {
	var of registration
	if err := v.get(registrationsPath+"/"+v.id(), v.org, &of); err != nil {
		return err
	}
	sent := v.given("start_date", "end_date", "filing_category", "date_filed")
	sent["registration_id"], sent["country_code"], sent["state_code"] = v.PathValue("id"), of.Country, of.State
	sent["state_name"], sent["status"] = of.Name, "UNFILED"
	if v.PostFormValue(filedElsewhere) != "" {
		sent["status"] = "FILED"
	} else if sent["date_filed"] != nil {
		return c.showRegistration(v, http.StatusBadRequest, &problem{Status: http.StatusBadRequest, Errors: []problemField{
			{Location: "body.date_filed", Message: "Only a return that was filed already has such a day."},
		}})
	}
	var made filing
	err := v.call(http.MethodPost, "/v1/filings", v.org, sent, &made)
	if refused, ok := isRefusal(err); ok {
		return c.showRegistration(v, refused.Status, refused)
	}
	if err != nil {
		return err
	}
	return v.goToOwn("filings", made.ID)
}
