package transactions

import (
	"levy/contract"
	"levy/models"
	"levy/service/internal/convert"
)

// Passthrough fields decide nothing: Levy stores them and returns them as submitted. A new one needs a line in each
// of these three functions and no other change in this package.

// storePassthrough stores the submitted fields.
func storePassthrough(d *models.TransactionDraft, b *contract.TransactionCreate) {
	d.ShopDateTZ = convert.Optional(b.ShopDateTz)
	d.Description = convert.Optional(b.Description)
	d.SecondaryExternalID = convert.Optional(b.SecondaryExternalID)
	d.SecondarySource = convert.Optional(b.SecondarySource)
	d.ExternalFriendlyID = convert.Optional(b.ExternalFriendlyID)
	d.ConnectionID = convert.Optional(b.ConnectionID)
}

// passthroughAfter adds the fields that an update omits to the request of the new version.
func passthroughAfter(b *contract.TransactionCreate, sent *contract.TransactionUpdate, stored *models.Transaction) {
	b.ShopDateTz = cleared(sent.ShopDateTz, convert.ValueOf(stored.ShopDateTZ))
	b.Description = cleared(sent.Description, convert.ValueOf(stored.Description))
	b.SecondaryExternalID = cleared(convert.KeepOptional(sent.SecondaryExternalID, stored.SecondaryExternalID),
		convert.ValueOf(stored.SecondaryExternalID))
	b.SecondarySource = cleared(sent.SecondarySource, convert.ValueOf(stored.SecondarySource))
	b.ExternalFriendlyID = cleared(convert.KeepOptional(sent.ExternalFriendlyID, stored.ExternalFriendlyID),
		convert.ValueOf(stored.ExternalFriendlyID))
	b.ConnectionID = cleared(sent.ConnectionID, convert.ValueOf(stored.ConnectionID))
}

// answerPassthrough adds the fields to an answer.
func answerPassthrough(a *contract.Transaction, t *models.Transaction) {
	a.ShopDateTz = convert.ValueOf(t.ShopDateTZ)
	a.Description = convert.ValueOf(t.Description)
	a.SecondaryExternalID = convert.ValueOf(t.SecondaryExternalID)
	a.SecondarySource = convert.ValueOf(t.SecondarySource)
	a.ExternalFriendlyID = convert.ValueOf(t.ExternalFriendlyID)
	a.ConnectionID = convert.ValueOf(t.ConnectionID)
}
