package transactions

import (
	"fmt"

	"levy/models"
	"levy/store/pg"
	"levy/tax"
)

// intakeGroup is a group of drafts after the look-up: which are accepted, which are not
// and why, and which customers must be written.
type intakeGroup struct {
	results      []error
	accepted     []*models.TransactionDraft
	newCustomers []*models.Customer
	gapsFilled   []*models.Customer
	records      []*models.Transaction // the rows of those accepted, see seal
	exemptions   []*models.Exemption
}

// decide gives every draft its verdict as far as the look-up allows, fills in what
// the records say (products, customer) and resolves what drafts of one group mean
// to each other. Uniqueness is decided by the unique index alone: whoever takes a
// key in between makes the group start over.
func decide(drafts []*models.TransactionDraft, known *references) *intakeGroup {
	g := &intakeGroup{results: make([]error, len(drafts))}
	for i, d := range drafts {
		if err := resolveProducts(d, known); err != nil {
			g.results[i] = err
			continue
		}
		if err := checkReferences(d, known); err != nil {
			g.results[i] = err
			continue
		}
		at := pg.KeyOf(d.OrganizationID, d.ExternalID)
		if existing, taken := known.transactions[at]; taken {
			g.results[i] = &models.DuplicateError{Field: "external_id", ExistingID: existing}
			continue
		}
		known.transactions[at] = d.ID // another draft with the same key comes second
		g.matchCustomer(d, known)
		g.accepted = append(g.accepted, d)
	}
	return g
}

// resolveProducts fills in the product of every line, or lists every line whose
// product does not exist.
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

// checkReferences lists every other record that the draft names and that does not
// exist, or a customer id that belongs to somebody else.
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

// matchCustomer gives the draft its stored customer, or notes that the customer is
// new. Stored values are never overwritten; gaps are filled.
func (g *intakeGroup) matchCustomer(d *models.TransactionDraft, known *references) {
	at := pg.KeyOf(d.OrganizationID, d.Customer.ExternalID)
	stored, ok := known.customers[at]
	if !ok {
		stored = &models.Customer{}
		*stored = d.Customer
		known.customers[at] = stored // others of the group have the same customer
		g.newCustomers = append(g.newCustomers, stored)
	} else if fillGaps(stored, &d.Customer) {
		stored.UpdatedAt = d.CreatedAt
		g.gapsFilled = append(g.gapsFilled, stored)
	}
	d.Customer = *stored
	d.CustomerID = stored.ID
}

// fillGaps copies into stored what it lacks and sent has; it reports whether
// anything changed.
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
	default: // put together from two, and nobody has checked it
		stored.AddressStatus = tax.StatusUnverified
	}
	if len(stored.TaxRegistrations) == 0 && len(sent.TaxRegistrations) > 0 {
		stored.TaxRegistrations = sent.TaxRegistrations
		changed = true
	}
	return changed
}
