package audit

// SetResealRows sets after how many rows a batch of links that are sealed again ends early.
func (s *Store) SetResealRows(rows int64) { s.resealRows = rows }

// SetSlice sets the most rows and seals of a slice.
func (s *Store) SetSlice(rows int64, seals int) { s.sliceRows, s.sliceSeals = rows, seals }
