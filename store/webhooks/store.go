// Package webhooks stores endpoints of webhooks, and their deliveries with the result of each.
//
// A delivery is created from the feed when its endpoint has room for it (LeaseBatch). So a backlog costs nothing but
// the cursor of the endpoint. Due deliveries are leased before they are sent. If a worker dies in between,
// their result is unknown, and they are sent again after the lease.
package webhooks

import (
	"context"
	"time"

	"levy/store/events"
	"levy/store/pg"
)

// Store reads and writes endpoints and their deliveries.
type Store struct {
	db     *pg.DB
	events *events.Store
	pause  func(ctx context.Context, wait time.Duration) error
}

// New returns the store on a database.
func New(db *pg.DB, events *events.Store) *Store { return &Store{db, events, pause} }
