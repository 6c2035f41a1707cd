package validate

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"levy/models"
)

// compiler turns schemas of the document into schemas that check. It fails on everything that it would not check,
// so that the document never states more than the validator enforces.
type compiler struct {
	sources []string // values that the operator has added to the set of sources
	checks  map[string]Check
	choices map[string]choice // by their values; shared, because hundreds of fields name a country, a currency or a status
}

// choice is the set of values of a string, with their order in the document.
type choice struct {
	values map[string]struct{}
	listed []string
}

func (c *compiler) choice(values []any) choice {
	var listed []string
	for _, value := range values {
		if name, ok := value.(string); ok {
			listed = append(listed, name)
		}
	}
	key := strings.Join(listed, "\n")
	if _, known := c.choices[key]; !known {
		c.choices[key] = choice{values: set(values), listed: listed}
	}
	return c.choices[key]
}

func (c *compiler) schema(at string, spec *Schema) (*schema, error) {
	if spec == nil {
		return nil, fmt.Errorf("%s: no schema", at)
	}
	s := &schema{uniqueBy: -1, maxItems: math.MaxInt32, maxLength: math.MaxInt32}
	if len(spec.AllOf) > 0 {
		if len(spec.AllOf) != 1 || spec.Type != "" {
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
	s.nullable = s.nullable || spec.Nullable
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

func (c *compiler) kind(at string, spec *Schema, s *schema) error {
	if kind, ok := decimalKinds[spec.Format]; ok && len(spec.AnyOf) == 2 {
		s.kind, s.number, s.numberText = kindNumber, kind, true
		s.nullable = slices.ContainsFunc(spec.AnyOf, func(form *Schema) bool { return form.Nullable })
		return nil
	}
	if len(spec.AnyOf) > 0 || len(spec.OneOf) > 0 || spec.Not != nil {
		return fmt.Errorf("%s: a choice of schemas is not supported", at)
	}
	switch {
	case spec.Type == "object" && len(spec.Properties) > 0:
		s.kind = kindObject
		return c.object(at, spec, s)
	case spec.Type == "object":
		s.kind = kindAny
		return nil
	case spec.Type == "array":
		s.kind = kindArray
		s.minItems = spec.MinItems
		if spec.MaxItems != nil {
			s.maxItems = *spec.MaxItems
		}
		items, err := c.schema(at+"[]", spec.Items)
		s.items = items
		return err
	case spec.Type == "string":
		s.kind = kindString
		return c.string(at, spec, s)
	case spec.Type == "boolean":
		s.kind = kindBool
		return nil
	case spec.Type == "integer":
		s.kind = kindNumber
		s.number = decimalKind{integers: 18, whole: true}
		s.minimum, s.maximum = -999999999999999999, 999999999999999999
		if spec.Minimum != nil {
			s.bounded, s.minimum = true, int64(*spec.Minimum)
		}
		if spec.Maximum != nil {
			s.bounded, s.maximum = true, int64(*spec.Maximum)
		}
		return nil
	}
	return fmt.Errorf("%s: type %q is not supported", at, spec.Type)
}

func (c *compiler) object(at string, spec *Schema, s *schema) error {
	names := make([]string, 0, len(spec.Properties))
	for name, p := range spec.Properties {
		if p.Deprecated {
			if s.deprecated == nil {
				s.deprecated = map[string]struct{}{}
			}
			s.deprecated[name] = struct{}{}
		}
		if !p.Ignored {
			names = append(names, name)
			continue
		}
		if s.accepted == nil {
			s.accepted = map[string]struct{}{}
		}
		s.accepted[name] = struct{}{}
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
		s.props = append(s.props, property{
			name: name, member: []byte(strconv.Quote(name) + ":"), schema: inner,
			identifier: identifiers[name] && inner.kind == kindString,
		})
		s.byName[name] = int16(i)
		if slices.Contains(spec.Required, name) {
			s.required |= 1 << uint(i)
		}
	}
	return nil
}

func (c *compiler) string(at string, spec *Schema, s *schema) error {
	s.minLength = spec.MinLength
	if spec.MaxLength != nil {
		s.maxLength = *spec.MaxLength
	}
	values := slices.Clone(spec.Enum)
	if spec.Values != nil {
		values = slices.Clone(spec.Values)
		for _, source := range c.sources {
			values = append(values, source)
		}
	}
	if values != nil {
		s.fault = cmp.Or(spec.Fault, models.FieldInvalidEnum)
		shared := c.choice(values)
		s.values, s.listed = shared.values, shared.listed
	}
	if kind, ok := decimalKinds[spec.Format]; ok {
		s.number, s.format = kind, formatDecimal
	} else if spec.Format != "" {
		check, ok := formats[spec.Format]
		if !ok {
			return fmt.Errorf("%s: format %q is not supported", at, spec.Format)
		}
		s.format = check
		s.dayOnly = spec.Format == "shop-date"
		s.keepsOffset = spec.KeepsOffset
	}
	if spec.Pattern != "" && values == nil && spec.IDPrefix == nil {
		return fmt.Errorf("%s: pattern is not supported without x-values or x-id-prefix", at)
	}
	return nil
}

func (c *compiler) extensions(at string, spec *Schema, s *schema) error {
	// Settings that are absent here come from the wrapped schema.
	if spec.Update != nil {
		s.update = *spec.Update
	}
	if spec.NullClears != nil {
		s.nullClears = *spec.NullClears
	}
	if spec.Rows != nil {
		s.rows = *spec.Rows
	}
	if spec.Numbered != "" {
		if spec.NumberedMost == 0 {
			return fmt.Errorf("%s: x-numbered without x-numbered-most", at)
		}
		s.numbered = &numbered{spec.Numbered, spec.NumberedMost}
	}
	for filter := range spec.Misspelt {
		if _, known := s.byName[filter]; !known {
			return fmt.Errorf("%s: x-misspelt names %s, which is no field", at, filter)
		}
	}
	s.misspelt = spec.Misspelt
	s.maxBytes = cmp.Or(spec.MaxBytes, s.maxBytes)
	if spec.Least != nil {
		if *spec.Least != 0 {
			return fmt.Errorf("%s: x-minimum can only be 0", at)
		}
		s.notNegative = true
	}
	if spec.UniqueBy != "" {
		i, known := s.items.byName[spec.UniqueBy]
		if !known {
			return fmt.Errorf("%s: x-unique-by: no field %q", at, spec.UniqueBy)
		}
		s.uniqueBy = i
	}
	if spec.NotSent != nil {
		s.notSent = set(spec.NotSent)
	}
	if spec.Check != "" {
		s.checkObject = c.checks[spec.Check]
	}
	var err error
	if s.notBefore, err = parseMoment(spec.NotBefore, s.notBefore); err != nil {
		return fmt.Errorf("%s: %w", at, err)
	}
	if s.notAfter, err = parseMoment(spec.NotAfter, s.notAfter); err != nil {
		return fmt.Errorf("%s: %w", at, err)
	}
	return c.rules(at, spec.Rules, s)
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
func parseMoment(text string, inherited *moment) (*moment, error) {
	if text == "" {
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

// canonicalDefault returns a default in the form of a checked value. It returns an error if the default is invalid.
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
