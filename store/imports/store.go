// Package imports stores files of transactions during their import: the pieces of the file, the position in it, and the
// rejected rows.
package imports

import (
	"context"

	"levy/models"
	"levy/store/pg"
)

// Store reads and writes imports.
type Store struct {
	db           *pg.DB
	transactions Transactions
}

// Transactions is the intake of the rows of a file.
type Transactions interface {
	Accept(ctx context.Context, drafts []*models.TransactionDraft) []error
	AcceptRefund(ctx context.Context, scope models.Scope, draft *models.RefundDraft) (waits bool, err error)
}

// New returns the store of imports on a database.
func New(db *pg.DB, transactions Transactions) *Store {
	return &Store{db: db, transactions: transactions}
}
