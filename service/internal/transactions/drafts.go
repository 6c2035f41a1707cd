package transactions

import (
	"fmt"
	"slices"
	"time"

	"github.com/govalues/decimal"
	openapi_types "github.com/oapi-codegen/runtime/types"

	"levy/contract"
	"levy/models"
	"levy/rules"
	"levy/service/internal/catalog"
	"levy/service/internal/convert"
	"levy/tax"
)

// transactionDraft converts a validated request into a draft with all its identifiers.
// now is a whole number of microseconds. Errors: *models.InvalidError with all faults that the schema
// of the contract cannot express.
func transactionDraft(
	scope models.Scope, actor models.Actor, now time.Time, body *contract.TransactionCreate,
) (*models.TransactionDraft, error) {
	d := &models.TransactionDraft{Actor: actor}
	d.OrganizationID, d.ID = scope.OrganizationID, models.NewID(models.PrefixTransaction)
	d.TaxDate = saleTime(body.Date, body.ShopDate, body.ShopDateTz).TaxDate()
	return completeDraft(d, now, body, exemptionPaths(len(body.Exemptions)))
}

// saleTime returns the submitted fields that decide the tax date.
func saleTime(date time.Time, shopDate openapi_types.Date, zone string) rules.SaleTime {
	return rules.SaleTime{Date: date, ShopDate: shopDate.Time, Zone: zone}
}

// completeDraft is transactionDraft for a draft with a client, a transaction id and a tax date. exemptionsAt are the
// paths of the exemptions, for their faults.
func completeDraft(
	d *models.TransactionDraft, now time.Time, body *contract.TransactionCreate, exemptionsAt []string,
) (*models.TransactionDraft, error) {
	m := &draftMaker{body: body, now: now, d: d}
	d.FilingIDSent = body.FilingID
	m.header()
	m.sent()
	m.money()
	m.customerID(body.CustomerID, "customer_id")
	m.customer()
	m.addresses()
	m.items()
	m.faults = append(m.faults, rules.SpreadDiscounts(m.d.Items, discountsOf(m.body), m.d.Currency)...)
	m.sums()
	m.exemptions(exemptionsAt)
	if m.faults != nil {
		return nil, &models.InvalidError{Faults: m.faults}
	}
	return m.d, nil
}

// draftMaker is the state of one conversion.
type draftMaker struct {
	body   *contract.TransactionCreate
	now    time.Time
	d      *models.TransactionDraft
	faults []models.Fault
}

// fault adds a fault.
func (m *draftMaker) fault(code, path, message string, of ...string) {
	m.faults = append(m.faults, models.Fault{Code: code, Path: path, Message: message, Of: of})
}

// header converts the fields of the whole transaction.
func (m *draftMaker) header() {
	b, d := m.body, m.d
	d.ExternalID = b.ExternalID
	d.Type = models.TransactionType(b.Type)
	d.Status = models.TransactionStatus(b.Status)
	d.ProcessingStatus = models.ProcessingQueued
	switch d.Type {
	case models.TypeSale:
	case models.TypeArchive:
		d.Status, d.ProcessingStatus = models.StatusArchived, models.ProcessingArchived
	case models.TypeFullCreditNote, models.TypePartialCreditNote, models.TypeTaxRefund:
		m.refund()
	}
	d.Epoch, d.Revision = 1, 1
	d.Date = convert.Instant(b.Date)
	if !b.ShopDate.IsZero() {
		d.ShopDate = convert.Optional(b.ShopDate.String())
	}
	d.RefundStatus = convert.Optional(string(b.RefundStatus))
	d.TaxRounding = convert.Optional(string(b.TaxRounding))
	if b.PricesIncludeTax && !d.Type.IsCredit() { // a refund is as its original
		d.GrossAmount = &decimal.Decimal{}
	}
	storePassthrough(d, b)
	d.Currency = b.Currency
	d.Marketplace = b.Marketplace
	d.ExemptSent = models.ExemptStatus(b.Exempt)
	d.Exempt = d.ExemptSent
	d.RelatedTo = convert.Optional(b.RelatedTo)
	d.Source = b.Source
	d.TaxID = convert.Optional(b.TaxID)
	d.City, d.County, d.State = convert.Optional(b.City), convert.Optional(b.County), convert.Optional(b.State)
	d.PostalCode, d.Country = convert.Optional(b.PostalCode), convert.Optional(b.Country)
	d.AddressStatus = tax.StatusUnverified
	d.CreatedAt, d.UpdatedAt = m.now, m.now
}

