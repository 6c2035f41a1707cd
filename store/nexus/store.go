// Package nexus stores where organizations must collect tax: counters of their sales, the records evaluated from them,
// and physical presences.
package nexus

import (
	"levy/store/pg"
)

// Store reads and writes nexus.
type Store struct {
	db        *pg.DB
	sliceRows int // of recounts
}

// New returns the store of nexus on a database.
func New(db *pg.DB) *Store { return &Store{db: db, sliceRows: sliceRows} }
