package api

import (
	"context"
	"errors"
	"strings"
	"time"

	"levy/contract"
	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
)

// CreateCustomer adds a customer.
func (s *Server) CreateCustomer(ctx context.Context, r contract.CreateCustomerRequest) (contract.Customer, error) {
	call := callOf(ctx)
	sent := contract.TransactionCustomerCreate(r.Body)
	c := newCustomer(call.scope, instant(s.now()), &sent)
	if err := s.examine(ctx, &c); err != nil {
		return contract.Customer{}, err
	}
	if err := s.deps.Customers.CreateCustomer(ctx, call.scope, call.actor(), &c); err != nil {
		return contract.Customer{}, err
	}
	return customerAnswer(c), nil
}

// newCustomer makes the record of a customer from what was sent about it. now is a
// whole number of microseconds.
func newCustomer(scope models.Scope, now time.Time, b *contract.TransactionCustomerCreate) models.Customer {
	c := models.Customer{
		OrganizationID: scope.OrganizationID, ID: models.NewID(models.PrefixCustomer), ExternalID: b.ExternalID,
		Name: optional(b.Name), Status: models.CustomerStatus(b.Status), Email: optional(string(b.Email)),
		Phone:   optional(b.Phone),
		Street1: optional(b.Street1), Street2: optional(b.Street2), City: optional(b.City), County: optional(b.County),
		State: optional(b.State), PostalCode: optional(b.PostalCode), Country: optional(b.Country),
		FullAddress:   optional(b.FullAddress),
		AddressStatus: tax.StatusBlank, Source: b.Source, ConnectionID: optional(b.ConnectionID),
		RegistrationNumber: optional(b.RegistrationNumber), ExternalFriendlyID: optional(b.ExternalFriendlyID),
		TaxRegistrations: taxRegistrations(nil, b.CustomerTaxRegistrations),
		CreatedAt:        now, UpdatedAt: now,
	}
	if c.HasAddress() {
		c.AddressStatus = tax.StatusUnverified
	}
	return c
}

// taxRegistrations are those sent; one that is stored already keeps its id.
func taxRegistrations(
	stored []models.CustomerTaxRegistration, sent []contract.CustomerTaxRegistrationCreate,
) []models.CustomerTaxRegistration {
	return convertAll(sent, func(r contract.CustomerTaxRegistrationCreate) models.CustomerTaxRegistration {
		registration := taxRegistrationDraft(r)
		for i, known := range stored {
			if known.CountryCode == r.CountryCode && known.TaxType == string(r.TaxType) && known.TaxID == r.TaxID {
				registration.ID = known.ID
				stored = append(stored[:i:i], stored[i+1:]...) // the same one twice gets two ids
				return registration
			}
		}
		registration.ID = models.NewID(models.PrefixTaxRegistration)
		return registration
	})
}

// examine sets the verdicts on the addresses of customers, with at most one
// statement for all.
func (s *Server) examine(ctx context.Context, customers ...*models.Customer) error {
	today := calendar.DateOf(s.now().UTC())
	var asked []tax.DatedAddress
	for _, c := range customers {
		c.AddressStatus = tax.StatusBlank
		if c.HasAddress() {
			asked = append(asked, tax.DatedAddress{Address: c.Address(), Day: today})
		}
	}
	if asked == nil {
		return nil
	}
	places, err := s.deps.Places.Locate(ctx, asked)
	if err != nil {
		return err
	}
	for _, c := range customers {
		if c.HasAddress() {
			c.AddressStatus = places[tax.DatedAddress{Address: c.Address(), Day: today}].Status
		}
	}
	return nil
}

// GetCustomer reads a customer.
func (s *Server) GetCustomer(ctx context.Context, r contract.GetCustomerRequest) (contract.Customer, error) {
	c, err := s.deps.Customers.Customer(ctx, callOf(ctx).scope, r.CustomerID)
	return answered(c, err, customerAnswer)
}

// GetCustomerByExternalID finds a customer by the client's identifier.
func (s *Server) GetCustomerByExternalID(
	ctx context.Context, r contract.GetCustomerByExternalIDRequest,
) (contract.Customer, error) {
	c, err := s.deps.Customers.CustomerByExternalID(ctx, callOf(ctx).scope, r.ExternalID)
	return answered(c, err, customerAnswer)
}

// ListCustomers lists customers.
func (s *Server) ListCustomers(ctx context.Context, r contract.ListCustomersRequest) (contract.CustomerList, error) {
	p := r.Params
	filter := models.CustomerFilter{
		Text:          p.SearchQuery,
		Countries:     p.Country,
		States:        s.writtenStates(p.State),
		Statuses:      texts[models.CustomerStatus](p.StatusIn),
		Sources:       p.SourceIn,
		ConnectionIDs: p.ConnectionIDIn,
	}
	order := orderOf(p.OrderBy)
	page, err := pageAfter(ctx, p.After, filter, order, pageOf(p.Page, p.Size))
	if err != nil {
		return contract.CustomerList{}, err
	}
	list, err := s.deps.Customers.ListCustomers(ctx, callOf(ctx).scope, filter, order, page.Page)
	answer, err := cursorAnswer(list, err, page, customerAnswer)
	return contract.CustomerList(answer), err
}

// writtenStates lists how a customer's address may name a state: addresses keep
// what was sent, the code or the name.
func (s *Server) writtenStates(state string) []string {
	forms := s.deps.Spellings(state)
	for _, code := range forms {
		for _, country := range []string{"US", "CA"} {
			if j, ok := s.deps.Places.Jurisdiction(country + "-" + code); ok {
				forms = append(forms, strings.ToUpper(j.Name))
			}
		}
	}
	return forms
}

