package transactions

import (
	"fmt"
	"slices"

	"levy/models"
	"levy/rules"
	"levy/store/pg"
	"levy/tax"
)

// intakeGroup is a group of drafts after the look-up: the results, the accepted drafts, and the customers to be
// written.
type intakeGroup struct {
	results      []error
	accepted     []*models.TransactionDraft
	newCustomers []*models.Customer
	gapsFilled   []*models.Customer
	records      []*models.Transaction // the rows of the accepted drafts, see seal
	exemptions   []*models.Exemption
}

// decide accepts or refuses each draft by the records found and completes it with product and customer. It also decides
// between drafts of the group with the same keys. The unique index decides duplicates: if another writer takes a key in
// between, the group is repeated.
func decide(drafts []*models.TransactionDraft, known *references) *intakeGroup {
	g := &intakeGroup{results: make([]error, len(drafts))}
	for i, d := range drafts {
		if err := resolveProducts(d, known); err != nil {
			g.results[i] = err
			continue
		}
		spreadDiscounts(d, known)
		if err := checkReferences(d, known); err != nil {
			g.results[i] = err
			continue
		}
		at := pg.KeyOf(d.OrganizationID, d.ExternalID)
		if existing, taken := known.transactions[at]; taken {
			g.results[i] = &models.DuplicateError{Field: "external_id", ExistingID: existing}
			continue
		}
		known.transactions[at] = d.ID // another draft with the same key is a duplicate
		known.setRounding(d)
		g.matchCustomer(d, known)
		g.accepted = append(g.accepted, d)
	}
	return g
}

// resolveProducts completes every line with its product. Errors: *models.ProductsNotFoundError, which lists every line
// whose product does not exist.
func resolveProducts(d *models.TransactionDraft, known *references) error {
	var missing []models.Fault
	for i := range d.Items {
		item := &d.Items[i]
		product, ok := known.products[pg.KeyOf(d.OrganizationID, item.ExternalProductID)]
		if !ok {
			missing = append(missing, models.Fault{
				Code:    models.FieldNotFound,
				Path:    fmt.Sprintf("transaction_items[%d].external_product_id", i),
				Message: "No product with this external_id exists. Create the product first.",
			})
			continue
		}
		item.ProductID = product.ID
		if item.ProductName == nil {
			item.ProductName = &product.Name
		}
		if item.ProductDescription == nil {
			item.ProductDescription = product.Description
		}
	}
	if missing != nil {
		return &models.ProductsNotFoundError{Faults: missing}
	}
	return nil
}

// spreadDiscounts spreads the discounts of a draft by the classes of its products, where it has coupon lines.
// It notes the prices that include tax.
func spreadDiscounts(d *models.TransactionDraft, known *references) {
	defer rules.NotePrices(&d.Transaction)
	if !slices.ContainsFunc(d.Items, func(i models.TransactionItem) bool { return i.Amount.IsNeg() }) {
		return
	}
	setClasses(&d.Transaction, known)
	// guard: coupons: discounts of the sale count after the coupons of a class
	rules.SpreadDiscountsByClass(d.Items, d.Currency)
	for i := range d.Items {
		d.Items[i].TaxClass = "" // the stages read it again
	}
}

// checkReferences checks the other records that the draft names. Errors: *models.ReferencesNotFoundError for those that
// do not exist; *models.InvalidError for the id of another customer.
func checkReferences(d *models.TransactionDraft, known *references) error {
	var missing []models.Fault
	check := func(prefix, id, path string) {
		if id != "" && (!models.IsID(prefix, id) || !known.ids[pg.KeyOf(d.OrganizationID, id)]) {
			missing = append(missing, models.Fault{
				Code: models.FieldNotFound, Path: path, Message: "No such record exists.",
			})
		}
	}
	if d.RelatedTo != nil {
		check(models.PrefixTransaction, *d.RelatedTo, "related_to")
	}
	check(models.PrefixCustomer, d.CustomerIDSent, d.CustomerIDPath)
	check(models.PrefixFiling, d.FilingIDSent, "filing_id")
	for _, link := range d.LinkedExemptions {
		check(models.PrefixExemption, link.ID, link.Path)
	}
	if missing != nil {
		return &models.ReferencesNotFoundError{Faults: missing}
	}
	if d.CustomerIDSent != "" {
		customer := known.customers[pg.KeyOf(d.OrganizationID, d.Customer.ExternalID)]
		if customer == nil || customer.ID != d.CustomerIDSent {
			return &models.InvalidError{Faults: []models.Fault{{
				Code: models.FieldMismatch, Path: d.CustomerIDPath,
				Message: "This customer has another external_id than body.customer.external_id.",
			}}}
		}
	}
	return nil
}

// matchCustomer gives the draft its stored customer, or adds the customer as new. It fills gaps of the stored customer
// and never overwrites values.
func (g *intakeGroup) matchCustomer(d *models.TransactionDraft, known *references) {
	at := pg.KeyOf(d.OrganizationID, d.Customer.ExternalID)
	stored, ok := known.customers[at]
	if !ok {
		stored = &models.Customer{}
		*stored = d.Customer
		known.customers[at] = stored // other drafts of the group have the same customer
		g.newCustomers = append(g.newCustomers, stored)
	} else if fillGaps(stored, &d.Customer) {
		stored.UpdatedAt = d.CreatedAt
		g.gapsFilled = append(g.gapsFilled, stored)
	}
	d.Customer = *stored
	d.CustomerID = stored.ID
}

// fillGaps copies values of sent into the empty fields of stored. It reports whether anything changed.
func fillGaps(stored, sent *models.Customer) bool {
	changed := false
	address := stored.Address()
	for _, part := range []struct{ to, from **string }{
		{&stored.Name, &sent.Name}, {&stored.Email, &sent.Email}, {&stored.Phone, &sent.Phone},
		{&stored.Street1, &sent.Street1}, {&stored.Street2, &sent.Street2}, {&stored.City, &sent.City},
		{&stored.County, &sent.County}, {&stored.State, &sent.State}, {&stored.PostalCode, &sent.PostalCode},
		{
			&stored.Country, &sent.Country,
		}, {&stored.FullAddress, &sent.FullAddress}, {&stored.ConnectionID, &sent.ConnectionID},
		{&stored.RegistrationNumber, &sent.RegistrationNumber}, {&stored.ExternalFriendlyID, &sent.ExternalFriendlyID},
	} {
		if *part.to == nil && *part.from != nil {
			*part.to = *part.from
			changed = true
		}
	}
	switch stored.Address() {
	case address:
	case sent.Address():
		stored.AddressStatus = sent.AddressStatus
	default: // an address combined from two has not been verified
		stored.AddressStatus = tax.StatusUnverified
	}
	if len(stored.TaxRegistrations) == 0 && len(sent.TaxRegistrations) > 0 {
		stored.TaxRegistrations = sent.TaxRegistrations
		changed = true
	}
	return changed
}
