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
)

// Store reads and writes transactions.
type Store struct {
	db      *pg.DB
	filings Filings
}

// Filings amends filings when one of their transactions is processed late.
type Filings interface {
	AmendAfter(ctx context.Context, late int64, of []models.Ref)
}

// New returns the store of transactions on a database.
func New(db *pg.DB, filings Filings) *Store { return &Store{db: db, filings: filings} }
