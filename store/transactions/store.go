// Package transactions stores transactions from their intake through the four stages to PROCESSED, their outbox, lists,
// revisions and credit notes.
//
// The first word of a file names its part: intake_* accepts, stage_* loads and saves the stages, list_* finds,
// counts and orders lists. The files transactions_* read single records, credit_notes_* refund and archive_* archive
// them.
package transactions

import (
	"context"

	"levy/models"
	"levy/store/pg"
	"levy/tax"
)

// Store reads and writes transactions.
type Store struct {
	db      *pg.DB
	filings Filings
	laws    Laws
}

// Filings amends filings when one of their transactions is processed late.
type Filings interface {
	AmendAfter(ctx context.Context, late int64, of []models.Ref)
}

// Laws are the contents by their versions. Errors: models.ErrNotFound.
type Laws interface {
	Calculator(ctx context.Context, version string) (func(tax.Request) (tax.Result, error), error)
}

// New returns the store of transactions on a database.
func New(db *pg.DB, filings Filings, laws Laws) *Store {
	return &Store{db: db, filings: filings, laws: laws}
}
