// Package engine stores the times of the checks of Temporal, and which authorities its activities do not reach. It
// finds the records of all kinds that need a run, and makes them due.
package engine

import (
	"levy/models"
	"levy/store/pg"
)

// LongestPause is the longest time until a check is due again.
const LongestPause = models.HeartbeatEvery

// Store reads and writes the checks, and makes records due.
type Store struct {
	db *pg.DB
}

// New returns the store of checks on a database.
func New(db *pg.DB) *Store { return &Store{db: db} }
