package catalog

// GatheredProducts is how many names wait for the next statement of saleProducts.
func GatheredProducts(s *Store) int {
	s.saleProducts.mu.Lock()
	defer s.saleProducts.mu.Unlock()
	if s.saleProducts.next == nil {
		return 0
	}
	return len(s.saleProducts.next.externalIDs)
}
