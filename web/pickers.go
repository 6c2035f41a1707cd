package web

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"levy/contract"
)

// Fields for a customer or a product, which people name by its name or their own id. The API takes the id of Levy of a
// customer, and the external id of a product.
const (
	customerField = "customer_id"
	productField  = "external_product_id"
)

// mostSuggested is how many records a field offers, the newest. Others are found by what is typed.
const mostSuggested = 100

// withSuggestions returns the form with what the fields of a name offer: customers, products or tax classes. A person who may
// not read them gets no suggestions.
func (v *pageRequest) withSuggestions(form htmlForm, name string) (htmlForm, error) {
	var all []option
	var err error
	switch name {
	case customerField:
		all, err = v.customersLike("")
	case productField:
		all, err = v.productsLike("")
	default:
		all, err = v.taxClasses()
	}
	if refusedWith(err, http.StatusForbidden) {
		err = nil
	}
	return form.each(func(f *field) {
		if f.Name == name {
			f.Suggest = all
		}
	}), v.optional("suggestions", err)
}

// customersLike returns customers with a text in their name, external id or e-mail address: their external ids and names.
func (v *pageRequest) customersLike(text string) (all []option, err error) {
	query := url.Values{"size": {strconv.Itoa(mostSuggested)}, "search_query": {text}}
	found, err := v.session.WithQuery(query.Encode()).ListCustomers(v.Context(), contract.ListCustomersRequest{})
	for _, c := range found.Items {
		all = append(all, option{c.ExternalID, customer{Customer: c}.Shown()})
	}
	return all, err
}

// productsLike returns products with a text in their name or external id: their external ids and names.
func (v *pageRequest) productsLike(text string) (all []option, err error) {
	query := url.Values{"size": {strconv.Itoa(mostSuggested)}, "query": {text}}
	found, err := v.session.WithQuery(query.Encode()).ListProducts(v.Context(), contract.ListProductsRequest{})
	for _, p := range found.Items {
		all = append(all, option{p.ExternalID, cmp.Or(p.Name, p.ExternalID)})
	}
	return all, err
}

// taxClasses returns the tax classes of the catalogue, each with its examples.
func (v *pageRequest) taxClasses() (all []option, err error) {
	categories, err := v.session.ListProductCategories(v.Context(), contract.ListProductCategoriesRequest{})
	for _, category := range categories {
		for _, sub := range category.Subcategories {
			name := className(sub.TaxClass)
			at := slices.IndexFunc(all, func(o option) bool { return o.Value == name })
			if at < 0 {
				all = append(all, option{name, sub.Example})
			} else {
				all[at].Label += "; " + sub.Example
			}
		}
	}
	slices.SortFunc(all, func(a, b option) int { return strings.Compare(a.Value, b.Value) })
	return all, err
}

// nameCustomer replaces what a body names a customer by with the customer's id. Errors: *problem.
func (v *pageRequest) nameCustomer(sent map[string]any) error {
	named, ok := sent[customerField].(string)
	if !ok {
		return nil // the API reports the missing field
	}
	byID := func(id string) (contract.Customer, error) {
		return v.session.GetCustomerByExternalID(v.Context(), contract.GetCustomerByExternalIDRequest{ExternalID: id})
	}
	found, err := byID(named)
	if refusedWith(err, http.StatusNotFound) {
		if named, err = v.theOne(customerField, "customer", named, v.customersLike); err == nil {
			found, err = byID(named)
		}
	}
	sent[customerField] = found.ID
	return err
}

// nameProduct replaces what a body names a product by with its external id. Errors: *problem.
func (v *pageRequest) nameProduct(sent map[string]any) error {
	named, ok := sent[productField].(string)
	if !ok {
		return nil // ordinary goods
	}
	_, err := v.session.GetProductByExternalID(v.Context(), contract.GetProductByExternalIDRequest{ExternalID: named})
	if refusedWith(err, http.StatusNotFound) {
		sent[productField], err = v.theOne(productField, "product", named, v.productsLike)
	}
	return err
}

// mostNamed is how many records a message about an unclear name lists.
const mostNamed = 5

// theOne returns the external id of the only record with a name, or with a text in its name. A part of an id or an e-mail
// address names none: it may be a typing error. A name says nothing if more records match than are read: another record
// may have it, too. Errors: *problem.
func (v *pageRequest) theOne(field, noun, text string, like func(string) ([]option, error)) (string, error) {
	found, err := like(text)
	if err != nil {
		return "", err
	}
	var equal, parts []option
	for _, o := range found {
		if o.Label == o.Value || len(found) >= mostSuggested {
			continue // it has no name, or others may have the same
		}
		if strings.EqualFold(o.Label, text) {
			equal = append(equal, o)
		}
		if strings.Contains(strings.ToLower(o.Label), strings.ToLower(text)) {
			parts = append(parts, o)
		}
	}
	switch {
	case len(equal) == 1:
		return equal[0].Value, nil
	case len(parts) == 1:
		return parts[0].Value, nil
	}
	message := "No " + noun + " has this name or ID."
	if names := found[:min(mostNamed, len(found))]; len(names) > 0 {
		texts := make([]string, len(names))
		for i, o := range names {
			texts[i] = isolated(o.Label) + " (" + isolated(o.Value) + ")"
		}
		rest := ""
		if len(found) > mostNamed {
			rest = ", and others"
		}
		message = "Type the ID of the " + noun + " that you mean: " + strings.Join(texts, ", ") + rest + "."
	}
	unknown := &problem{Status: http.StatusBadRequest, Code: "not_found", Title: "Unknown " + noun}
	unknown.Errors = append(unknown.Errors, problemField{"body." + field, message})
	return "", unknown
}
