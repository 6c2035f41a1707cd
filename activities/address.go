package activities

import (
	"context"

	"levy/models"
	"levy/tax"
)

// decideAddress is stage 1 for one transaction: what is not to be processed ends
// here, everything else gets its destination and origin.
func decideAddress(t models.Transaction, resolve func(tax.Address) tax.Place) models.AddressOutcome {
	outcome := models.AddressOutcome{Ref: ref(t)}
	if to, reason, ends := endsBeforeProcessing(t); ends {
		outcome.To, outcome.Reason = to, reason
		return outcome
	}
	outcome.Place, outcome.Origin, outcome.Statuses = t.Locate(resolve)
	if t.Original != nil && t.Original.Place != nil { // its own addresses are looked at, but decide nothing
		outcome.Place, outcome.Origin = *t.Original.Place, t.Original.Origin
	}
	if !outcome.Place.Known() {
		outcome.To, outcome.Reason = models.ProcessingNeedsRefetch, noPlace(outcome.Place)
		return outcome
	}
	outcome.To = models.ProcessingAddressDone
	return outcome
}

// locate resolves every address of a batch at once.
func (p *Processing) locate(ctx context.Context, transactions []models.Transaction) (map[tax.DatedAddress]tax.Place, error) {
	var addresses []tax.DatedAddress
	for _, t := range transactions {
		addresses = append(addresses, t.Located()...)
	}
	if len(addresses) == 0 { // none of the batch waits for this stage any more
		return nil, nil
	}
	return p.engine.Locate(ctx, addresses)
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

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
