package models

import (
	"slices"

	"levy/tax"
)

// addressOfTransaction is the type under which the place fields of the transaction
// itself appear as the source of a place.
const addressOfTransaction = "TRANSACTION"

// addressOfBusiness is the type under which the business address of the organization
// appears as the source of a place.
const addressOfBusiness = "BUSINESS"

// Business is the business address of an organization.
type Business struct {
	Address tax.Address
	// Fallback tells that it stands for the destination of a sale without a usable
	// address.
	Fallback bool
}

// Locate resolves the addresses of a transaction. The destination is where the sale
// is delivered: SHIP_TO, else BILL_TO, else the place fields of the transaction, else,
// where the settings say so, the business address; an address without any part counts
// as absent. origin is SHIP_FROM, else the business address, nil when neither is
// known. statuses are the verdicts on all addresses.
func (t Transaction) Locate(resolve func(tax.Address) tax.Place) (destination tax.Place, origin *tax.Place, statuses map[AddressType]tax.AddressStatus) {
	places := make(map[AddressType]tax.Place, len(t.Addresses))
	statuses = make(map[AddressType]tax.AddressStatus, len(t.Addresses))
	for _, address := range t.Addresses {
		place := resolve(address.parts())
		place.AddressType = string(address.Type)
		places[address.Type] = place
		statuses[address.Type] = place.Status
	}
	business, hasBusiness := t.businessPlace(resolve)
	if from, ok := places[ShipFrom]; ok && from.Known() {
		origin = &from
	} else if hasBusiness {
		origin = &business
	}
	for _, kind := range []AddressType{ShipTo, BillTo} {
		if place, ok := places[kind]; ok && place.Status != tax.StatusBlank {
			return place, origin, statuses
		}
	}
	destination = resolve(t.parts())
	destination.AddressType = addressOfTransaction
	if !destination.Known() && hasBusiness && t.Business.Fallback {
		return business, origin, statuses
	}
	return destination, origin, statuses
}

// businessPlace is where the organization is; false when that is not known.
func (t Transaction) businessPlace(resolve func(tax.Address) tax.Place) (tax.Place, bool) {
	if t.Business == nil {
		return tax.Place{}, false
	}
	place := resolve(t.Business.Address)
	place.AddressType = addressOfBusiness
	return place, place.Known()
}

// Located lists every address that Locate may ask for, each on the tax date.
func (t Transaction) Located() []tax.DatedAddress {
	addresses := make([]tax.DatedAddress, 0, len(t.Addresses)+1)
	for _, a := range t.Addresses {
		addresses = append(addresses, t.On(a.parts()))
	}
	if t.Business != nil {
		addresses = append(addresses, t.On(t.Business.Address))
	}
	return append(addresses, t.On(t.parts()))
}

// On is an address on the tax date.
func (t Transaction) On(a tax.Address) tax.DatedAddress {
	return tax.DatedAddress{Address: a, Day: tax.DateOf(t.TaxDate)}
}

// parts are the place fields of the transaction itself.
func (t Transaction) parts() tax.Address {
	return tax.Address{
		City: textOf(t.City), County: textOf(t.County), State: textOf(t.State),
		PostalCode: textOf(t.PostalCode), Country: textOf(t.Country),
	}
}

func (a TransactionAddress) parts() tax.Address {
	return tax.Address{
		Street1: textOf(a.Street1), Street2: textOf(a.Street2), City: textOf(a.City), County: textOf(a.County),
		State: textOf(a.State), PostalCode: textOf(a.PostalCode), Country: textOf(a.Country),
		FullAddress: textOf(a.FullAddress), Unincorporated: a.IsUnincorporated,
	}
}

