package web

import (
	"cmp"
	"net/url"
	"strings"
)

// customer is one whom the organization sells to.
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

// Shown is what the customer is called.
func (c customer) Shown() string { return cmp.Or(c.Name, c.ExternalID) }

// Address is the address in one line; empty for none.
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

// Company is the number in the commercial register, masked.
func (c customer) Company() string { return masked(c.Registration) }

// taxRegistration is a tax number of a customer.
type taxRegistration struct {
	Country string `json:"country_code"`
	Type    string `json:"tax_type"`
	Number  string `json:"tax_id"`
	Valid   bool   `json:"is_valid"`
}

// Kind is the tax that the number is for.
func (r taxRegistration) Kind() string {
	if r.Type == "unknown" {
		return "not known"
	}
	return strings.ReplaceAll(strings.ToUpper(r.Type), "_", "/")
}

// Masked is the number as it is shown.
func (r taxRegistration) Masked() string { return masked(r.Number) }

// masked shows the last four characters of a number that has more, as the API does of personal numbers.
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
	Items []customer `json:"items"`
	Total int        `json:"total"`
	Page  int        `json:"page"`
	Pages int        `json:"pages"`
	Query url.Values
}

type customerPage struct {
	customer
	Exemptions exemptionList
}

const customersPath = "/v1/customers"

func (c *Console) customers(v *visit) error {
	list := customerList{Query: v.URL.Query()}
	query := passed(list.Query, "search_query", "status__in", "page", "after")
	if err := v.get(customersPath+"?"+query, v.org, &list); err != nil {
		return err
	}
	return v.show("customers", "Customers", list)
}

// customerOf shows a customer with its exemptions. Its transactions are a list of their own.
func (c *Console) customerOf(v *visit) error {
	var page customerPage
	if err := v.get(customersPath+"/"+url.PathEscape(v.PathValue("id")), v.org, &page.customer); err != nil {
		return err
	}
	query := url.Values{"customer_id": {page.ID}, "size": {"50"}}
	if err := v.get(exemptionsPath+"?"+query.Encode(), v.org, &page.Exemptions); err != nil {
		return err
	}
	return v.show("customer", page.Shown(), page)
}
