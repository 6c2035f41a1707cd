package transactions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/govalues/decimal"

	"levy/contract"
	"levy/contract/problem"
	"levy/models"
	"levy/rules"
	"levy/service/internal/call"
	"levy/service/internal/catalog"
	"levy/service/internal/convert"
	"levy/service/internal/deps"
	"levy/tax"
	"levy/tax/money"
)

// EstimateTax calculates the tax of a sale without recording it. It applies the same rules as the stages of processing.
func (o *Operations) EstimateTax(ctx context.Context, r contract.EstimateTaxRequest) (contract.Estimate, error) {
	c := call.Of(ctx)
	seller := c.Seller()
	// guard: clients: simulate_nexus_met simulates a registration
	r.Body.SimulateActiveRegistration = r.Body.SimulateActiveRegistration || r.Params.SimulateNexusMet
	e := NewEstimate(&r.Body, convert.Instant(o.now()))
	if err := e.locate(ctx, o.deps.Engine, seller.Business); err != nil {
		return contract.Estimate{}, err
	}
	if names := e.names(); !names.IsEmpty() {
		records, err := o.deps.Sales.SaleRecords(ctx, c.Scope, names)
		if err != nil {
			return contract.Estimate{}, err
		}
		if err := e.applyRecords(records); err != nil {
			return contract.Estimate{}, err
		}
	}
	e.classify(o.deps.Catalogue)
	rules.SpreadDiscountsByClass(e.sale.Items, e.sale.Currency)
	seller.Sells(&e.sale)
	if r.Body.SimulateActiveRegistration {
		e.sale.SimulateRegistration()
	}
	calculate, err := o.deps.Engine.Calculator(ctx, e.sale.Place.ContentVersion)
	if err != nil {
		return contract.Estimate{}, err
	}
	e.unit = cmp.Or(tax.RoundingUnit(r.Body.TaxRounding), seller.RoundingUnit, tax.TaxPerLine)
	rates, err := o.ratesFor(ctx, e.sale)
	if err != nil {
		return contract.Estimate{}, err
	}
	reasons := tax.Sentences
	if r.Params.Explain != nil && !*r.Params.Explain {
		reasons = tax.NoReasons
	}
	result, err := rules.EstimateTax(&e.sale, rates, e.unit, reasons, calculate)
	if line, refused := rules.NoNetPrice(err); refused {
		return contract.Estimate{}, e.noNetPrice(line)
	}
	if errors.Is(err, money.ErrOverflow) {
		return contract.Estimate{}, sumTooLarge
	}
	if err != nil {
		return contract.Estimate{}, fmt.Errorf("estimate: %w", err)
	}
	return e.answer(&result, reasons, seller.Covers)
}

// noNetPrice refuses a line whose price includes tax.
func (e *estimate) noNetPrice(line int) error {
	path := fmt.Sprintf("transaction_items[%d].amount", line)
	if e.short {
		path = "amount"
	}
	return problem.Invalid(models.FieldNoNetPrice, path, rules.NoNetPriceMessage(e.sale.Items[line].Amount))
}

// ratesFor reads the reference rates for limits of laws in other currencies than those of the sales.
// It reads nothing if there are none.
func (o *Operations) ratesFor(ctx context.Context, sales ...models.Transaction) (rules.Rates, error) {
	pairs := rules.ConversionPairs(sales)
	if pairs == nil {
		return nil, nil
	}
	return o.deps.Nexus.ConversionRates(ctx, pairs)
}

// sumTooLarge refuses lines whose taxable amounts are valid but whose sum by jurisdiction is too large.
var sumTooLarge = problem.Invalid(
	models.FieldOutOfRange, "transaction_items", "A sum of taxable amounts or taxes "+rules.TooManyDigits,
)

// estimate is a request in canonical form and the sale that it describes.
type estimate struct {
	body  *contract.EstimateRequest
	short bool // the request has the short form
	sale  models.Transaction
	unit  tax.RoundingUnit
	// unknown are the lines whose subcategory is not in the catalogue.
	unknown []int
}

