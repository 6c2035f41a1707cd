package service

import (
	"context"
	"fmt"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
)

// mention is a record that a request names by its id, or a product by its external_id. A mention
// without a name counts as none.
type mention struct{ prefix, name, path string }

// namesOf adapts a function on the request of an operation to the column names of the operations table.
func namesOf[R any](list func(request *R) []mention) func(request any) []mention {
	return func(request any) []mention { return list(request.(*R)) }
}

// productsOf returns the products that lines name.
func productsOf[L any](lines []L, productOf func(*L) string) (found []mention) {
	for i := range lines {
		path := fmt.Sprintf("transaction_items[%d].external_product_id", i)
		found = append(found, mention{models.PrefixProduct, productOf(&lines[i]), path})
	}
	return found
}

func productOfRefund(line *contract.CreditNoteItemCreate) string { return line.ExternalProductID }

// saleMentions returns the records that a sale names in addition to its products.
func saleMentions(
	relatedTo, customerID, filingID string, required *contract.RequiredExemption,
	exemptions []contract.TransactionExemptionCreate,
) []mention {
	found := []mention{
		{models.PrefixTransaction, relatedTo, "related_to"}, {models.PrefixCustomer, customerID, "customer_id"},
	}
	if required != nil {
		found = append(found, mention{models.PrefixCustomer, required.CustomerID, "requires_exemption.customer_id"})
	}
	found = append(found, mention{models.PrefixFiling, filingID, "filing_id"})
	for i, e := range exemptions {
		found = append(found, mention{models.PrefixCustomer, e.CustomerID, fmt.Sprintf("exemptions[%d].customer_id", i)})
	}
	for i, e := range exemptions {
		found = append(found, mention{models.PrefixExemption, e.ID, fmt.Sprintf("exemptions[%d].id", i)})
	}
	return found
}

func namesOfSale(b *contract.TransactionCreate) []mention {
	products := productsOf(b.TransactionItems, func(l *contract.TransactionItemCreate) string { return l.ExternalProductID })
	return append(products, saleMentions(b.RelatedTo, b.CustomerID, b.FilingID, b.RequiresExemption, b.Exemptions)...)
}

var (
	namesOfTransaction = namesOf(func(r *contract.CreateTransactionRequest) []mention { return namesOfSale(&r.Body) })

	namesOfCustomerTransaction = namesOf(
		func(r *contract.CreateCustomerTransactionRequest) []mention { return namesOfSale(&r.Body) })

	namesOfTransactionUpdate = namesOf(func(r *contract.UpdateTransactionRequest) []mention {
		b := &r.Body
		var required *contract.RequiredExemption
		if exemption, err := b.RequiresExemption.Get(); err == nil {
			required = &exemption
		}
		products := productsOf(b.TransactionItems, func(l *contract.TransactionItemUpdate) string { return l.ExternalProductID })
		return append(products,
			saleMentions(b.RelatedTo[true], b.CustomerID[true], b.FilingID[true], required, b.Exemptions[true])...)
	})

	namesOfCreditNote = namesOf(func(r *contract.CreateCreditNoteRequest) []mention {
		return productsOf(r.Body.TransactionItems, productOfRefund)
	})

	namesOfCreditNoteUpdate = namesOf(func(r *contract.UpdateCreditNoteRequest) []mention {
		return productsOf(r.Body.TransactionItems, productOfRefund)
	})

	namesOfEstimate = namesOf(func(r *contract.EstimateTaxRequest) []mention {
		found := []mention{{models.PrefixProduct, r.Body.ExternalProductID, "external_product_id"}}
		found = append(found, productsOf(r.Body.TransactionItems,
			func(l *contract.EstimateItemCreate) string { return l.ExternalProductID })...)
		if customer := r.Body.Customer; customer != nil {
			found = append(found, mention{models.PrefixCustomer, customer.ID, "customer.id"})
		}
		return found
	})

	namesOfExemption = namesOf(func(r *contract.CreateExemptionRequest) []mention {
		return []mention{
			{models.PrefixCustomer, r.Body.CustomerID, "customer_id"},
			{models.PrefixTransaction, r.Body.TransactionID, "transaction_id"},
		}
	})

	namesOfFiling = namesOf(func(r *contract.CreateFilingRequest) []mention {
		return []mention{{models.PrefixRegistration, r.Body.RegistrationID, "registration_id"}}
	})

	namesOfNotice = namesOf(func(r *contract.CreateNoticeRequest) []mention {
		return []mention{
			{models.PrefixFiling, r.Body.FilingID, "filing_id"},
			{models.PrefixRegistration, r.Body.RegistrationID, "registration_id"},
		}
	})

	namesOfArchiveByDate = namesOf(func(r *contract.ArchiveTransactionsByDateRequest) []mention {
		return []mention{{models.PrefixTransaction, r.Body.After, "after"}}
	})
)

// findReferences checks that the records exist that a request names. For callers who may use it the operation does
// so itself. Errors: *models.ProductsNotFoundError, *models.ReferencesNotFoundError.
func (s *Service) findReferences(ctx context.Context, named []mention) error {
	var products, others []mention
	for _, m := range named {
		switch {
		case m.name == "":
		case m.prefix == models.PrefixProduct:
			products = append(products, m)
		default:
			others = append(others, m)
		}
	}
	if err := s.findProducts(ctx, products); err != nil {
		return err
	}
	return s.findOthers(ctx, others)
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
