package web

import (
	"net/http"
	"net/url"
	"time"
)

// exemption is a certificate that exempts the purchases of a customer from tax.
type exemption struct {
	ID          string `json:"id"`
	Type        string `json:"exemption_type"`
	Status      string `json:"status"`
	Start       string `json:"start_date"`
	End         string `json:"end_date"`
	Country     string `json:"country_code"`
	State       string `json:"jurisdiction"`
	Customer    string `json:"customer_name"`
	CustomerID  string `json:"customer_id"`
	Transaction string `json:"transaction_id"`
	Reseller    bool   `json:"reseller"`
	FEIN        string `json:"FEIN"`
	SalesTaxID  string `json:"sales_tax_id"`
	Documents   []struct {
		ID      string    `json:"id"`
		Name    string    `json:"filename"`
		Size    int64     `json:"size"`
		Created time.Time `json:"created_at"`
	} `json:"attachments"`
}

// Who returns the name of the exempt customer.
func (e exemption) Who() string {
	if e.Customer == "" && e.Transaction != "" {
		return "One transaction"
	}
	return e.Customer
}

// Ended reports whether the exemption is archived: it cannot be changed any more.
func (e exemption) Ended() bool { return e.Status == "ARCHIVED" }

// On reports whether the exemption applies, or applied before it expired.
func (e exemption) On() bool { return e.Status == "ACTIVE" || e.Status == "EXPIRED" }

// stored returns the values of the exemption's form.
func (e exemption) stored() map[string]any {
	return map[string]any{
		"start_date": e.Start, "end_date": e.End, "country_code": e.Country, "jurisdiction": e.State,
		"sales_tax_id": e.SalesTaxID, "FEIN": e.FEIN,
	}
}

type exemptionList struct {
	cursor
	listPage

	Items    []exemption `json:"items"`
	Filters  filterForm
	Customer *customer // whose exemptions are listed; nil for all customers
	Form     htmlForm
	Faults   []fault
}

type exemptionPage struct {
	exemption
	Form   htmlForm
	Faults []fault
	File   field // the field for a further document
}

const exemptionsPath = "/v1/exemptions"

// customerField has the customer's external id in the form. The API takes the id of Levy, which people do not know.
const customerField = "customer_id"

// exemptionDays are the fields that change when a certificate is renewed.
var exemptionDays = []field{
	required(field{Name: "start_date", Label: "First day", Kind: "date", Auto: "off"}),
	{Name: "end_date", Label: "Last day", Kind: "date", Auto: "off", Hint: "Leave empty for no end"},
	required(choice("country_code", "Country", "off", countries)),
	hinted(state("jurisdiction", "State or province"), "Leave empty for the whole country"),
	text("sales_tax_id", "Sales tax ID", 50, "off"),
	text("FEIN", "Federal employer ID (FEIN)", 50, "off"),
}

func exemptionForm(fresh bool) htmlForm {
	if !fresh {
		return htmlForm{Groups: []fieldGroup{{Title: "Change the certificate", Fields: exemptionDays}}}
	}
	first := []field{
		required(hinted(text(customerField, "Customer", 255, "off"), "Your ID for the customer")),
		required(choice("exemption_type", "Kind", "off", []option{
			{"customer", "The customer is exempt"}, {"wholesale", "The customer is a reseller"},
		})),
	}
	return htmlForm{Groups: []fieldGroup{{Title: "New certificate", Fields: append(first, exemptionDays...)}}}
}

func (c *Console) exemptions(v *pageRequest) error {
	return c.showExemptions(v, http.StatusOK, exemptionList{})
}

func (c *Console) showExemptions(v *pageRequest, status int, list exemptionList) error {
	list.Query = v.URL.Query()
	state := allOf("status", "status__in", "Status", options("ACTIVE", "EXPIRED", "INACTIVE", "DEACTIVATED", "ARCHIVED"))
	state.Blank = "All but archived"
	list.Filters = filters("Find", list.Query, hidden("customer_id", ""),
		search("who", "search_query", "Customer or tax ID"), state,
		as("state", field{Name: "jurisdiction", Label: "State", Kind: "state", Blank: "All"}))
	query := pick(list.Query, "search_query", "status__in", "jurisdiction", "customer_id", "page", "after")
	if err := v.get(exemptionsPath+"?"+query, v.org, &list); err != nil {
		return err
	}
	stored := map[string]any{"country_code": "US"}
	if id := list.Query.Get("customer_id"); id != "" {
		list.Customer = &customer{}
		if err := v.get(customersPath+"/"+url.PathEscape(id), v.org, list.Customer); err != nil {
			return err
		}
		stored[customerField] = list.Customer.ExternalID
	}
	if list.Faults == nil {
		list.Form = exemptionForm(true).filled(stored, nil)
	}
	v.render(status, titled("Exemptions", list.Faults), list)
	return nil
}

