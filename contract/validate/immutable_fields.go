package validate

import "slices"

// Fixed returns the names of the fields that only the creation of an object sets. The record shows them,
// and a change of the object does not read them.
func Fixed(create, change *Operation) []string {
	if create == nil || change == nil {
		return nil
	}
	var fixed []string
	changed, shown := bodyOf(change), recordOf(change).only()
	for name, property := range bodyOf(create).Properties {
		if _, changes := changed.Properties[name]; !changes && !property.Ignored && shown.Properties[name] != nil {
			fixed = append(fixed, name)
		}
	}
	slices.Sort(fixed)
	return fixed
}

// bodyOf returns the schema of the body of an operation. It has no fields if the body is not JSON.
func bodyOf(o *Operation) *Schema {
	if o.RequestBody == nil || o.RequestBody.Content["application/json"] == nil {
		return &Schema{}
	}
	return o.RequestBody.Content["application/json"].Schema.only()
}

// only returns the schema itself, or the single one that it wraps.
func (s *Schema) only() *Schema {
	for s != nil && len(s.AllOf) == 1 {
		s = s.AllOf[0]
	}
	if s == nil {
		return &Schema{}
	}
	return s
}
