package validate

import (
	"bytes"
	"time"
)

type schemaKind uint8

const (
	kindAny schemaKind = iota // a JSON object of the client's own
	kindObject
	kindArray
	kindString
	kindBool
	kindNumber // decimal or integer, see schema.number
)

// schema is a schema of the contract, made ready for checking. Everything that
// can be prepared is: names are quoted, sets are maps, messages are written.
type schema struct {
	kind     schemaKind
	nullable bool
	// nullClears: as a field it is handed on when it is sent as null, whatever its object is.
	nullClears bool
	def        []byte // canonical default; nil = none

	// objects
	props       []property
	byName      map[string]int16
	required    uint64 // bit n = props[n]
	update      bool   // a field that is sent as null is handed on
	rules       []rule
	checkObject Check               // what the service checks itself; nil for nothing
	numbered    *numbered           // fields with numbers in their names that end somewhere
	accepted    map[string]struct{} // fields that are accepted, never read, and no mistake
	deprecated  map[string]struct{} // fields that will be removed; nil for none
	maxBytes    int

	// lists
	items    *schema
	minItems int
	maxItems int
	uniqueBy int16 // property of the items that must differ; -1 = none
	rows     bool  // the items stand alone

	// strings
	minLength int
	maxLength int
	values    map[string]struct{}
	listed    []string // the values, in the order of the document
	fault     string   // code of a value that is not in values
	notSent   map[string]struct{}
	format    format
	dayOnly   bool // of a date-time only the day as written counts

	// numbers
	number      decimalKind
	numberText  bool // a string that holds a number is accepted
	notNegative bool
	minimum     int64
	maximum     int64
	bounded     bool

	// instants, days and integers that stand for one
	notBefore *moment
	notAfter  *moment
}

type property struct {
	name   string
	member []byte // the quoted name with its colon
	schema *schema
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
	ruleUnread                           // fields are not read, and named as ignored
	ruleExclusive                        // at most one of the fields may be present
	ruleOrdered                          // the first is not later than the second
	ruleWithinOneDay                     // two dates are at most a day apart
	ruleJurisdiction                     // a country, and a state of it that is known
	ruleJurisdictionCode                 // the same, where the state has to be a code; the country's stands for all of it
)

// rule is a condition on several fields of an object.
type rule struct {
	kind    ruleKind
	fields  [][]int16 // paths of properties
	names   []string
	when    int16 // property whose value decides; -1 = always
	values  map[string]struct{}
	with    int16 // property whose presence the rule needs; -1 = none
	unless  int16 // property whose presence lifts the rule; -1 = none
	message string
}

// forKind is the schema when it describes that kind of container, else nil.
func (s *schema) forKind(kind schemaKind) *schema {
	if s == nil || s.kind != kind {
		return nil
	}
	return s
}

// numbered is a family of fields such as owner1_name, of which there are most.
type numbered struct {
	prefix string
	max    int
}

// isNumberTooHigh reports whether a field belongs to the family and has too high a number.
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

// isAccepted reports whether a field that is never read is no mistake: one that the contract
// names as ignored, or one that answers have.
func (s *schema) isAccepted(name []byte) bool {
	_, ok := s.accepted[string(name)]
	return ok
}

// acceptFieldsOf takes the fields of an answer for no mistakes in a request: a body made from
// what was read has them.
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

// plainName reports whether a name of the client's own may stand in an answer.
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

// item is the schema of a list's element, nil beyond the list's limit.
func (s *schema) item(index int) *schema {
	if s == nil || index >= s.maxItems {
		return nil
	}
	return s.items
}
