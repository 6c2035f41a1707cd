// Package webhooks stores where events are sent and what became of each: endpoints, and their deliveries.
//
// A delivery is made from the feed when its endpoint has room for it (LeaseBatch), so that a backlog costs nothing but
// the cursor of the endpoint. What is due is leased before it is sent: who dies in between has not said what became of
// it, and it is sent once more when the lease is over.
package webhooks

import (
	"levy/store/events"
	"levy/store/pg"
)

// Store reads and writes endpoints and their deliveries.
type Store struct {
	db     *pg.DB
	events *events.Store
}

// New returns the store on a database.
func New(db *pg.DB, events *events.Store) *Store { return &Store{db, events} }
