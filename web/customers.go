package web

import (
	"cmp"
	"fmt"
	"html/template"
	"levy/contract"
	"levy/models"
	"net/http"
	"net/url"
	"strings"

	"github.com/oapi-codegen/nullable"
)

// customer is a customer of the organization.
type customer struct {
	contract.Customer
	Sales []reportCell // of twelve months, one sum for each currency
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
func (c customer) Company() string { return masked(c.RegistrationNumber) }

// TaxRegistrations returns the tax numbers of the customer.
func (c customer) TaxRegistrations() []taxRegistration {
	all := make([]taxRegistration, len(c.CustomerTaxRegistrations))
	for i, r := range c.CustomerTaxRegistrations {
		all[i] = taxRegistration{r}
	}
	return all
}

// taxRegistration is a tax number of a customer.
type taxRegistration struct {
	contract.CustomerTaxRegistration
}

// Kind returns the name of the tax, such as "GST/HST".
func (r taxRegistration) Kind() string { return taxName(string(r.TaxType)) }

func taxName(code string) string {
	if code == "unknown" {
		return "not known"
	}
	return strings.ReplaceAll(strings.ToUpper(code), "_", "/")
}

// Masked returns the number with all but its last four characters masked.
func (r taxRegistration) Masked() string { return masked(r.TaxID) }

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

	Items   []customer
	Summed  string // the days of the sums; "" without them
	File    template.URL
	Filters filterForm
	Form    htmlForm // of a new customer
	Faults  []fault
}

type customerPage struct {
	customer
	Exemptions contract.ExemptionList
	Form       htmlForm
	Numbers    htmlForm // the form of a new tax registration
	Faults     []fault
}

