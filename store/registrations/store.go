// Package registrations stores the registrations of organizations with tax authorities.
package registrations

import (
	"levy/store/pg"
)

// Store reads and writes registrations.
type Store struct {
	db *pg.DB
}

// New returns the store of registrations on a database.
func New(db *pg.DB) *Store { return &Store{db: db} }
