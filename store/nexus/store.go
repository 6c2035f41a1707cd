// Package nexus stores where organizations are obliged to collect tax: counters of their
// sales, the records that are evaluated from them, physical presences.
package nexus

import (
	"levy/store/pg"
)

// Store reads and writes nexus.
type Store struct {
	db *pg.DB
}

// New returns the store of nexus on a database.
func New(db *pg.DB) *Store { return &Store{db: db} }
