package rules

import (
	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
)

// addressOfTransaction is the type under which the place fields of the transaction
// itself appear as the source of a place.
const addressOfTransaction = "TRANSACTION"

// addressOfBusiness is the type under which the business address of the organization
// appears as the source of a place.
const addressOfBusiness = "BUSINESS"

// Locate resolves the addresses of a transaction. destination is where the sale is
// delivered: SHIP_TO, else BILL_TO, else the place fields of the transaction. If the
// settings allow it, the business address is the last choice. An address without any part
// counts as absent. origin is SHIP_FROM, else the business address; nil if neither is known.
// statuses has the status of each address.
func Locate(
	t models.Transaction, resolve func(tax.Address) tax.Place,
) (destination tax.Place, origin *tax.Place, statuses map[models.AddressType]tax.AddressStatus) {
	places := make(map[models.AddressType]tax.Place, len(t.Addresses))
	statuses = make(map[models.AddressType]tax.AddressStatus, len(t.Addresses))
	for _, address := range t.Addresses {
		place := resolve(addressParts(address))
		place.AddressType = string(address.Type)
		places[address.Type] = place
		statuses[address.Type] = place.Status
	}
	business, hasBusiness := businessPlace(t, resolve)
	if from, ok := places[models.ShipFrom]; ok && from.Known() {
		origin = &from
	} else if hasBusiness {
		origin = &business
	}
	for _, kind := range []models.AddressType{models.ShipTo, models.BillTo} {
		if place, ok := places[kind]; ok && place.Status != tax.StatusBlank {
			return place, origin, statuses
		}
	}
	destination = resolve(placeFields(t))
	destination.AddressType = addressOfTransaction
	if !destination.Known() && hasBusiness && t.Business.Fallback {
		return business, origin, statuses
	}
	return destination, origin, statuses
}

// businessPlace returns the place of the organization; false if it is not known.
func businessPlace(t models.Transaction, resolve func(tax.Address) tax.Place) (tax.Place, bool) {
	if t.Business == nil {
		return tax.Place{}, false
	}
	place := resolve(t.Business.Address)
	place.AddressType = addressOfBusiness
	return place, place.Known()
}

// AddressesOf lists every address that Locate may resolve, each on the tax date.
func AddressesOf(t models.Transaction) []tax.DatedAddress {
	addresses := make([]tax.DatedAddress, 0, len(t.Addresses)+1)
	for _, a := range t.Addresses {
		addresses = append(addresses, OnTaxDate(t, addressParts(a)))
	}
	if t.Business != nil {
		addresses = append(addresses, OnTaxDate(t, t.Business.Address))
	}
	return append(addresses, OnTaxDate(t, placeFields(t)))
}

// OnTaxDate is an address on the tax date.
func OnTaxDate(t models.Transaction, a tax.Address) tax.DatedAddress {
	return tax.DatedAddress{Address: a, Day: calendar.DateOf(t.TaxDate)}
}

// placeFields are the place fields of the transaction itself.
func placeFields(t models.Transaction) tax.Address {
	return tax.Address{
		City: text(t.City), County: text(t.County), State: text(t.State),
		PostalCode: text(t.PostalCode), Country: text(t.Country),
	}
}

func addressParts(a models.TransactionAddress) tax.Address {
	return tax.Address{
		Street1: text(a.Street1), Street2: text(a.Street2), City: text(a.City), County: text(a.County),
		State: text(a.State), PostalCode: text(a.PostalCode), Country: text(a.Country),
		FullAddress: text(a.FullAddress), Unincorporated: a.IsUnincorporated,
	}
}

// DecideAddress is stage 1 for one transaction. A transaction that is not to be processed ends here. Any other gets its
// destination and origin.
func DecideAddress(t models.Transaction, resolve func(tax.Address) tax.Place) models.AddressOutcome {
	outcome := models.AddressOutcome{Ref: t.Ref()}
	if to, reason, ends := endsBeforeProcessing(t); ends {
		outcome.To, outcome.Reason = to, reason
		return outcome
	}
	outcome.Place, outcome.Origin, outcome.Statuses = Locate(t, resolve)
	if t.Original != nil && t.Original.Place != nil { // its own addresses only get a status
		outcome.Place, outcome.Origin = *t.Original.Place, t.Original.Origin
	}
	if !outcome.Place.Known() {
		outcome.To, outcome.Reason = models.ProcessingNeedsRefetch, noPlace(outcome.Place)
		return outcome
	}
	outcome.To = models.ProcessingAddressDone
	return outcome
}

// endsBeforeProcessing decides by status and type whether the transaction ends without being processed.
func endsBeforeProcessing(t models.Transaction) (to models.ProcessingStatus, reason string, ends bool) {
	switch t.Status {
	case models.StatusPending:
		return models.ProcessingPending, "The transaction is PENDING; it is processed once it is COMMITTED.", true
	case models.StatusCancelled, models.StatusInvalid:
		return models.ProcessingExcluded, "The transaction is " + string(t.Status) +
			" and takes no part in any calculation.", true
	case models.StatusArchived:
		return models.ProcessingArchived, "The transaction is archived.", true
	case models.StatusCommitted, models.StatusFullyRefunded, models.StatusPartiallyRefunded:
	}
	switch t.Type {
	case models.TypeArchive:
		return models.ProcessingArchived, "The transaction was stored for the archive only.", true
	case models.TypeSale, models.TypeFullCreditNote, models.TypePartialCreditNote, models.TypeTaxRefund:
	}
	return "", "", false
}

func noPlace(place tax.Place) string {
	if place.Status == tax.StatusBlank {
		return "No address: the place of taxation is not known."
	}
	if place.Country == "" {
		return "The country of the destination is not certain."
	}
	return "The state of the destination is not certain."
}