// refund checks the fields that only a credit note or a tax refund has.
func (m *draftMaker) refund() {
	b := m.body
	if b.TotalAmount.IsZero() {
		m.fault(models.FieldOutOfRange, "total_amount", "Must not be 0.")
	}
	switch models.TransactionStatus(b.Status) {
	case models.StatusPending, models.StatusCommitted, models.StatusCancelled:
	case models.StatusFullyRefunded, models.StatusPartiallyRefunded, models.StatusInvalid, models.StatusArchived:
		m.fault(models.FieldInvalidEnum, "status", "status must be one of PENDING, CANCELLED, COMMITTED.")
	}
	for i := range b.TransactionItems {
		if b.TransactionItems[i].DiscountBuilder != nil {
			m.fault(
				models.FieldNotAllowed, fmt.Sprintf("transaction_items[%d].discount_builder", i),
				"What is given back has no discount of its own.",
			)
		}
	}
}

// sent stores submitted values that processing will replace.
func (m *draftMaker) sent() {
	b := m.body
	m.d.Sent = models.SubmittedFields{
		City: b.City, County: b.County, State: b.State, PostalCode: b.PostalCode, Country: b.Country,
		TotalTaxAmountImported: b.TotalTaxAmountImported, TotalTaxAmountCalculated: b.TotalTaxAmountCalculated,
		TaxRateCalculated: b.TaxRateCalculated, TotalTaxLiabilityAmount: b.TotalTaxLiabilityAmount,
		TaxableAmount:      b.TaxableAmount,
		TaxLiabilitySource: models.TaxLiabilitySource(b.TaxLiabilitySource),
	}
	if len(b.Exemptions) > 0 {
		m.d.Sent.Exemptions = jsonOf(b.Exemptions)
	}
}

// money converts the amounts of the transaction.
func (m *draftMaker) money() {
	b, d := m.body, m.d
	d.TotalAmount = b.TotalAmount
	d.TotalTaxAmountImported, d.TaxRateImported = b.TotalTaxAmountImported, b.TaxRateImported
	d.TotalTaxAmountCalculated, d.TaxRateCalculated = b.TotalTaxAmountCalculated, b.TaxRateCalculated
	d.TotalTaxLiabilityAmount = b.TotalTaxLiabilityAmount
	d.TaxLiabilitySource = convert.Optional(models.TaxLiabilitySource(b.TaxLiabilitySource))
	d.TaxableAmount = b.TaxableAmount
}

// customerID sets the customer id from the request. An exemption names the customer of the transaction, so all ids
// of a request must be equal.
func (m *draftMaker) customerID(id, path string) {
	d := m.d
	switch {
	case id == "":
	case d.CustomerIDSent == "":
		d.CustomerIDSent, d.CustomerIDPath = id, path
	case d.CustomerIDSent != id:
		m.fault(
			models.FieldMismatch, path, "Another customer_id stands elsewhere in the request.",
			slices.Concat(keptExemptions, []string{"type", "customer.external_id"})...,
		)
	}
}

// customer converts the customer.
func (m *draftMaker) customer() {
	c := catalog.NewCustomer(models.Scope{OrganizationID: m.d.OrganizationID}, m.now, &m.body.Customer)
	m.d.Customer, m.d.CustomerID = c, c.ID
}

