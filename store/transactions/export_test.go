package transactions

import (
	"context"

	"levy/models"
)

// OutcomeOf finds the outcome of a group that ended in cause, by the id of its database transaction.
func OutcomeOf(s *Store, xid string, member *models.TransactionDraft, cause error) error {
	return s.outcomeOf(context.Background(), xid, cause, selectTransactionExists, member.OrganizationID, member.ID)
}

// Leases are the statements of leases, by their purpose.
var Leases = map[string]string{"others": leaseStatement, "background": leaseBackground, "sent": leaseRecent}

// EndsWork is a stage that does nothing but end the pending work of transactions.
func EndsWork(refs []models.Ref) (sql string, args []any) {
	ends := prepareStage(startStage+stageTail+cacheForeignKeyPlans, refRows)
	return ends.SQL, ends.Values([]any{[]string{"ACCEPTED"}, 1, "", ""}, refRows.Of(refs))
}
