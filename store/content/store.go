// Package content stores tax content: its versions, boundaries of jurisdictions, reference rates of currencies.
package content

import (
	"context"
	"sync/atomic"

	"levy/models"
	"levy/store/pg"
	"levy/tax"
)

// Store reads and writes tax content.
type Store struct {
	db     *pg.DB
	nexus  Nexus
	opened atomic.Pointer[Cache] // that of the process
}

// Nexus is notified of new rules.
type Nexus interface {
	AllOrganizationsChanged(ctx context.Context) error
}

// New returns the store of tax content on a database.
func New(db *pg.DB, nexus Nexus) *Store { return &Store{db: db, nexus: nexus} }

// Use lets Calculator read from a cache. OpenCache calls it.
func (s *Store) Use(c *Cache) { s.opened.Store(c) }

// Calculator returns the calculation by the content with that name, from the cache of the process. Errors: those of
// Cache.Version, models.ErrNotFound also in a process without a cache.
func (s *Store) Calculator(ctx context.Context, version string) (func(tax.Request) (tax.Result, error), error) {
	if cache := s.opened.Load(); cache != nil {
		return cache.Calculator(ctx, version)
	}
	return nil, models.ErrNotFound
}
