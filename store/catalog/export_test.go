package catalog

import (
	"strconv"

	"levy/models"
)

// GatheredProducts is the number of names that wait for the next statement of saleProducts.
func GatheredProducts(s *Store) int {
	s.saleProducts.mu.Lock()
	defer s.saleProducts.mu.Unlock()
	if s.saleProducts.next == nil {
		return 0
	}
	return len(s.saleProducts.next.names)
}

// Kept adds a product for each of these organizations to a cache with the given bounds. It returns the number of
// records in memory by organization, and the bytes of all.
func Kept(ofOne, ofAll int, organizationIDs ...string) (records map[string]int, bytes int) {
	k := newRecordCache(ofOne, ofAll)
	for i, id := range organizationIDs {
		k.addProduct(id, 1, models.Product{ExternalID: strconv.Itoa(i), TaxClass: "PHYSICAL"})
	}
	records, counted := map[string]int{}, 0
	for _, id := range k.organizations.Keys() {
		o, _ := k.organizations.Peek(id)
		records[id], counted = o.records.Len(), counted+o.bytes
	}
	if counted != k.bytes {
		panic("the bytes of all are not those of each")
	}
	return records, k.bytes
}

// KeptBytes returns the bytes that a product counts for in memory.
func KeptBytes(p models.Product) int {
	k := newRecordCache(1<<20, 1<<20)
	k.addProduct("a", 1, p)
	return k.bytes
}
