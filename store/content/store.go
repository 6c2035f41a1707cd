// Package content stores tax content: its versions, boundaries of jurisdictions, reference rates of currencies.
package content

import (
	"context"

	"levy/store/pg"
)

// Store reads and writes tax content.
type Store struct {
	db    *pg.DB
	nexus Nexus
}

// Nexus is notified of new rules.
type Nexus interface {
	AllOrganizationsChanged(ctx context.Context) error
}

// New returns the store of tax content on a database.
func New(db *pg.DB, nexus Nexus) *Store { return &Store{db: db, nexus: nexus} }