// customerForm returns the form that creates or changes a customer.
func customerForm(title string) htmlForm {
	return htmlForm{Groups: []fieldGroup{{Title: title, Fields: []field{
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

// Titles of the forms of a customer.
const newCustomerTitle, changeCustomerTitle = "New customer", "Change the customer"

// numberForm returns the form of a tax registration. index is its position among those of the customer.
func numberForm(index int) htmlForm {
	taxes := make([]option, 0, 8)
	for _, kind := range []string{"vat", "gst", "hst", "gst_hst", "qst", "pst", "rst", "unknown"} {
		taxes = append(taxes, option{kind, taxName(kind)})
	}
	form := htmlForm{Groups: []fieldGroup{{Title: "Add a tax registration", Fields: []field{
		required(choice("country_code", "Country of the number", "off", countries)),
		required(choice("tax_type", "Tax", "off", taxes)),
		required(text("tax_id", "Number", 50, "off")),
	}}}}
	return form.each(func(f *field) { f.Path = fmt.Sprintf("customer_tax_registrations[%d].%s", index, f.Name) })
}

func (c *Console) customers(v *pageRequest) error {
	return c.showCustomers(v, http.StatusOK, nil)
}

// showCustomers lists customers. refused is why a new one was refused; nil if it was not.
func (c *Console) showCustomers(v *pageRequest, status int, refused *problem) error {
	list := customerList{listPage: v.listPage(), Form: customerForm(newCustomerTitle).filled(nil, v.PostForm)}
	query := v.sized(pick(list.Query, append([]string{"page", "after"}, customerParameters...)...))
	found, err := v.session.WithQuery(query).ListCustomers(v.Context(), contract.ListCustomersRequest{})
	if err != nil {
		return err
	}
	list.listPage, list.NextCursor = v.pageOf(found.Total, found.Page, found.Pages), valueOf(found.NextCursor)
	list.File = v.fileOf("customers", list.Query, customerParameters...)
	for _, each := range found.Items {
		list.Items = append(list.Items, customer{Customer: each})
	}
	if err := v.optional("the sums of sales", v.addUp(&list)); err != nil {
		return err
	}
	list.Filters = filters("Find", list.Query, search("who", "search_query", "Name, your ID or e-mail address"),
		allOf("status", "status__in", "Status", options(models.CustomerActive, models.CustomerArchived)))
	if refused != nil {
		list.Faults = list.Form.mark(refused)
	}
	v.render(status, titled("Customers", list.Faults), list)
	return nil
}

// addUp gives the customers of a list the sums of their sales: those of the report CUSTOMERS, each with the transactions
// that it adds up.
func (v *pageRequest) addUp(list *customerList) error {
	if len(list.Items) == 0 {
		return nil
	}
	rows := map[string][]reportCell{} // by external id
	params := contract.GetReportParams{Report: contract.ReportName(models.ReportCustomers), OrganizationID: v.org, Page: 1, Size: 100}
	for _, each := range list.Items {
		params.CustomerIDIn = append(params.CustomerIDIn, each.ID)
	}
	for pages := 1; params.Page <= pages; params.Page++ {
		r, err := v.session.GetReport(v.Context(), contract.GetReportRequest{Params: params})
		if err != nil {
			return err
		}
		pages, list.Summed = r.Pages, day(plain(r.StartDate))+" – "+day(plain(r.EndDate))
		for i := range r.Items {
			row := &r.Items[i]
			id := row.Values["external_customer_id"]
			rows[id] = append(rows[id], reportCell{
				Text:    grouped(row.Values["sales"]) + " " + row.Values["currency"],
				Address: listOf(models.ReportCustomers, row, &contract.ReportColumn{Name: "sales", Kind: string(models.ReportAmount)}),
			})
		}
	}
	for i := range list.Items {
		list.Items[i].Sales = rows[list.Items[i].ExternalID]
	}
	return nil
}

func (c *Console) createCustomer(v *pageRequest) error {
	session, err := v.sending(customerForm(newCustomerTitle).body(nil, v.PostForm))
	if err != nil {
		return err
	}
	created, err := session.CreateCustomer(v.Context(), contract.CreateCustomerRequest{})
	if refused, ok := correctable(err); ok {
		return c.showCustomers(v, refused.Status, refused)
	}
	if err != nil {
		return err
	}
	return v.goTo(v.URL.Path + "/" + url.PathEscape(created.ID))
}

func (c *Console) customerOf(v *pageRequest) error { return c.showCustomer(v, http.StatusOK, "", nil) }

// showCustomer shows a customer with its exemptions and a link to its transactions. refused is why the form of an
// action was refused; nil if it was not.
func (c *Console) showCustomer(v *pageRequest, status int, action string, refused *problem) error {
	page := customerPage{}
	stored, err := v.readCustomer(&page.Customer)
	if err != nil {
		return err
	}
	page.Exemptions, err = v.session.ListExemptions(v.Context(), contract.ListExemptionsRequest{
		Params: contract.ListExemptionsParams{CustomerID: page.ID, Size: 50},
	})
	if err != nil {
		return err
	}
	page.Form, page.Numbers = customerForm(changeCustomerTitle).changing().filled(stored, nil),
		numberForm(len(page.CustomerTaxRegistrations))
	switch {
	case refused == nil:
	case action == "add":
		page.Numbers = page.Numbers.filled(nil, v.PostForm)
		page.Faults = page.Numbers.mark(refused)
	default:
		page.Form = customerForm(changeCustomerTitle).changing().filled(stored, v.PostForm)
		page.Faults = page.Form.mark(refused)
	}
	v.render(status, titled(isolated(page.Shown()), page.Faults), page)
	return nil
}

// readCustomer reads the customer of the path, and returns its fields for a form.
func (v *pageRequest) readCustomer(into *contract.Customer) (stored map[string]any, err error) {
	*into, err = v.session.GetCustomer(v.Context(), contract.GetCustomerRequest{CustomerID: v.PathValue("id")})
	if err != nil {
		return nil, err
	}
	return fieldsOf(*into)
}

// changeCustomer changes, archives or activates a customer. A change of one tax registration sends all of them, as the
// contract expects.
func (c *Console) changeCustomer(v *pageRequest) error {
	var now contract.Customer
	stored, err := v.readCustomer(&now)
	if err != nil {
		return err
	}
	request := contract.UpdateCustomerRequest{CustomerID: v.PathValue("id")}
	session, action := v.session, v.PostFormValue("action")
	switch action {
	case "change":
		session, err = v.changing(customerForm(changeCustomerTitle), stored)
	case "archive":
		request.Body.Status = nullable.NewNullableWithValue(contract.CustomerStatus(models.CustomerArchived))
	case "activate":
		request.Body.Status = nullable.NewNullableWithValue(contract.CustomerStatus(models.CustomerActive))
	case "add", "remove":
		session, err = v.sending(map[string]any{"customer_tax_registrations": v.changedNumbers(now, action)})
	default:
		return unknownAction()
	}
	if err == nil {
		_, err = session.UpdateCustomer(v.Context(), request)
	}
	if refused, ok := correctable(err); ok && (action == "change" || action == "add") {
		return c.showCustomer(v, refused.Status, action, refused)
	}
	return v.goBack(err)
}

// changedNumbers returns the tax registrations of a customer with the one that the form adds, or without the one that
// it removes.
func (v *pageRequest) changedNumbers(now contract.Customer, action string) []map[string]any {
	numbers := []map[string]any{}
	for _, r := range now.CustomerTaxRegistrations {
		if action == "add" || r.ID != v.PostFormValue("id") {
			numbers = append(numbers, map[string]any{
				"country_code": r.CountryCode, "tax_type": r.TaxType, "tax_id": r.TaxID,
			})
		}
	}
	if action == "add" {
		added := numberForm(0).each(func(f *field) { f.Path = "" })
		numbers = append(numbers, added.body(nil, v.PostForm))
	}
	return numbers
}
