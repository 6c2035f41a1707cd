package validate

import (
	"fmt"
	"strings"
)

var ruleKinds = map[string]ruleKind{
	"required": ruleRequired, "not-negative": ruleNotNegative, "unread": ruleUnread, "exclusive": ruleExclusive,
	"ordered": ruleOrdered, "within-one-day": ruleWithinOneDay, "jurisdiction": ruleJurisdiction,
	"jurisdiction-code": ruleJurisdictionCode,
}

func (c *compiler) rules(at string, specs []ruleSpec, s *schema) error {
	for _, spec := range specs {
		kind, ok := ruleKinds[spec.Kind]
		if !ok || len(spec.Fields) == 0 || kind >= ruleExclusive && len(spec.Fields) != 2 || len(spec.When) > 1 {
			return fmt.Errorf("%s: x-rules: %q is not a rule", at, spec.Kind)
		}
		r := rule{kind: kind, names: spec.Fields, when: -1, with: -1, unless: -1, message: spec.Message}
		for _, field := range spec.Fields {
			path, err := s.path(field)
			if err != nil {
				return fmt.Errorf("%s: x-rules: %w", at, err)
			}
			r.fields = append(r.fields, path)
		}
		for field, values := range spec.When {
			path, err := s.path(field)
			if err != nil {
				return fmt.Errorf("%s: x-rules: %w", at, err)
			}
			r.when, r.values = path[0], set(values)
		}
		for _, condition := range []struct {
			field string
			to    *int16
		}{{spec.With, &r.with}, {spec.Unless, &r.unless}} {
			if condition.field == "" {
				continue
			}
			path, err := s.path(condition.field)
			if err != nil {
				return fmt.Errorf("%s: x-rules: %w", at, err)
			}
			*condition.to = path[0]
		}
		s.rules = append(s.rules, r)
	}
	return nil
}

// path returns the indexes of the fields of a dotted name, also through lists. It returns an error if a field does not
// exist.
func (s *schema) path(dotted string) ([]int16, error) {
	var path []int16
	for _, name := range strings.Split(dotted, ".") {
		if s.kind == kindArray {
			s = s.items
		}
		i, ok := s.byName[name]
		if !ok {
			return nil, fmt.Errorf("no field %q in %q", name, dotted)
		}
		path = append(path, i)
		s = s.props[i].schema
	}
	return path, nil
}
