package catalog

import (
	"context"
	"errors"
	"strings"
	"time"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/tax"
	"levy/tax/calendar"
)

// CreateCustomer adds a customer.
func (o *Operations) CreateCustomer(ctx context.Context, r contract.CreateCustomerRequest) (contract.Customer, error) {
	caller := call.Of(ctx)
	sent := contract.TransactionCustomerCreate(r.Body)
	c := NewCustomer(caller.Scope, convert.Instant(o.now()), &sent)
	if err := o.VerifyAddresses(ctx, &c); err != nil {
		return contract.Customer{}, err
	}
	if err := o.deps.Customers.CreateCustomer(ctx, caller.Scope, caller.Actor(), &c); err != nil {
		return contract.Customer{}, err
	}
	return CustomerAnswer(c), nil
}

// NewCustomer returns the record of a new customer. now is a whole number of microseconds.
func NewCustomer(scope models.Scope, now time.Time, b *contract.TransactionCustomerCreate) models.Customer {
	c := models.Customer{
		OrganizationID: scope.OrganizationID, ID: models.NewID(models.PrefixCustomer), ExternalID: b.ExternalID,
		Name: convert.Optional(b.Name), Status: models.CustomerStatus(b.Status), Email: convert.Optional(b.Email),
		Phone:   convert.Optional(b.Phone),
		Street1: convert.Optional(b.Street1), Street2: convert.Optional(b.Street2), City: convert.Optional(b.City),
		County: convert.Optional(b.County),
		State:  convert.Optional(b.State), PostalCode: convert.Optional(b.PostalCode), Country: convert.Optional(b.Country),
		FullAddress:   convert.Optional(b.FullAddress),
		AddressStatus: tax.StatusBlank, Source: b.Source, ConnectionID: convert.Optional(b.ConnectionID),
		RegistrationNumber: convert.Optional(b.RegistrationNumber), ExternalFriendlyID: convert.Optional(b.ExternalFriendlyID),
		TaxRegistrations: taxRegistrations(nil, b.CustomerTaxRegistrations),
		CreatedAt:        now, UpdatedAt: now,
	}
	if c.HasAddress() {
		c.AddressStatus = tax.StatusUnverified
	}
	return c
}

// taxRegistrations returns the submitted tax registrations. A customer that is already stored keeps its id.
func taxRegistrations(
	stored []models.CustomerTaxRegistration, sent []contract.CustomerTaxRegistrationCreate,
) []models.CustomerTaxRegistration {
	return convert.ConvertAll(sent, func(r contract.CustomerTaxRegistrationCreate) models.CustomerTaxRegistration {
		registration := TaxRegistrationDraft(r)
		for i, known := range stored {
			if known.CountryCode == r.CountryCode && known.TaxType == string(r.TaxType) && known.TaxID == r.TaxID {
				registration.ID = known.ID
				stored = append(stored[:i:i], stored[i+1:]...) // a repeated one gets another id
				return registration
			}
		}
		registration.ID = models.NewID(models.PrefixTaxRegistration)
		return registration
	})
}

