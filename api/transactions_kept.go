package api

import (
	"levy/contract"
	"levy/models"
)

// What a client says of a transaction and Levy only keeps: nothing is decided by it, and answers show it as it was
// sent. A new field of this kind is a line in each of these three functions, and nothing else of this package.

// keepTexts stores what a request says.
func keepTexts(d *models.TransactionDraft, b *contract.TransactionCreate) {
	d.ShopDateTZ = optional(b.ShopDateTz)
	d.Description = optional(b.Description)
	d.SecondaryExternalID = optional(b.SecondaryExternalID)
	d.SecondarySource = optional(b.SecondarySource)
	d.ExternalFriendlyID = optional(b.ExternalFriendlyID)
	d.ConnectionID = optional(b.ConnectionID)
}

// keptTextsAfter completes the request that would have created a new version: what an update leaves out stays.
func keptTextsAfter(b *contract.TransactionCreate, sent *contract.TransactionUpdate, stored *models.Transaction) {
	b.ShopDateTz = cleared(sent.ShopDateTz, valueOf(stored.ShopDateTZ))
	b.Description = cleared(sent.Description, valueOf(stored.Description))
	b.SecondaryExternalID = cleared(sent.SecondaryExternalID, valueOf(stored.SecondaryExternalID))
	b.SecondarySource = cleared(sent.SecondarySource, valueOf(stored.SecondarySource))
	b.ExternalFriendlyID = cleared(sent.ExternalFriendlyID, valueOf(stored.ExternalFriendlyID))
	b.ConnectionID = cleared(sent.ConnectionID, valueOf(stored.ConnectionID))
}

// showTexts completes an answer.
func showTexts(a *contract.Transaction, t *models.Transaction) {
	a.ShopDateTz = valueOf(t.ShopDateTZ)
	a.Description = valueOf(t.Description)
	a.SecondaryExternalID = valueOf(t.SecondaryExternalID)
	a.SecondarySource = valueOf(t.SecondarySource)
	a.ExternalFriendlyID = valueOf(t.ExternalFriendlyID)
	a.ConnectionID = valueOf(t.ConnectionID)
}
