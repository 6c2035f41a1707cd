// Package content stores tax content: its versions, boundaries of jurisdictions, reference rates of currencies.
package content

import (
	"context"
	"sync/atomic"

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

// Calculator returns the calculation by the content with that name, from the cache of the process. It opens one if there
// is none. Errors: those of Cache.Version.
func (s *Store) Calculator(ctx context.Context, version string) (func(tax.Request) (tax.Result, error), error) {
	cache, err := s.cache(ctx)
	if err != nil {
		return nil, err
	}
	return cache.Calculator(ctx, version)
}

// InForce is the content in force, from the cache of the process. It opens one if there is none.
func (s *Store) InForce(ctx context.Context) (*tax.Content, error) {
	cache, err := s.cache(ctx)
	if err != nil {
		return nil, err
	}
	return cache.Current(), nil
}

func (s *Store) cache(ctx context.Context) (*Cache, error) {
	if cache := s.opened.Load(); cache != nil {
		return cache, nil
	}
	return s.OpenCache(ctx)
}