// UpdateCustomer changes the fields that were sent.
func (s *Server) UpdateCustomer(ctx context.Context, r contract.UpdateCustomerRequest) (contract.Customer, error) {
	var c models.Customer
	err := models.ErrChangedMeanwhile
	for n := 0; n < maxChangeAttempts && errors.Is(err, models.ErrChangedMeanwhile); n++ {
		c, err = s.updateCustomer(ctx, r.CustomerID, &r.Body)
	}
	return answered(c, err, customerAnswer)
}

// updateCustomer locates the address before it takes the lock: that needs a database
// connection of its own. Errors: models.ErrChangedMeanwhile when somebody
// else changed the address in between.
func (s *Server) updateCustomer(
	ctx context.Context, id string, sent *contract.CustomerUpdate,
) (models.Customer, error) {
	call := callOf(ctx)
	expected, err := s.deps.Customers.Customer(ctx, call.scope, id)
	if err != nil {
		return models.Customer{}, err
	}
	changeCustomer(&expected, sent)
	if err := s.examine(ctx, &expected); err != nil {
		return models.Customer{}, err
	}
	return s.deps.Customers.UpdateCustomer(ctx, call.scope, call.actor(), id, func(c *models.Customer) error {
		changeCustomer(c, sent)
		if c.Address() != expected.Address() {
			return models.ErrChangedMeanwhile
		}
		c.AddressStatus = expected.AddressStatus
		return nil
	})
}

func changeCustomer(c *models.Customer, sent *contract.CustomerUpdate) {
	if sent.ExternalID != "" {
		c.ExternalID = sent.ExternalID
	}
	if sent.Name != "" {
		c.Name = &sent.Name
	}
	change((*contract.CustomerStatus)(&c.Status), sent.Status, contract.CustomerStatusACTIVE)
	changeOptional(&c.Email, sent.Email)
	changeOptional(&c.Phone, sent.Phone)
	changeOptional(&c.Street1, sent.Street1)
	changeOptional(&c.Street2, sent.Street2)
	changeOptional(&c.City, sent.City)
	changeOptional(&c.County, sent.County)
	changeOptional(&c.State, sent.State)
	changeOptional(&c.PostalCode, sent.PostalCode)
	changeOptional(&c.Country, sent.Country)
	changeOptional(&c.FullAddress, sent.FullAddress)
	change(&c.Source, sent.Source, "OTHER")
	changeOptional(&c.ConnectionID, sent.ConnectionID)
	changeOptional(&c.RegistrationNumber, sent.RegistrationNumber)
	changeOptional(&c.ExternalFriendlyID, sent.ExternalFriendlyID)
	if registrations := sent.CustomerTaxRegistrations; registrations.IsSpecified() {
		c.TaxRegistrations = taxRegistrations(c.TaxRegistrations, registrations[true]) // none for null
	}
}

// ListCustomerTransactions lists the transactions of a customer.
func (s *Server) ListCustomerTransactions(
	ctx context.Context, r contract.ListCustomerTransactionsRequest,
) (contract.TransactionRows, error) {
	if _, err := s.deps.Customers.Customer(ctx, callOf(ctx).scope, r.CustomerID); err != nil {
		return nil, err
	}
	p := contract.ListTransactionsParams(r.Params)
	if p.CustomerID != "" && p.CustomerID != r.CustomerID { // both cannot hold
		p.CustomerID = "nobody"
	} else {
		p.CustomerID = r.CustomerID
	}
	return rowsOf(ctx)(s.ListTransactions(ctx, contract.ListTransactionsRequest{Params: p}))
}

// CreateCustomerTransaction records a transaction of a customer that exists.
func (s *Server) CreateCustomerTransaction(
	ctx context.Context, r contract.CreateCustomerTransactionRequest,
) (contract.Transaction, error) {
	c, err := s.deps.Customers.Customer(ctx, callOf(ctx).scope, r.CustomerID)
	if err != nil {
		if faults := ofUnknownCustomer(ctx, instant(s.now()), r.CustomerID, &r.Body); faults != nil {
			err = &models.InvalidError{Faults: faults}
		}
		return contract.Transaction{}, err
	}
	if faults := ofCustomer(&c, &r.Body); faults != nil {
		faults = append(faults, transactionFaults(ctx, instant(s.now()), &r.Body)...)
		return contract.Transaction{}, &models.InvalidError{Faults: faults}
	}
	accepted, err := s.CreateTransaction(ctx, contract.CreateTransactionRequest{Body: r.Body})
	if err != nil {
		return contract.Transaction{}, err
	}
	return accepted[0], nil
}

// ofUnknownCustomer is what is wrong with a transaction, whoever the customer is: that is answered before what the path
// names is found to be unknown.
func ofUnknownCustomer(ctx context.Context, now time.Time, id string, b *contract.TransactionCreate) []models.Fault {
	b.CustomerID = id
	return transactionFaults(ctx, now, b)
}

// ofCustomer makes a transaction one of the customer that the path names, and refuses one of another.
func ofCustomer(c *models.Customer, b *contract.TransactionCreate) (faults []models.Fault) {
	refuse := func(sent, own, path string) {
		if sent != "" && sent != own {
			faults = append(faults, models.Fault{
				Code: models.FieldMismatch, Path: path, Message: "The path names another customer.",
			})
		}
	}
	refuse(b.CustomerID, c.ID, "customer_id")
	refuse(b.Customer.ExternalID, c.ExternalID, "customer.external_id")
	b.CustomerID, b.Customer.ExternalID = c.ID, c.ExternalID
	return faults
}