// NewEstimate converts a request into canonical form.
func NewEstimate(body *contract.EstimateRequest, now time.Time) *estimate {
	e := &estimate{body: body, short: body.Amount != nil}
	if e.short {
		body.TransactionItems = []contract.EstimateItemCreate{shortItem(body)}
		body.Addresses = []contract.TransactionAddressCreate{shipTo(body.ShippingAddress)}
	}
	if body.Date.IsZero() {
		body.Date = now
	}
	e.sale.TaxDate = saleTime(body.Date, body.ShopDate, body.ShopDateTz).TaxDate()
	body.Date = convert.Instant(body.Date)
	if c := body.Customer; c != nil {
		if c.CustomerTaxRegistrations == nil {
			c.CustomerTaxRegistrations = c.TaxRegistrations
		}
		c.TaxRegistrations = nil // the other name is the canonical one
	}
	return e
}

// shortItem returns the line of a request in the short form.
func shortItem(body *contract.EstimateRequest) contract.EstimateItemCreate {
	item := contract.EstimateItemCreate{
		Amount: *body.Amount, Quantity: body.Quantity, ExternalProductID: body.ExternalProductID,
		ProductCategory: body.ProductCategory, ProductSubcategory: body.ProductSubcategory,
	}
	if item.ExternalProductID == "" && item.ProductCategory == "" {
		item.ProductCategory = "PHYSICAL"
		item.ProductSubcategory = cmp.Or(item.ProductSubcategory, "PHYSICAL_GENERAL")
	}
	return item
}

// shipTo returns the address of a request in the short form.
func shipTo(a *contract.EstimateAddressCreate) contract.TransactionAddressCreate {
	return contract.TransactionAddressCreate{
		Type: contract.AddressTypeSHIPTO, Street1: a.Street1, Street2: a.Street2, City: a.City, County: a.County,
		State:      a.State,
		PostalCode: a.PostalCode, Country: a.Country, FullAddress: a.FullAddress, Phone: a.Phone,
		IsUnincorporated: a.IsUnincorporated, ConnectionID: a.ConnectionID,
	}
}

// locate converts the request into a sale of the business and finds its place. Errors: *models.InvalidError
// with all faults that the schema of the contract cannot express.
func (e *estimate) locate(ctx context.Context, engine deps.Locator, business *models.Business) error {
	faults := e.Read(business)
	places, err := engine.Locate(ctx, rules.AddressesOf(e.sale))
	if err != nil {
		return err
	}
	place, origin, _ := rules.Locate(
		e.sale, func(a tax.Address) tax.Place { return places[rules.OnTaxDate(e.sale, a)] },
	)
	e.sale.Place, e.sale.Origin = &place, origin
	if !place.Known() {
		faults = append(faults, models.Fault{
			Code: models.FieldInvalidFormat, Path: e.pathOf(place),
			Message: "The address does not say in which country, in the United States and Canada in which state, " +
				"the sale is delivered.",
		})
	}
	if faults != nil {
		return &models.InvalidError{Faults: faults}
	}
	return nil
}

// Read converts the request into a sale of the business. It returns the faults of its amounts.
func (e *estimate) Read(business *models.Business) []models.Fault {
	e.sale = models.Transaction{
		Type: models.TypeSale, TaxDate: e.sale.TaxDate, Currency: e.body.Currency,
		Marketplace: e.body.Marketplace, Business: business,
		Addresses: convert.ConvertAll(e.body.Addresses, addressDraft),
		Items:     convert.ConvertAll(e.body.TransactionItems, estimateLine),
	}
	if e.body.PricesIncludeTax {
		e.sale.GrossAmount = &decimal.Decimal{}
	}
	faults := rules.SpreadDiscounts(e.sale.Items, convert.ConvertAll(e.body.TransactionItems,
		func(i contract.EstimateItemCreate) *models.Discount {
			return discountDraft(i.DiscountBuilder)
		}), e.sale.Currency)
	for i := range e.body.TransactionItems {
		sent := &e.body.TransactionItems[i]
		if fault := tradeInFault(i, sent.Amount, sent.TradeIn); fault != nil {
			faults = append(faults, *fault)
		}
	}
	return append(faults, rules.SumLines(&e.sale)...)
}

// pathOf returns the path of a place in the request.
func (e *estimate) pathOf(place tax.Place) string {
	if e.short {
		return "shipping_address"
	}
	for _, kind := range []string{place.AddressType, string(models.ShipTo), string(models.BillTo)} {
		i := slices.IndexFunc(
			e.body.Addresses, func(a contract.TransactionAddressCreate) bool { return string(a.Type) == kind },
		)
		if i >= 0 {
			return fmt.Sprintf("addresses[%d]", i)
		}
	}
	return "addresses"
}

