package web

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// customer is a customer of the organization.
type customer struct {
	ID            string            `json:"id"`
	ExternalID    string            `json:"external_id"`
	Name          string            `json:"name"`
	Status        string            `json:"status"`
	Email         string            `json:"email"`
	Phone         string            `json:"phone"`
	Street1       string            `json:"street_1"`
	Street2       string            `json:"street_2"`
	City          string            `json:"city"`
	County        string            `json:"county"`
	State         string            `json:"state"`
	PostalCode    string            `json:"postal_code"`
	Country       string            `json:"country"`
	AddressStatus string            `json:"address_status"`
	Registration  string            `json:"registration_number"`
	Registrations []taxRegistration `json:"customer_tax_registrations"`
}

// Shown returns the name of the customer, else its external id.
func (c customer) Shown() string { return cmp.Or(c.Name, c.ExternalID) }

// Address returns the address in one line; "" if there is none.
func (c customer) Address() string {
	place := strings.Join(strings.Fields(c.State+" "+c.PostalCode), " ")
	parts := []string{c.Street1, c.Street2, c.City, c.County, place, c.Country}
	known := parts[:0]
	for _, part := range parts {
		if part != "" {
			known = append(known, part)
		}
	}
	return strings.Join(known, ", ")
}

// Company returns the number in the commercial register, masked.
func (c customer) Company() string { return masked(c.Registration) }

// taxRegistration is a tax number of a customer.
type taxRegistration struct {
	ID      string `json:"id"`
	Country string `json:"country_code"`
	Type    string `json:"tax_type"`
	Number  string `json:"tax_id"`
	Valid   bool   `json:"is_valid"`
}

// Kind returns the name of the tax, such as "GST/HST".
func (r taxRegistration) Kind() string {
	if r.Type == "unknown" {
		return "not known"
	}
	return strings.ReplaceAll(strings.ToUpper(r.Type), "_", "/")
}

// Masked returns the number with all but its last four characters masked.
func (r taxRegistration) Masked() string { return masked(r.Number) }

// masked returns the last four characters of a longer number, as the API returns personal numbers: "****6789".
func masked(number string) string {
	characters := []rune(number)
	switch {
	case len(characters) == 0:
		return ""
	case len(characters) <= 4:
		return "****"
	}
	return "****" + string(characters[len(characters)-4:])
}

type customerList struct {
	cursor
	listPage

	Items   []customer `json:"items"`
	Filters filterForm
}

type customerPage struct {
	customer
	Exemptions exemptionList
	Form       htmlForm
	Numbers    htmlForm // the form of a new tax registration
	Faults     []fault
}

const customersPath = "/v1/customers"

// customerForm returns the form that changes a customer.
func customerForm() htmlForm {
	return htmlForm{Groups: []fieldGroup{{Title: "Change the customer", Fields: []field{
		required(text("name", "Name", 200, "off")),
		required(text("external_id", "Your ID", 255, "off")),
		{Name: "email", Label: "E-mail address", Kind: "email", Max: 254, Auto: "off"},
		{Name: "phone", Label: "Phone", Kind: "tel", Max: 50, Auto: "off"},
		text("street_1", "Street", 255, "off"),
		text("street_2", "Second line", 255, "off"),
		text("city", "City", 100, "off"),
		text("county", "County", 100, "off"),
		region("state", "State or province", 50, "off"),
		text("postal_code", "Postal code", 20, "off"),
		choice("country", "Country", "off", countries),
	}}}}
}

// numberForm returns the form of a tax registration. index is its position among those of the customer.
func numberForm(index int) htmlForm {
	taxes := make([]option, 0, 8)
	for _, kind := range []string{"vat", "gst", "hst", "gst_hst", "qst", "pst", "rst", "unknown"} {
		taxes = append(taxes, option{kind, taxRegistration{Type: kind}.Kind()})
	}
	form := htmlForm{Groups: []fieldGroup{{Title: "Add a tax registration", Fields: []field{
		required(choice("country_code", "Country of the number", "off", countries)),
		required(choice("tax_type", "Tax", "off", taxes)),
		required(text("tax_id", "Number", 50, "off")),
	}}}}
	return form.each(func(f *field) { f.Path = fmt.Sprintf("customer_tax_registrations[%d].%s", index, f.Name) })
}