// createExemption creates an exemption and redirects to its page, where its document can be added.
func (c *Console) createExemption(v *pageRequest) error {
	form := exemptionForm(true)
	sent := form.body(nil, v.PostForm)
	var created exemption
	err := v.nameCustomer(sent)
	if err == nil {
		err = v.call(http.MethodPost, exemptionsPath, v.org, sent, &created)
	}
	if refused, ok := correctable(err); ok {
		list := exemptionList{Form: form.filled(nil, v.PostForm)}
		list.Faults = list.Form.mark(refused)
		return c.showExemptions(v, refused.Status, list)
	}
	if err != nil {
		return err
	}
	return v.goTo(v.URL.Path + "/" + url.PathEscape(created.ID))
}

// nameCustomer replaces the customer's external id in a body by its id. Errors: *problem.
func (v *pageRequest) nameCustomer(sent map[string]any) error {
	named, ok := sent[customerField].(string)
	if !ok {
		return nil // the API reports the missing field
	}
	var customer struct {
		ID string `json:"id"`
	}
	err := v.get("/v1/customers/external/"+url.PathEscape(named), v.org, &customer)
	if refusedWith(err, http.StatusNotFound) {
		unknown := &problem{Status: http.StatusBadRequest, Code: "not_found", Title: "Unknown customer"}
		unknown.Errors = append(unknown.Errors, problemField{"body." + customerField, "No customer has this id."})
		return unknown
	}
	sent[customerField] = customer.ID
	return err
}

func (c *Console) exemptionOf(v *pageRequest) error {
	return c.showExemption(v, http.StatusOK, nil)
}

// showExemption shows an exemption. refused is why its form was refused; nil if it was not.
func (c *Console) showExemption(v *pageRequest, status int, refused *problem) error {
	page := exemptionPage{File: fileOf("Add a document", ".pdf,.png,.jpg,.jpeg")}
	if err := v.get(exemptionsPath+"/"+v.id(), v.org, &page.exemption); err != nil {
		return err
	}
	page.Form = exemptionForm(false).changing().filled(page.stored(), nil)
	if refused != nil {
		page.Form = exemptionForm(false).changing().filled(page.stored(), v.PostForm)
		page.Faults = page.Form.mark(refused)
	}
	v.render(status, titled("Exemption of "+page.Who(), page.Faults), page)
	return nil
}

// changeExemption changes, deactivates or activates an exemption.
func (c *Console) changeExemption(v *pageRequest) error {
	path, action := exemptionsPath+"/"+v.id(), v.PostFormValue("action")
	var err error
	switch action {
	case "change":
		var now exemption
		if err = v.get(path, v.org, &now); err != nil {
			return err
		}
		err = v.save(path, exemptionForm(false), now.stored())
	case "deactivate":
		err = v.call(http.MethodPut, path, v.org, map[string]any{"status": "DEACTIVATED"}, nil)
	case "activate":
		err = v.call(http.MethodPut, path, v.org, map[string]any{"status": "ACTIVE"}, nil)
	default:
		return unknownAction()
	}
	if refused, ok := correctable(err); ok && action == "change" {
		return c.showExemption(v, refused.Status, refused)
	}
	return v.goBack(err)
}

// addDocument passes an uploaded document through to the API.
func (c *Console) addDocument(v *pageRequest) error {
	path := exemptionsPath + "/" + v.id() + "/attachments"
	call, err := inner(v.Request, http.MethodPost, path, v.org, nil)
	if err != nil {
		return err
	}
	call.Body, call.ContentLength = v.Body, v.ContentLength
	call.Header.Set("Content-Type", v.Header.Get("Content-Type"))
	_, err = c.answered(call, nil)
	if refused, ok := correctable(err); ok {
		return c.showExemption(v, refused.Status, refused)
	}
	if err != nil {
		return err
	}
	return v.goToOwn("exemptions", v.PathValue("id"))
}

// document answers with a document of an exemption.
func (c *Console) document(v *pageRequest) error {
	path := exemptionsPath + "/" + v.id() + "/attachments/"
	return c.pass(v, path+url.PathEscape(v.PathValue("document")))
}
