package validate

import (
	"bytes"
	"slices"
)

// maxDepth is the largest depth of objects and lists; that of the body is 1.
const maxDepth = 32

// scanner checks the whole body once, byte by byte, and records the values that the schema knows. It does not record
// other values, so that a hostile body costs no memory.
type scanner struct {
	body []byte
	pos  int
	tape []node
	keys []uint64 // folded hashes of the keys of the open objects
	fold []byte   // scratch: one folded key

	ignored    int      // unknown fields on the tape
	deprecated []string // names of fields that will be removed, each once
}

// scan reads a body whose top level must be an object.
func (s *scanner) scan(body []byte, schema *schema) error {
	s.body, s.pos, s.tape, s.keys, s.ignored, s.deprecated = body, 0, s.tape[:0], s.keys[:0], 0, s.deprecated[:0]
	if bytes.HasPrefix(body, []byte("\xef\xbb\xbf")) {
		return s.fail("a byte order mark is not allowed.")
	}
	s.space()
	if s.pos == len(body) {
		return s.fail("the body is empty.")
	}
	if body[s.pos] != '{' {
		return s.fail("the body must be a JSON object.")
	}
	if err := s.value(schema, -1, 1); err != nil {
		return err
	}
	s.space()
	if s.pos != len(body) {
		return s.fail("nothing may follow the object.")
	}
	return nil
}

func (s *scanner) fail(reason string) error { return &syntaxError{offset: s.pos, reason: reason} }

func (s *scanner) space() {
	for s.pos < len(s.body) {
		switch s.body[s.pos] {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return
		}
	}
}

// value reads one value. It records nothing if the schema is nil.
func (s *scanner) value(schema *schema, prop int16, depth int) error {
	if s.pos >= len(s.body) {
		return s.fail("the JSON ends too early.")
	}
	switch c := s.body[s.pos]; c {
	case '{':
		return s.object(schema, prop, depth)
	case '[':
		return s.array(schema, prop, depth)
	default:
		n, err := s.single(c)
		if err == nil && schema != nil {
			n.prop = prop
			s.record(n)
		}
		return err
	}
}

// single reads a value without entries that begins with c.
func (s *scanner) single(c byte) (node, error) {
	start := uint32(s.pos)
	switch {
	case c == '"':
		escaped, err := s.text()
		return node{kind: nodeString, escaped: escaped, start: start + 1, end: uint32(s.pos - 1)}, err
	case c == '-' || c >= '0' && c <= '9':
		err := s.number()
		return node{kind: nodeNumber, start: start, end: uint32(s.pos)}, err
	}
	for _, literal := range literals {
		if bytes.HasPrefix(s.body[s.pos:], literal.text) {
			s.pos += len(literal.text)
			return node{kind: literal.kind, start: start, end: uint32(s.pos)}, nil
		}
	}
	return node{}, s.fail("this is not a JSON value.")
}

var literals = [...]struct {
	text []byte
	kind nodeKind
}{{[]byte("true"), nodeTrue}, {[]byte("false"), nodeFalse}, {[]byte("null"), nodeNull}}

func (s *scanner) object(schema *schema, prop int16, depth int) error {
	self, err := s.open(nodeObject, schema, prop, depth)
	if err != nil {
		return err
	}
	known := schema.forKind(kindObject)
	first := len(s.keys)
	var seen map[uint64]struct{} // for objects with many keys only
	for ended := s.take('}'); !ended; {
		if err := s.field(known, first, &seen, depth); err != nil {
			return err
		}
		if ended, err = s.next('}', "brace"); err != nil {
			return err
		}
	}
	s.keys = s.keys[:first]
	s.close(schema, self)
	return nil
}

// field reads a name and its value. first is the index in keys of the first name of the object.
func (s *scanner) field(known *schema, first int, seen *map[uint64]struct{}, depth int) error {
	if s.pos >= len(s.body) {
		return s.fail("the JSON ends too early.")
	}
	if s.body[s.pos] != '"' {
		return s.fail("a field name in double quotes is expected.")
	}
	start := s.pos
	escaped, err := s.text()
	if err != nil {
		return err
	}
	end := s.pos - 1
	key := s.body[start+1 : end]
	if escaped {
		key = unescape(nil, s.body[start:s.pos])
	}
	if s.repeated(key, first, seen) {
		return &syntaxError{offset: start, reason: "the same field occurs twice in one object.", duplicate: true}
	}
	s.space()
	if !s.take(':') {
		return s.fail("a colon is expected.")
	}
	s.space()
	child, prop := known.property(key)
	if known != nil && known.deprecated != nil {
		s.noteDeprecated(known, key)
	}
	if prop < 0 && known != nil {
		s.unknown(known, key, start+1, end)
	}
	return s.value(child, prop, depth+1)
}

// noteDeprecated records a field that will be removed.
func (s *scanner) noteDeprecated(in *schema, key []byte) {
	if _, ok := in.deprecated[string(key)]; ok && !slices.Contains(s.deprecated, string(key)) {
		s.deprecated = append(s.deprecated, string(key))
	}
}

// unknown records a field that the object does not have. It records the first ones of a body only,
// so that a hostile body costs no memory.
func (s *scanner) unknown(in *schema, key []byte, start, end int) {
	n := node{kind: nodeTrue, prop: propIgnored, start: uint32(start), end: uint32(end)}
	switch {
	case in.isNumberTooHigh(key):
		n.prop = propTooHigh
	// guard: contract: a misspelt filter is refused
	case in.filterMeant(key) != "":
		n.prop = propMisspelt
	case s.ignored == maxIgnored || in.isAccepted(key):
		return
	default:
		s.ignored++
	}
	s.record(n)
}

func (s *scanner) array(schema *schema, prop int16, depth int) error {
	self, err := s.open(nodeArray, schema, prop, depth)
	if err != nil {
		return err
	}
	known := schema.forKind(kindArray)
	count := 0
	for ended := s.take(']'); !ended; count++ {
		if err := s.value(known.item(count), -1, depth+1); err != nil {
			return err
		}
		if ended, err = s.next(']', "bracket"); err != nil {
			return err
		}
	}
	s.close(schema, self)
	if schema != nil {
		s.tape[self].count = uint32(count)
	}
	return nil
}

// open begins an object or a list and returns its index on the tape.
func (s *scanner) open(kind nodeKind, schema *schema, prop int16, depth int) (self int, err error) {
	if depth > maxDepth {
		return 0, s.fail("the nesting is too deep.")
	}
	self = len(s.tape)
	if schema != nil {
		s.record(node{kind: kind, prop: prop, start: uint32(s.pos)})
	}
	s.pos++
	s.space()
	return self, nil
}

// next moves to the next entry of an object or a list. It reports whether there is none.
func (s *scanner) next(closing byte, called string) (ended bool, err error) {
	s.space()
	if s.pos >= len(s.body) {
		return false, s.fail("the JSON ends too early.")
	}
	if s.take(closing) {
		return true, nil
	}
	if !s.take(',') {
		return false, s.fail("a comma or a closing " + called + " is expected.")
	}
	s.space()
	if s.pos < len(s.body) && s.body[s.pos] == closing {
		return false, s.fail("a comma before the closing " + called + " is not allowed.")
	}
	return false, nil
}

// take reads a sign, if it is next.
func (s *scanner) take(sign byte) bool {
	if s.pos >= len(s.body) || s.body[s.pos] != sign {
		return false
	}
	s.pos++
	return true
}
