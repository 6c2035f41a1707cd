package nexus

// ReadSlices makes recounts read about this many rows at a time.
func (s *Store) ReadSlices(rows int) { s.sliceRows = rows }
