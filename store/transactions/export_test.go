package transactions

import (
	"context"

	"levy/models"
)

// OutcomeOf asks for the fate of a group that ended in cause, by the id of its
// database transaction.
func OutcomeOf(s *Store, xid string, member *models.TransactionDraft, cause error) error {
	return s.outcomeOf(context.Background(), xid, cause, selectTransactionExists, member.OrganizationID, member.ID)
}

// Leases are the statements of Lease, by whether they are for the background.
var Leases = leases
