package validate

import "levy/contract/problem"

// RefusedRow is a refused entry of a list in which each entry has its own result, with its problem.
type RefusedRow struct {
	Index      int
	ExternalID *string // nil if the row has none that can be read
	Problem    *problem.Problem
}

// row checks an entry that has its own result: its faults are not faults of the request.
func (v *Run) row(s *schema, at uint32, index int) {
	faults, truncated, start := v.faults, v.truncated, len(v.out)
	v.faults, v.truncated = nil, false
	v.checkAll(s, at)
	if refusal := v.problem(); refusal != nil {
		v.refused = append(v.refused, RefusedRow{index, v.externalID(s, at), refusal})
		v.out = append(v.out[:start], "null"...)
	}
	v.faults, v.truncated = faults, truncated
}

// externalID returns the external_id of an object, or nil if it has none that is valid.
func (v *Run) externalID(s *schema, at uint32) *string {
	prop, known := s.byName["external_id"]
	if !known {
		return nil
	}
	field := v.find(at, prop)
	if field == 0 || v.tape[field].kind != nodeString {
		return nil
	}
	text := string(v.textOf(&v.tape[field]))
	if len([]rune(text)) > s.props[prop].schema.maxLength {
		return nil
	}
	return &text
}