// stored returns the values of the customer's form.
func (c customer) stored() map[string]any {
	return map[string]any{
		"name": c.Name, "external_id": c.ExternalID, "email": c.Email, "phone": c.Phone, "street_1": c.Street1,
		"street_2": c.Street2, "city": c.City, "county": c.County, "state": c.State, "postal_code": c.PostalCode,
		"country": c.Country,
	}
}

func (c *Console) customers(v *pageRequest) error {
	list := customerList{listPage: v.listPage()}
	query := pick(list.Query, "search_query", "status__in", "page", "after")
	if err := v.get(customersPath+"?"+query, v.org, &list); err != nil {
		return err
	}
	list.Filters = filters("Find", list.Query, search("who", "search_query", "Name, your ID or e-mail address"),
		allOf("status", "status__in", "Status", options("ACTIVE", "ARCHIVED")))
	return v.show("Customers", list)
}

func (c *Console) customerOf(v *pageRequest) error { return c.showCustomer(v, http.StatusOK, "", nil) }

// showCustomer shows a customer with its exemptions and a link to its transactions. refused is why the form of an
// action was refused; nil if it was not.
func (c *Console) showCustomer(v *pageRequest, status int, action string, refused *problem) error {
	page := customerPage{}
	if err := v.get(customersPath+"/"+v.id(), v.org, &page.customer); err != nil {
		return err
	}
	query := url.Values{"customer_id": {page.ID}, "size": {"50"}}
	if err := v.get(exemptionsPath+"?"+query.Encode(), v.org, &page.Exemptions); err != nil {
		return err
	}
	page.Form, page.Numbers = customerForm().changing().filled(page.stored(), nil), numberForm(len(page.Registrations))
	switch {
	case refused == nil:
	case action == "add":
		page.Numbers = page.Numbers.filled(nil, v.PostForm)
		page.Faults = page.Numbers.mark(refused)
	default:
		page.Form = customerForm().changing().filled(page.stored(), v.PostForm)
		page.Faults = page.Form.mark(refused)
	}
	v.render(status, titled(page.Shown(), page.Faults), page)
	return nil
}

// changeCustomer changes, archives or activates a customer. A change of one tax registration sends all of them, as the
// API expects.
func (c *Console) changeCustomer(v *pageRequest) error {
	path, action := customersPath+"/"+v.id(), v.PostFormValue("action")
	var now customer
	if err := v.get(path, v.org, &now); err != nil {
		return err
	}
	var sent map[string]any
	switch action {
	case "change":
		if err := customerForm().changing().outdated(now.stored(), v.PostForm); err != nil {
			refused, _ := correctable(err)
			return c.showCustomer(v, refused.Status, action, refused)
		}
		sent = customerForm().changing().body(now.stored(), v.PostForm)
	case "archive":
		sent = map[string]any{"status": "ARCHIVED"}
	case "activate":
		sent = map[string]any{"status": "ACTIVE"}
	case "add", "remove":
		numbers := []map[string]any{}
		for _, r := range now.Registrations {
			if action == "add" || r.ID != v.PostFormValue("id") {
				numbers = append(numbers, map[string]any{"country_code": r.Country, "tax_type": r.Type, "tax_id": r.Number})
			}
		}
		if action == "add" {
			added := numberForm(0).each(func(f *field) { f.Path = "" })
			numbers = append(numbers, added.body(nil, v.PostForm))
		}
		sent = map[string]any{"customer_tax_registrations": numbers}
	default:
		return unknownAction()
	}
	err := v.call(http.MethodPut, path, v.org, sent, nil)
	if refused, ok := correctable(err); ok && (action == "change" || action == "add") {
		return c.showCustomer(v, refused.Status, action, refused)
	}
	return v.goBack(err)
}