// estimateLine converts a line.
func estimateLine(b contract.EstimateItemCreate) models.TransactionItem {
	item := models.TransactionItem{
		ExternalID: convert.Optional(b.ExternalID), ExternalProductID: b.ExternalProductID, Quantity: decimal.One,
		Amount:     b.Amount,
		ExemptSent: b.Exempt,
	}
	if b.Quantity != nil {
		item.Quantity = *b.Quantity
	}
	if b.DiscountBuilder != nil {
		item.Sent = &models.SubmittedLine{Discount: discountDraft(b.DiscountBuilder)}
	}
	item.SetTerms(couponTerms(b.Amount, b.ReimbursedBy, b.TradeIn))
	return item
}

// names returns the records that the request names.
func (e *estimate) names() models.SaleNames {
	var names models.SaleNames
	for i := range e.sale.Items {
		if id := e.sale.Items[i].ExternalProductID; id != "" {
			names.ProductExternalIDs = append(names.ProductExternalIDs, id)
		}
	}
	if c := e.body.Customer; c != nil {
		names.CustomerID, names.CustomerExternalID = c.ID, c.ExternalID
	}
	return names
}

// applyRecords completes the sale by the records. An external id that no customer has is that of a new customer.
// Errors: *models.ProductsNotFoundError, *models.ReferencesNotFoundError, *models.InvalidError.
func (e *estimate) applyRecords(records models.SaleRecords) error {
	var unknown []models.Fault
	for i := range e.sale.Items {
		item := &e.sale.Items[i]
		product, ok := records.Products[item.ExternalProductID]
		switch {
		case ok:
			item.TaxClass, item.Classification = product.TaxClass, product.Classification
			item.ProductTaxExempt = product.TaxExempt
			if product.ClassificationFailed() {
				e.unknown = append(e.unknown, i)
			}
		case item.ExternalProductID != "":
			path := fmt.Sprintf("transaction_items[%d].external_product_id", i)
			if e.short {
				path = "external_product_id"
			}
			unknown = append(unknown, models.Fault{
				Code: models.FieldNotFound, Path: path,
				Message: "There is no product with this external_id.",
			})
		}
	}
	if unknown != nil {
		return &models.ProductsNotFoundError{Faults: unknown}
	}
	return e.matchCustomer(records)
}

// matchCustomer matches the customer of the sale to a record.
func (e *estimate) matchCustomer(records models.SaleRecords) error {
	sent := e.body.Customer
	switch {
	case sent == nil:
		return nil
	case records.Customer != nil:
		e.sale.Customer, e.sale.CustomerID = *records.Customer, records.Customer.ID
		e.sale.Exemptions = records.Exemptions
	case sent.ID != "":
		return &models.ReferencesNotFoundError{Faults: []models.Fault{{
			Code: models.FieldNotFound, Path: "customer.id", Message: "There is no customer with this id.",
		}}}
	}
	if sent.ID != "" && sent.ExternalID != "" &&
		!convert.IsIdentifier(sent.ExternalID, e.sale.Customer.ExternalID) {
		return problem.Invalid(models.FieldMismatch, "customer.id",
			"This customer has another external_id than body.customer.external_id.")
	}
	return nil
}

// classify gives lines without a product the tax class of their category. It gives a customer
// without stored tax numbers the submitted ones.
func (e *estimate) classify(catalogue deps.Catalogue) {
	for i := range e.sale.Items {
		if item, sent := &e.sale.Items[i], &e.body.TransactionItems[i]; item.ExternalProductID == "" {
			item.TaxClass, item.Classification, _ = catalogue.Classify(sent.ProductCategory, sent.ProductSubcategory)
			if sent.ProductSubcategory != "" && item.Classification == tax.ClassificationCategoryDefault {
				e.unknown = append(e.unknown, i)
			}
		}
	}
	if c := e.body.Customer; c != nil && len(e.sale.Customer.TaxRegistrations) == 0 {
		e.sale.Customer.TaxRegistrations = convert.ConvertAll(c.CustomerTaxRegistrations, catalog.TaxRegistrationDraft)
	}
}
