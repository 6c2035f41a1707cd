package validate

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"levy/api/problem"

	"github.com/getkin/kin-openapi/openapi3"
)

// compiler turns schemas of the document into schemas that check. It fails on
// anything it would not check, so that the document never states more than the
// validator enforces.
type compiler struct {
	sources []string // values the operator added to the set of sources
}

func (c *compiler) schema(at string, ref *openapi3.SchemaRef) (*schema, error) {
	if ref == nil || ref.Value == nil {
		return nil, fmt.Errorf("%s: no schema", at)
	}
	spec := ref.Value
	s := &schema{uniqueBy: -1, maxItems: math.MaxInt32, maxLength: math.MaxInt32}
	if len(spec.AllOf) > 0 {
		if len(spec.AllOf) != 1 || spec.Type != nil {
			return nil, fmt.Errorf("%s: allOf may only wrap one schema", at)
		}
		inner, err := c.schema(at, spec.AllOf[0])
		if err != nil {
			return nil, err
		}
		*s = *inner
	} else if err := c.kind(at, spec, s); err != nil {
		return nil, err
	}
	s.nullable = spec.Nullable
	if err := c.extensions(at, spec, s); err != nil {
		return nil, err
	}
	if spec.Default != nil {
		def, err := c.canonicalDefault(s, spec.Default)
		if err != nil {
			return nil, fmt.Errorf("%s: default: %w", at, err)
		}
		s.def = def
	}
	return s, nil
}

func (c *compiler) kind(at string, spec *openapi3.Schema, s *schema) error {
	if kind, ok := decimalKinds[spec.Format]; ok && len(spec.AnyOf) == 2 {
		s.kind, s.number, s.numberText = kindNumber, kind, true
		return nil
	}
	if len(spec.AnyOf) > 0 || len(spec.OneOf) > 0 || spec.Not != nil {
		return fmt.Errorf("%s: a choice of schemas is not supported", at)
	}
	switch {
	case spec.Type.Is("object") && len(spec.Properties) > 0:
		s.kind = kindObject
		return c.object(at, spec, s)
	case spec.Type.Is("object"):
		s.kind = kindAny
		return nil
	case spec.Type.Is("array"):
		s.kind = kindArray
		s.minItems = int(spec.MinItems)
		if spec.MaxItems != nil {
			s.maxItems = int(*spec.MaxItems)
		}
		items, err := c.schema(at+"[]", spec.Items)
		s.items = items
		return err
	case spec.Type.Is("string"):
		s.kind = kindString
		return c.string(at, spec, s)
	case spec.Type.Is("boolean"):
		s.kind = kindBool
		return nil
	case spec.Type.Is("integer"):
		s.kind = kindNumber
		s.number = decimalKind{integers: 18, whole: true}
		s.minimum, s.maximum = -999999999999999999, 999999999999999999
		if spec.Min != nil {
			s.bounded, s.minimum = true, int64(*spec.Min)
		}
		if spec.Max != nil {
			s.bounded, s.maximum = true, int64(*spec.Max)
		}
		return nil
	}
	return fmt.Errorf("%s: type %v is not supported", at, spec.Type)
}

func (c *compiler) object(at string, spec *openapi3.Schema, s *schema) error {
	names := make([]string, 0, len(spec.Properties))
	for name, p := range spec.Properties {
		if p.Value.Deprecated {
			if s.deprecated == nil {
				s.deprecated = map[string]struct{}{}
			}
			s.deprecated[name] = struct{}{}
		}
		if ignored, _ := p.Value.Extensions["x-ignored"].(bool); !ignored {
			names = append(names, name)
			continue
		}
		if s.quiet == nil {
			s.quiet = map[string]struct{}{}
		}
		s.quiet[name] = struct{}{}
	}
	slices.Sort(names)
	if len(names) > 64 {
		return fmt.Errorf("%s: more than 64 fields", at)
	}
	s.byName = make(map[string]int16, len(names))
	for i, name := range names {
		inner, err := c.schema(at+"."+name, spec.Properties[name])
		if err != nil {
			return err
		}
		s.props = append(s.props, property{name: name, member: []byte(strconv.Quote(name) + ":"), schema: inner})
		s.byName[name] = int16(i)
		if slices.Contains(spec.Required, name) {
			s.required |= 1 << uint(i)
		}
	}
	return nil
}