// addresses converts the addresses.
func (m *draftMaker) addresses() {
	m.d.Addresses = convert.ConvertAll(m.body.Addresses, addressDraft)
	for i := range m.d.Addresses {
		a := &m.d.Addresses[i]
		a.OrganizationID, a.TransactionID, a.ID = m.d.OrganizationID, m.d.ID, models.NewID(models.PrefixAddress)
	}
}

// addressDraft converts an address.
func addressDraft(a contract.TransactionAddressCreate) models.TransactionAddress {
	return models.TransactionAddress{
		Type: models.AddressType(a.Type), Street1: convert.OptionalAt(&a.Street1), Street2: convert.OptionalAt(&a.Street2),
		City:   convert.OptionalAt(&a.City),
		County: convert.OptionalAt(&a.County),
		State:  convert.OptionalAt(&a.State), PostalCode: convert.OptionalAt(&a.PostalCode), Country: convert.OptionalAt(&a.Country),
		FullAddress: convert.OptionalAt(&a.FullAddress),
		Phone:       convert.OptionalAt(&a.Phone), IsUnincorporated: a.IsUnincorporated, Status: tax.StatusUnverified,
		ConnectionID: convert.OptionalAt(&a.ConnectionID),
	}
}

// items converts the lines.
func (m *draftMaker) items() {
	m.d.Items = make([]models.TransactionItem, len(m.body.TransactionItems))
	for i := range m.body.TransactionItems {
		b := &m.body.TransactionItems[i]
		item := models.TransactionItem{
			OrganizationID: m.d.OrganizationID, TransactionID: m.d.ID, LineNo: i, ID: models.NewID(models.PrefixItem),
			Date: convert.Instant(b.Date), ExternalProductID: b.ExternalProductID, ExternalID: convert.Optional(b.ExternalID),
			Description: convert.Optional(b.Description), Product: convert.Optional(b.Product), ProductName: convert.Optional(b.ProductName),
			ProductDescription: convert.Optional(b.ProductDescription), Quantity: decimal.One, Amount: b.Amount,
			TaxAmountImported: convert.ValueOf(b.TaxAmountImported), TaxRateImported: b.TaxRateImported,
			TaxAmountCalculated: b.TaxAmountCalculated, TaxRateCalculated: b.TaxRateCalculated,
			TaxableAmount: b.TaxableAmount,
			ExemptSent:    b.Exempt, TaxExemptionSent: convert.Optional(string(b.TaxExemption)), Exempt: b.Exempt,
			TaxItems: make([]models.TaxItem, 0, len(b.TaxItems)), Sent: sentLine(b),
		}
		if b.Quantity != nil {
			item.Quantity = *b.Quantity
		}
		if fault := tradeInFault(i, b.Amount, b.TradeIn); fault != nil {
			m.faults = append(m.faults, *fault)
		}
		if b.ExemptionCategory != "" && !b.Exempt {
			m.faults = append(m.faults, models.Fault{
				Code: models.FieldNotAllowed, Path: fmt.Sprintf("transaction_items[%d].exemption_category", i),
				Message: "Only an exempt line has a category: send exempt as true, or leave it out.",
				Of:      []string{fmt.Sprintf("transaction_items[%d].exempt", i)},
			})
		}
		item.TaxExemption = item.TaxExemptionSent
		if item.Exempt && item.TaxExemption == nil {
			item.TaxExemption = convert.Optional(string(tax.ExemptionTransaction))
		}
		for _, t := range b.TaxItems {
			if t.Type == contract.TaxItemTypeCALCULATED {
				continue // Levy calculates its own
			}
			item.TaxItems = append(item.TaxItems, models.TaxItem{
				Type: string(t.Type), RuleID: t.RuleID, Name: t.Name, JurisdictionType: string(t.JurisdictionType),
				JurisdictionName: t.JurisdictionName, Rate: t.Rate, Amount: t.Amount,
				Reason:     string(contract.TaxReasonFROMIMPORT),
				ExternalID: t.ExternalID, Currency: t.Currency,
			})
		}
		m.d.Items[i] = item
	}
}