// VerifyAddresses verifies the addresses of customers with at most one statement.
func (o *Operations) VerifyAddresses(ctx context.Context, customers ...*models.Customer) error {
	today := calendar.DateOf(o.now().UTC())
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
	places, err := o.deps.Places.Locate(ctx, asked)
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
func (o *Operations) GetCustomer(ctx context.Context, r contract.GetCustomerRequest) (contract.Customer, error) {
	c, err := o.deps.Customers.Customer(ctx, call.Of(ctx).Scope, r.CustomerID)
	return convert.Answered(c, err, CustomerAnswer)
}

// GetCustomerByExternalID finds a customer by the client's identifier.
func (o *Operations) GetCustomerByExternalID(
	ctx context.Context, r contract.GetCustomerByExternalIDRequest,
) (contract.Customer, error) {
	c, err := convert.ByIdentifier(r.ExternalID, func(identifier string) (models.Customer, error) {
		return o.deps.Customers.CustomerByExternalID(ctx, call.Of(ctx).Scope, identifier)
	})
	return convert.Answered(c, err, CustomerAnswer)
}

// ListCustomers lists customers.
func (o *Operations) ListCustomers(ctx context.Context, r contract.ListCustomersRequest) (contract.CustomerList, error) {
	p := r.Params
	filter := o.customerFilter(&contract.ExportCustomersParams{
		SearchQuery: p.SearchQuery, Country: p.Country, State: p.State, StatusIn: p.StatusIn, SourceIn: p.SourceIn,
		ConnectionIDIn: p.ConnectionIDIn,
	})
	order := convert.OrderOf(p.OrderBy)
	page, err := convert.PageAfter(ctx, p.After, filter, order, convert.PageOf(p.Page, p.Size))
	if err != nil {
		return contract.CustomerList{}, err
	}
	list, err := o.deps.Customers.ListCustomers(ctx, call.Of(ctx).Scope, filter, order, page.Page)
	answer, err := convert.CursorAnswer(list, err, page, CustomerAnswer)
	return contract.CustomerList(answer), err
}

func (o *Operations) customerFilter(p *contract.ExportCustomersParams) models.CustomerFilter {
	return models.CustomerFilter{
		Text:          p.SearchQuery,
		Countries:     p.Country,
		States:        o.writtenStates(p.State),
		Statuses:      convert.Texts[models.CustomerStatus](p.StatusIn),
		Sources:       p.SourceIn,
		ConnectionIDs: p.ConnectionIDIn,
	}
}

// writtenStates returns the forms in which an address may contain a state, because addresses keep the submitted code
// or name.
func (o *Operations) writtenStates(state string) []string {
	forms := o.deps.Spellings(state)
	for _, code := range forms {
		for _, country := range []string{"US", "CA"} {
			if j, ok := o.deps.Places.Jurisdiction(country + "-" + code); ok {
				forms = append(forms, strings.ToUpper(j.Name))
			}
		}
	}
	return forms
}

// UpdateCustomer changes the submitted fields of a customer.
func (o *Operations) UpdateCustomer(ctx context.Context, r contract.UpdateCustomerRequest) (contract.Customer, error) {
	var c models.Customer
	err := models.ErrChangedMeanwhile
	for n := 0; n < convert.MaxChangeAttempts && errors.Is(err, models.ErrChangedMeanwhile); n++ {
		c, err = o.updateCustomer(ctx, r.CustomerID, &r.Body)
	}
	return convert.Answered(c, err, CustomerAnswer)
}

// updateCustomer locates the address before it locks the customer, because locating needs another database connection.
// Errors: models.ErrChangedMeanwhile if another request changed the address in between.
func (o *Operations) updateCustomer(
	ctx context.Context, id string, sent *contract.CustomerUpdate,
) (models.Customer, error) {
	caller := call.Of(ctx)
	expected, err := o.deps.Customers.Customer(ctx, caller.Scope, id)
	if err != nil {
		return models.Customer{}, err
	}
	changeCustomer(&expected, sent)
	if err := o.VerifyAddresses(ctx, &expected); err != nil {
		return models.Customer{}, err
	}
	return o.deps.Customers.UpdateCustomer(ctx, caller.Scope, caller.Actor(), id, func(c *models.Customer) error {
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
		c.ExternalID = convert.KeepIdentifier(sent.ExternalID, c.ExternalID)
	}
	if sent.Name != "" {
		c.Name = &sent.Name
	}
	convert.Change((*contract.CustomerStatus)(&c.Status), sent.Status, contract.CustomerStatusACTIVE)
	convert.ChangeOptional(&c.Email, sent.Email)
	convert.ChangeOptional(&c.Phone, sent.Phone)
	convert.ChangeOptional(&c.Street1, sent.Street1)
	convert.ChangeOptional(&c.Street2, sent.Street2)
	convert.ChangeOptional(&c.City, sent.City)
	convert.ChangeOptional(&c.County, sent.County)
	convert.ChangeOptional(&c.State, sent.State)
	convert.ChangeOptional(&c.PostalCode, sent.PostalCode)
	convert.ChangeOptional(&c.Country, sent.Country)
	convert.ChangeOptional(&c.FullAddress, sent.FullAddress)
	convert.Change(&c.Source, sent.Source, "OTHER")
	convert.ChangeOptional(&c.ConnectionID, sent.ConnectionID)
	convert.ChangeOptional(&c.RegistrationNumber, sent.RegistrationNumber)
	convert.ChangeOptional(&c.ExternalFriendlyID, convert.KeepOptional(sent.ExternalFriendlyID, c.ExternalFriendlyID))
	if registrations := sent.CustomerTaxRegistrations; registrations.IsSpecified() {
		c.TaxRegistrations = taxRegistrations(c.TaxRegistrations, registrations[true]) // null removes all
	}
}
