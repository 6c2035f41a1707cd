package audit

// SetSlice sets the most rows and seals of a slice.
func (s *Store) SetSlice(rows int64, seals int) { s.sliceRows, s.sliceSeals = rows, seals }
