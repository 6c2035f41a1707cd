// Package idempotency stores the answers to requests with an Idempotency-Key, so that each request runs once.
package idempotency

import (
	"levy/store/pg"
)

// Store reads and writes answers.
type Store struct {
	db *pg.DB
}

// New returns the store of answers on a database.
func New(db *pg.DB) *Store { return &Store{db: db} }