func textOf(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// TaxRequest is what the engine is asked about a transaction whose place is known
// and whose exemptions are decided.
func TaxRequest(t Transaction, rounding tax.RoundingUnit) tax.Request {
	request := tax.Request{
		TaxDate:     tax.DateOf(t.TaxDate),
		Currency:    t.Currency,
		Destination: *t.Place,
		Origin:      t.Origin,
		Marketplace: t.Marketplace,
		Rounding:    rounding,
		CustomerVAT: t.Customer.validVAT(),
		Lines:       make([]tax.Line, 0, len(t.Items)),

		BelowUnionThreshold: t.belowUnionThreshold(),
	}
	for _, item := range t.Items {
		request.Lines = append(request.Lines, tax.Line{
			ID:                item.ID,
			ExternalID:        textOf(item.ExternalID),
			ExternalProductID: item.ExternalProductID,
			Class:             item.TaxClass,
			Classification:    item.Classification,
			Amount:            item.Amount,
			Discount:          item.TotalDiscount,
			Quantity:          item.Quantity,
			Exempt:            exemptOf(item),
		})
	}
	return request
}

// TaxingState is the country and state whose law applies: those of the destination,
// but those of the seller where a sale across the European Union is taxed at home.
// Where a sale in the United States is taxed at its origin, that lies in the same state.
func (t Transaction) TaxingState() (country, state string) {
	if t.atHome() {
		return t.Origin.Country, ""
	}
	return t.DeliveredTo()
}

// atHome of a refund is as it was for its original, whatever the obligations are since.
func (t Transaction) atHome() bool {
	if t.Type.IsCredit() {
		return t.Original != nil && t.Original.TaxedAtHome && t.Origin != nil
	}
	if t.Place == nil || t.Origin == nil {
		return false
	}
	sale := tax.Request{
		TaxDate: tax.DateOf(t.TaxDate), Destination: *t.Place, Origin: t.Origin, CustomerVAT: t.Customer.validVAT(),
		BelowUnionThreshold: t.belowUnionThreshold(),
	}
	return sale.TaxedAtHome()
}

// belowUnionThreshold reports whether the organization sells from the member state in
// which it is to another in which it has no obligation on the tax date: neither through
// the Union's threshold or one-stop shop nor of that state's own.
func (t Transaction) belowUnionThreshold() bool {
	if t.Place == nil || t.Origin == nil || t.Origin.Country != t.Home || t.Place.Country == t.Home {
		return false
	}
	day := tax.DateOf(t.TaxDate)
	return tax.UnionMember(t.Home, day) && !slices.ContainsFunc(t.Obligations, func(o NexusObligation) bool {
		return o.Exists(day) && o.Place().Counts(t.Place.Country, t.Place.State, t.Home, day)
	})
}

// validVAT lists the countries in which the customer has a well-formed VAT id.
func (c Customer) validVAT() (countries []string) {
	for _, r := range c.TaxRegistrations {
		if tax.ValidTaxID(r.CountryCode, "vat", r.TaxID) && (r.TaxType == "vat" || r.TaxType == "unknown") && !slices.Contains(countries, r.CountryCode) {
			countries = append(countries, r.CountryCode)
		}
	}
	return countries
}

// exemptOf is the decision of stage 2 in the engine's words. It already looked at
// country and state.
func exemptOf(item TransactionItem) *tax.Exempt {
	if !item.Exempt {
		return nil
	}
	exempt := &tax.Exempt{TaxExemption: tax.TaxExemption(textOf(item.TaxExemption)), ExemptionID: textOf(item.ExemptionID)}
	switch exempt.TaxExemption {
	case tax.ExemptionProduct:
		exempt.Reason = tax.ReasonProductExempt
	case tax.ExemptionCustomer, tax.ExemptionWholesale:
		exempt.Reason = tax.ReasonCustomerExempt
	case tax.ExemptionReverseCharge:
		exempt.Reason = tax.ReasonReverseCharge
	case tax.ExemptionExport:
		exempt.Reason = tax.ReasonExport
	case tax.ExemptionTransaction, tax.ExemptionRegion, tax.ExemptionZeroRate, tax.ExemptionHighValue,
		tax.ExemptionZeroValue, tax.ExemptionNoRuleFound:
		exempt.Reason = tax.ReasonTransactionExempt
	default: // a reason only clients use
		exempt.Reason = tax.ReasonTransactionExempt
	}
	return exempt
}
