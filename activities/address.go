package activities

import (
	"levy/models"
	"levy/tax"
)

// addressOfTransaction is the type under which the place fields of the transaction
// itself appear as the source of a place.
const addressOfTransaction = "TRANSACTION"

// decideAddress is stage 1 for one transaction: what is not to be processed ends
// here, everything else gets its destination and origin.
func decideAddress(t models.Transaction, resolve func(tax.Address) tax.Place) models.AddressOutcome {
	outcome := models.AddressOutcome{Ref: ref(t)}
	if to, reason, ends := endsBeforeProcessing(t); ends {
		outcome.To, outcome.Reason = to, reason
		return outcome
	}
	places := make(map[models.AddressType]tax.Place, len(t.Addresses))
	outcome.Statuses = make(map[models.AddressType]tax.AddressStatus, len(t.Addresses))
	for _, address := range t.Addresses {
		place := resolve(addressOf(address))
		place.AddressType = string(address.Type)
		places[address.Type] = place
		outcome.Statuses[address.Type] = place.Status
	}
	outcome.Place = destination(t, places, resolve)
	if origin, ok := places[models.ShipFrom]; ok && origin.Known() {
		outcome.Origin = &origin
	}
	if !outcome.Place.Known() {
		outcome.To, outcome.Reason = models.ProcessingNeedsRefetch, noPlace(outcome.Place)
		return outcome
	}
	outcome.To = models.ProcessingAddressDone
	return outcome
}

// endsBeforeProcessing decides by the merchant's status and the type whether the
// transaction is processed at all.
func endsBeforeProcessing(t models.Transaction) (to models.ProcessingStatus, reason string, ends bool) {
	switch t.Status {
	case models.StatusPending:
		return models.ProcessingPending, "The transaction is PENDING; it is processed once it is COMMITTED.", true
	case models.StatusCancelled, models.StatusInvalid:
		return models.ProcessingExcluded, "The transaction is " + string(t.Status) + " and takes no part in any calculation.", true
	case models.StatusArchived:
		return models.ProcessingArchived, "The transaction is archived.", true
	case models.StatusCommitted, models.StatusFullyRefunded, models.StatusPartiallyRefunded:
	}
	switch t.Type {
	case models.TypeArchive:
		return models.ProcessingArchived, "The transaction was stored for the archive only.", true
	case models.TypeFullCreditNote, models.TypePartialCreditNote, models.TypeTaxRefund:
		// A refund takes the rules and rates of its original, which no stage reads yet.
		return models.ProcessingNeedsRefetch, "Refunds are not calculated yet.", true
	case models.TypeSale:
	}
	return "", "", false
}

// destination is where the sale is delivered: SHIP_TO, else BILL_TO, else the
// place fields of the transaction. An address without any part counts as absent.
func destination(t models.Transaction, places map[models.AddressType]tax.Place, resolve func(tax.Address) tax.Place) tax.Place {
	for _, kind := range []models.AddressType{models.ShipTo, models.BillTo} {
		if place, ok := places[kind]; ok && place.Status != tax.StatusBlank {
			return place
		}
	}
	place := resolve(tax.Address{
		City: text(t.City), County: text(t.County), State: text(t.State),
		PostalCode: text(t.PostalCode), Country: text(t.Country),
	})
	place.AddressType = addressOfTransaction
	return place
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

func addressOf(a models.TransactionAddress) tax.Address {
	return tax.Address{
		Street1: text(a.Street1), Street2: text(a.Street2), City: text(a.City), County: text(a.County),
		State: text(a.State), PostalCode: text(a.PostalCode), Country: text(a.Country),
		FullAddress: text(a.FullAddress), Unincorporated: a.IsUnincorporated,
	}
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
