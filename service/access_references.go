package service

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"levy/models"
	"levy/service/internal/call"
)

// reference is where the body of an operation names another record, by its id; a product by its external_id. A list on
// the way stands for each of its entries.
type reference struct{ path, prefix string }

var (
	ofLines = []reference{{"transaction_items.external_product_id", models.PrefixProduct}}
	ofSale  = append([]reference{
		{"related_to", models.PrefixTransaction}, {"customer_id", models.PrefixCustomer},
		{"requires_exemption.customer_id", models.PrefixCustomer}, {"filing_id", models.PrefixFiling},
		{"exemptions.customer_id", models.PrefixCustomer}, {"exemptions.id", models.PrefixExemption},
	}, ofLines...)
	ofEstimate = append([]reference{
		{"external_product_id", models.PrefixProduct}, {"customer.id", models.PrefixCustomer},
	}, ofLines...)
	ofExemption = []reference{
		{"customer_id", models.PrefixCustomer}, {"transaction_id", models.PrefixTransaction},
	}
	ofFiling        = []reference{{"registration_id", models.PrefixRegistration}}
	ofArchiveByDate = []reference{{"after", models.PrefixTransaction}}
)

// mention is a record that a body names.
type mention struct{ prefix, name, path string }

// findReferences reads what a body that the validator accepts names. The handler does so itself, of callers who may use
// the operation. Errors: *models.ProductsNotFoundError, *models.ReferencesNotFoundError.
func (s *Service) findReferences(ctx context.Context, references []reference, body []byte) error {
	var products, others []mention
	for _, r := range references {
		found := mentions(body, r.path, "", r.prefix)
		if r.prefix == models.PrefixProduct {
			products = append(products, found...)
		} else {
			others = append(others, found...)
		}
	}
	if err := s.findProducts(ctx, products); err != nil {
		return err
	}
	return s.findOthers(ctx, others)
}

// mentions lists the texts of a body whose path is path and then rest. raw is the value at path.
func mentions(raw json.RawMessage, rest, path, prefix string) (found []mention) {
	var list []json.RawMessage
	var object map[string]json.RawMessage
	var text string
	switch {
	case json.Unmarshal(raw, &list) == nil:
		for i, entry := range list {
			found = append(found, mentions(entry, rest, fmt.Sprintf("%s[%d]", path, i), prefix)...)
		}
	case rest == "" && json.Unmarshal(raw, &text) == nil && text != "":
		found = append(found, mention{prefix, text, path})
	case json.Unmarshal(raw, &object) == nil:
		name, below, _ := strings.Cut(rest, ".")
		found = mentions(object[name], below, models.JoinPath(path, name), prefix)
	}
	return found
}

func (m mention) unknown(message string) models.Fault {
	return models.Fault{Code: models.FieldNotFound, Path: m.path, Message: message}
}

func (s *Service) findProducts(ctx context.Context, products []mention) error {
	if products == nil {
		return nil
	}
	var names models.SaleNames
	for _, m := range products {
		names.ProductExternalIDs = append(names.ProductExternalIDs, m.name)
	}
	records, err := s.deps.Sales.SaleRecords(ctx, call.Of(ctx).Scope, names)
	if err != nil {
		return err
	}
	var faults []models.Fault
	for _, m := range products {
		if _, known := records.Products[m.name]; !known {
			faults = append(faults, m.unknown("There is no product with this external_id."))
		}
	}
	if faults != nil {
		return &models.ProductsNotFoundError{Faults: faults}
	}
	return nil
}

func (s *Service) findOthers(ctx context.Context, others []mention) error {
	if others == nil {
		return nil
	}
	ids := make([]string, len(others))
	for i, m := range others {
		ids[i] = m.name
	}
	known, err := s.deps.Transactions.KnownIDs(ctx, call.Of(ctx).Scope, ids)
	if err != nil {
		return err
	}
	var faults []models.Fault
	for _, m := range others {
		if !models.IsID(m.prefix, m.name) || !known[m.name] {
			faults = append(faults, m.unknown("No such record exists."))
		}
	}
	if faults != nil {
		return &models.ReferencesNotFoundError{Faults: faults}
	}
	return nil
}
