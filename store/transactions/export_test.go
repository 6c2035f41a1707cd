package transactions

import (
	"context"
	"strings"

	"levy/models"
)

// OutcomeOf finds the outcome of a group that ended in cause, by the id of its database transaction.
func OutcomeOf(s *Store, xid string, member *models.TransactionDraft, cause error) error {
	return s.outcomeOf(context.Background(), xid, cause, selectTransactionExists, member.OrganizationID, member.ID)
}

// Leases are the statements of leases, by their purpose.
var Leases = map[string]string{"others": leases, "background": leaseBackground, "sent": leaseSent}

// EndsWork is a stage that does nothing but end the pending work of transactions.
var EndsWork = strings.Replace(queueStarted, stageJournal, stageTail, 1)
