// Package catalog stores the products, customers and exemptions of merchants, with the certificates of exemptions.
package catalog

import (
	"levy/store/pg"
)

// Store reads and writes the catalogue of an organization.
type Store struct {
	db *pg.DB

	cache        *recordCache
	saleProducts *saleProducts
}

// New returns the store of the catalogue on a database.
func New(db *pg.DB) *Store {
	cache := newRecordCache(cacheOfOne, cacheOfAll)
	return &Store{db: db, cache: cache, saleProducts: newSaleProducts(db, cache)}
}