func (c *compiler) string(at string, spec *openapi3.Schema, s *schema) error {
	s.minLength = int(spec.MinLength)
	if spec.MaxLength != nil {
		s.maxLength = int(*spec.MaxLength)
	}
	values := slices.Clone(spec.Enum)
	if own, ok := spec.Extensions["x-values"].([]any); ok {
		values = slices.Clone(own)
		for _, source := range c.sources {
			values = append(values, source)
		}
	}
	if values != nil {
		s.fault = problem.FieldInvalidEnum
		if code, ok := spec.Extensions["x-fault"].(string); ok {
			s.fault = code
		}
		s.values = make(map[string]struct{}, len(values))
		for _, value := range values {
			if name, ok := value.(string); ok {
				s.listed = append(s.listed, name)
				s.values[name] = struct{}{}
			}
		}
	}
	if spec.Format != "" {
		check, ok := formats[spec.Format]
		if !ok {
			return fmt.Errorf("%s: format %q is not supported", at, spec.Format)
		}
		s.format = check
		s.dayOnly = spec.Format == "shop-date"
	}
	_, id := spec.Extensions["x-id-prefix"]
	if spec.Pattern != "" && values == nil && !id {
		return fmt.Errorf("%s: pattern is not supported without x-values or x-id-prefix", at)
	}
	return nil
}

func (c *compiler) extensions(at string, spec *openapi3.Schema, s *schema) error {
	extensions := spec.Extensions
	if update, ok := extensions["x-update"].(bool); ok {
		s.update = update
	}
	if clears, ok := extensions["x-null-clears"].(bool); ok {
		s.nullClears = clears
	}
	if prefix, ok := extensions["x-numbered"].(string); ok {
		most, ok := extensions["x-numbered-most"].(float64)
		if !ok {
			return fmt.Errorf("%s: x-numbered without x-numbered-most", at)
		}
		s.numbered = &numbered{prefix, int(most)}
	}
	if rows, ok := extensions["x-rows"].(bool); ok {
		s.rows = rows
	}
	if most, ok := extensions["x-max-bytes"].(float64); ok {
		s.maxBytes = int(most)
	}
	if least, ok := extensions["x-minimum"].(float64); ok {
		if least != 0 {
			return fmt.Errorf("%s: x-minimum can only be 0", at)
		}
		s.notNegative = true
	}
	if name, ok := extensions["x-unique-by"].(string); ok {
		i, known := s.items.byName[name]
		if !known {
			return fmt.Errorf("%s: x-unique-by: no field %q", at, name)
		}
		s.uniqueBy = i
	}
	if values, ok := extensions["x-not-sent"].([]any); ok {
		s.notSent = set(values)
	}
	var err error
	if s.notBefore, err = parseMoment(extensions["x-not-before"], s.notBefore); err != nil {
		return fmt.Errorf("%s: %w", at, err)
	}
	if s.notAfter, err = parseMoment(extensions["x-not-after"], s.notAfter); err != nil {
		return fmt.Errorf("%s: %w", at, err)
	}
	return c.rules(at, extensions["x-rules"], s)
}

func set(values []any) map[string]struct{} {
	m := make(map[string]struct{}, len(values))
	for _, value := range values {
		if name, ok := value.(string); ok {
			m[name] = struct{}{}
		}
	}
	return m
}

// parseMoment reads "2006-01-02T15:04:05Z", "now" or "now+366d".
func parseMoment(value any, inherited *moment) (*moment, error) {
	text, ok := value.(string)
	if !ok {
		return inherited, nil
	}
	if rest, relative := strings.CutPrefix(text, "now"); relative {
		if rest == "" {
			return &moment{}, nil
		}
		days, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(rest, "+"), "d"))
		if err != nil {
			return nil, fmt.Errorf("moment %q: %w", text, err)
		}
		return &moment{after: time.Duration(days) * 24 * time.Hour}, nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return nil, fmt.Errorf("moment %q: %w", text, err)
	}
	return &moment{fixed: at}, nil
}

// canonicalDefault writes a default as a checked value is written.
func (c *compiler) canonicalDefault(s *schema, value any) ([]byte, error) {
	raw, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	v := &Run{checker: &Checker{}}
	if s.kind == kindArray {
		return raw, nil
	}
	v.body = raw
	if err := v.value(s, -1, 1); err != nil {
		return nil, err
	}
	v.check(s, 0)
	if len(v.faults) > 0 {
		return nil, fmt.Errorf("%s", v.faults[0].Message)
	}
	return v.out, nil
}
