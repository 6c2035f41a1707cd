// Package filings stores the returns of registrations: their claims, their way from UNFILED to FILED, their reports and
// their amendments.
package filings

import (
	"context"

	"levy/models"
	"levy/store/pg"
)

// Store reads and writes filings.
type Store struct {
	db            *pg.DB
	registrations Registrations
}

// Registrations reads the registrations of filings.
type Registrations interface {
	Registration(ctx context.Context, scope models.Scope, id string) (models.Registration, error)
}

// New returns the store of filings on a database.
func New(db *pg.DB, registrations Registrations) *Store {
	return &Store{db: db, registrations: registrations}
}
