package authority

import (
	"context"

	"levy/models"
)

// Documents are the stored documents of attempts.
type Documents interface {
	// DocumentOfAttempt reads the document of an attempt. Errors: models.ErrNotFound.
	DocumentOfAttempt(ctx context.Context, scope models.Scope, attempt models.Attempt) (models.FilingDocument, error)
}

// DocumentOf reads the document of a submission. Errors: those of Documents.
func DocumentOf(ctx context.Context, documents Documents, key models.AuthorityKey) (models.FilingDocument, error) {
	return documents.DocumentOfAttempt(ctx, models.Scope{OrganizationID: key.OrganizationID},
		models.Attempt{RecordID: key.RecordID, Number: key.Attempt})
}

// NotConnected is the reason of a return that an authority did not take because of the one who signs in.
const NotConnected = "AUTHORITY_NOT_CONNECTED"

// Incomplete is the answer to a return without a document: nothing is handed over.
var Incomplete = models.AuthorityAnswer{
	Outcome: models.AuthorityRejected, Reason: models.BlockerReturnIncomplete,
	Message: "The return has no document, so nothing was sent. Its findings say what is missing.",
}
