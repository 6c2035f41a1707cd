package validate

import "slices"

// Fixed are the fields that an object is created with, that its record shows, and that a change of it does not read,
// by name.
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

// bodyOf is what the body of an operation has to be, without fields where it has no JSON.
func bodyOf(o *Operation) *Schema {
	if o.RequestBody == nil || o.RequestBody.Content["application/json"] == nil {
		return &Schema{}
	}
	return o.RequestBody.Content["application/json"].Schema.only()
}

// only is the schema itself, or the single one that it consists of.
func (s *Schema) only() *Schema {
	for s != nil && len(s.AllOf) == 1 {
		s = s.AllOf[0]
	}
	if s == nil {
		return &Schema{}
	}
	return s
}
