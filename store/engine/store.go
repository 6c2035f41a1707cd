// Package engine holds what is known of the workflow engine from outside of it: when it was last
// checked, what waits for it, of all kinds of records, and which authorities its activities do not reach.
package engine

import (
	"levy/models"
	"levy/store/pg"
)

// LongestPause is the longest time by which a check is put off.
const LongestPause = models.HeartbeatEvery

// Store reads and writes the checks, and makes records due.
type Store struct {
	db *pg.DB
}

// New returns the store of checks on a database.
func New(db *pg.DB) *Store { return &Store{db: db} }
