// Package organizations stores organizations with their details, keys and settings, and the onboarding that fills them.
package organizations

import (
	"levy/store/pg"
)

// Store reads and writes organizations.
type Store struct {
	db *pg.DB
}

// New returns the store of organizations on a database.
func New(db *pg.DB) *Store { return &Store{db: db} }
