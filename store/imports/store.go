// Package imports stores files of transactions and of entries of filings during their import. It has the pieces of the
// file, the position in it, and the rejected rows.
package imports

import (
	"context"

	"levy/models"
	"levy/store/pg"
	"levy/tax/calendar"
)

// Store reads and writes imports.
type Store struct {
	db           *pg.DB
	transactions Transactions
	filings      Filings
}

// Transactions is the intake of the rows of a file.
type Transactions interface {
	Accept(ctx context.Context, drafts []*models.TransactionDraft) []error
	AcceptRefund(ctx context.Context, scope models.Scope, draft *models.RefundDraft) (waits bool, err error)
}

// Filings are the returns to which the rows of a file add entries.
type Filings interface {
	Filing(ctx context.Context, scope models.Scope, id string) (models.Filing, error)
	FilingsOfPeriod(ctx context.Context, scope models.Scope, country, state string,
		start, end calendar.Date) ([]models.Filing, error)
	EntryByExternalID(ctx context.Context, scope models.Scope, externalID string) (models.FilingEntry, error)
	UpdateFiling(ctx context.Context, scope models.Scope, actor models.Actor, id string,
		change func(*models.Filing) error) (models.Filing, error)
}

// New returns the store of imports on a database.
func New(db *pg.DB, transactions Transactions, filings Filings) *Store {
	return &Store{db: db, transactions: transactions, filings: filings}
}
