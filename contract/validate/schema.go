package validate

import (
	"bytes"
	"time"
)

type schemaKind uint8

const (
	kindAny schemaKind = iota // any JSON object of the client
	kindObject
	kindArray
	kindString
	kindBool
	kindNumber // decimal or integer, see schema.number
)

// schema is a schema of the contract that is prepared for checking: names are quoted and sets are maps.
type schema struct {
	kind     schemaKind
	nullable bool
	// nullClears passes on a null that is sent for this field, even if its object is not an update.
	nullClears bool
	def        []byte // canonical default; nil = none

	// objects
	props       []property
	byName      map[string]int16
	required    uint64 // bit n = props[n]
	update      bool   // fields that are sent as null are passed on
	rules       []rule
	checkObject Check               // check of the service; nil for none
	numbered    *numbered           // fields with numbers in their names, up to a limit
	misspelt    misspelt            // names that stand for a filter
	accepted    map[string]struct{} // fields that are accepted without a warning and never read
	deprecated  map[string]struct{} // fields that will be removed; nil for none
	maxBytes    int

	// lists
	items    *schema
	minItems int
	maxItems int
	uniqueBy int16 // property of the items that must differ; -1 = none
	rows     bool  // each item has its own result

	// strings
	minLength int
	maxLength int
	values    map[string]struct{}
	listed    []string // the values, in the order of the document
	fault     string   // code of a value that is not in values
	notSent   map[string]struct{}
	format    format
	dayOnly   bool // of a date-time only the day as written is used

	keepsOffset bool // a date-time is passed on with its offset

	// numbers
	number      decimalKind
	numberText  bool // a string that holds a number is accepted
	notNegative bool
	minimum     int64
	maximum     int64
	bounded     bool

	// instants, days and integers that represent one
	notBefore *moment
	notAfter  *moment
}

type property struct {
	name   string
	member []byte // the quoted name with its colon
	schema *schema
	// identifier means that white space around the text is no part of it.
	identifier bool
}

// moment is a fixed instant, or now plus a duration.
type moment struct {
	fixed time.Time
	after time.Duration
}

func (m *moment) at(now time.Time) time.Time {
	if m.fixed.IsZero() {
		return now.Add(m.after)
	}
	return m.fixed
}

type ruleKind uint8

const (
	ruleRequired         ruleKind = iota // fields must be present
	ruleNotNegative                      // numbers must be 0 or more
	ruleUnread                           // fields are not read, and reported as ignored
	ruleExclusive                        // at most one of the fields may be present
	ruleOrdered                          // the first is not later than the second
	ruleWithinOneDay                     // two dates are at most a day apart
	ruleJurisdiction                     // a country, and a state of it that is known
	ruleJurisdictionCode                 // the same for the code of a state; the code of the country means all of it
)

// rule is a condition on several fields of an object.
type rule struct {
	kind    ruleKind
	fields  [][]int16 // paths of properties
	names   []string
	when    int16 // property whose value selects the objects of the rule; -1: all
	values  map[string]struct{}
	with    int16 // property whose presence the rule needs; -1 = none
	unless  int16 // property whose presence suspends the rule; -1: none
	message string
}

// forKind returns the schema if it describes that kind of container, otherwise nil.
func (s *schema) forKind(kind schemaKind) *schema {
	if s == nil || s.kind != kind {
		return nil
	}
	return s
}

// numbered is a family of fields such as owner1_name, with a largest number.
type numbered struct {
	prefix string
	max    int
}

// isNumberTooHigh reports whether a field belongs to the family and its number is too high.
func (s *schema) isNumberTooHigh(name []byte) bool {
	if s == nil || s.numbered == nil {
		return false
	}
	rest, ok := bytes.CutPrefix(name, []byte(s.numbered.prefix))
	if !ok {
		return false
	}
	text, field, ok := bytes.Cut(rest, []byte("_"))
	n, numeric := digits(text)
	return ok && numeric && len(text) > 0 && len(text) < 9 && (n < 1 || n > s.numbered.max) && plainName(field)
}

// isAccepted reports whether a field that is never read needs no warning. This is so if the contract names it as
// ignored, or if answers have it.
func (s *schema) isAccepted(name []byte) bool {
	_, ok := s.accepted[string(name)]
	return ok
}

// acceptFieldsOf accepts the fields of an answer in a request without a warning. A body that was built from an answer
// has them.
func (s *schema) acceptFieldsOf(answer *Schema) {
	answer = answer.only()
	switch {
	case s.kind == kindArray && answer.Items != nil:
		s.items.acceptFieldsOf(answer.Items)
	case s.kind == kindObject:
		for name, property := range answer.Properties {
			if i, known := s.byName[name]; known {
				s.props[i].schema.acceptFieldsOf(property)
				continue
			}
			if s.accepted == nil {
				s.accepted = map[string]struct{}{}
			}
			s.accepted[name] = struct{}{}
		}
	}
}

// plainName reports whether a name from the client may appear in an answer.
func plainName(name []byte) bool {
	for _, c := range name {
		if c != '_' && (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
	}
	return len(name) > 0 && len(name) <= 64
}

// property finds a field by its exact name.
func (s *schema) property(name []byte) (*schema, int16) {
	if s == nil {
		return nil, -1
	}
	i, ok := s.byName[string(name)]
	if !ok {
		return nil, -1
	}
	return s.props[i].schema, i
}

// item returns the schema of an element of a list. It returns nil for an element after the limit of the list.
func (s *schema) item(index int) *schema {
	if s == nil || index >= s.maxItems {
		return nil
	}
	return s.items
}
