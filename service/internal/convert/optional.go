package convert

// Optional returns a pointer to a submitted value, or nil for the zero value. The validator accepts no empty value
// in an optional field.
func Optional[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// ValueOf returns the value of an optional field, or the zero value, which answers leave out.
func ValueOf[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}
