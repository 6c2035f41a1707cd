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

// OptionalAt is Optional for a value that stays where it is: it allocates nothing.
func OptionalAt[T comparable](p *T) *T {
	var zero T
	if *p == zero {
		return nil
	}
	return p
}

// ValueOf returns the value of an optional field, or the zero value, which answers leave out.
func ValueOf[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}