// discountsOf returns the discounts of the lines, nil for a line without discount.
func discountsOf(b *contract.TransactionCreate) []*models.Discount {
	discounts := make([]*models.Discount, len(b.TransactionItems))
	for i := range discounts {
		discounts[i] = discountDraft(b.TransactionItems[i].DiscountBuilder)
	}
	return discounts
}

// sums computes the sums of the lines.
func (m *draftMaker) sums() { m.faults = append(m.faults, rules.SumTransaction(&m.d.Transaction)...) }

// exemptions creates the exemptions that the request describes and links those that it names.
// paths are their paths in the request. An exemption is created only with the status ACTIVE.
func (m *draftMaker) exemptions(paths []string) {
	if r := m.body.RequiresExemption; r != nil {
		m.d.RequiresExemption = jsonOf(r)
		m.exemption("requires_exemption", &contract.TransactionExemptionCreate{
			ExemptionType: r.ExemptionType, StartDate: r.StartDate, EndDate: r.EndDate, Status: r.Status,
			Reseller:     r.Reseller,
			Jurisdiction: r.Jurisdiction, CountryCode: r.CountryCode, CustomerID: r.CustomerID, FEIN: r.FEIN,
			SalesTaxID: r.SalesTaxID, ExemptionCategory: r.ExemptionCategory,
		})
	}
	linked := map[string]bool{}
	for i := range m.body.Exemptions {
		e := &m.body.Exemptions[i]
		if e.ID == "" {
			m.exemption(paths[i], e)
		} else if !linked[e.ID] {
			linked[e.ID] = true
			m.d.LinkedExemptions = append(m.d.LinkedExemptions, models.LinkedExemption{
				ID: e.ID, Path: exemptionField(paths[i], "id"),
			})
		}
	}
}

// keptExemptions are the fields that decide which stored exemptions a change keeps.
var keptExemptions = []string{"exemptions[].id", "revision"}

// exemptionField returns the path of a field of an exemption, or the path of the list for an exemption that is not
// in the request.
func exemptionField(path, name string) string {
	if path == exemptionList {
		return path
	}
	return path + "." + name
}

// exemption converts one exemption.
func (m *draftMaker) exemption(path string, e *contract.TransactionExemptionCreate) {
	d := m.d
	m.customerID(e.CustomerID, exemptionField(path, "customer_id"))
	start := e.StartDate.Time
	if start.IsZero() {
		start = d.TaxDate
	}
	if !e.EndDate.IsZero() && e.EndDate.Before(start) {
		if e.StartDate.IsZero() { // the validator compares it with a submitted start_date
			m.fault(
				models.FieldMismatch, exemptionField(path, "end_date"),
				"The end_date of an exemption must not be before the tax date, which is its start_date unless sent.",
				slices.Concat(keptExemptions, []string{
					exemptionField(path, "start_date"), "date", "shop_date", "shop_date_tz", "type",
				})...,
			)
		}
		return
	}
	if e.Status != contract.ExemptionStatusACTIVE {
		return
	}
	id := models.NewID(models.PrefixExemption)
	d.Sent.Made = append(d.Sent.Made, id)
	d.Exemptions = append(d.Exemptions, models.Exemption{
		OrganizationID: d.OrganizationID, ID: id, ExemptionType: models.ExemptionType(e.ExemptionType),
		StartDate: start, EndDate: convert.OptionalDay(e.EndDate), TransactionID: &d.ID, CountryCode: e.CountryCode,
		Jurisdiction: convert.Optional(e.Jurisdiction), Reseller: e.Reseller, FEIN: convert.Optional(e.FEIN),
		SalesTaxID: convert.Optional(e.SalesTaxID), ExemptionCategory: convert.Optional(string(e.ExemptionCategory)),
		Status: models.ExemptionActive, CreatedAt: m.now,
	})
}
