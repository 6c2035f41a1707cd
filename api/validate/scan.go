package validate

import (
	"bytes"
	"slices"
)

// maxDepth is how deep objects and lists may be nested; the body itself is 1.
const maxDepth = 32

// scanner checks the whole body once, byte by byte, and records the values the
// schema knows. Everything else is only checked, so that a hostile body costs
// no memory.
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

// value reads one value. A nil schema means that nothing is recorded.
func (s *scanner) value(schema *schema, prop int16, depth int) error {
	if s.pos >= len(s.body) {
		return s.fail("the JSON ends too early.")
	}
	switch c := s.body[s.pos]; {
	case c == '{':
		return s.object(schema, prop, depth)
	case c == '[':
		return s.array(schema, prop, depth)
	case c == '"':
		start := s.pos + 1
		escaped, err := s.text()
		if err != nil {
			return err
		}
		if schema != nil {
			s.record(node{kind: nodeString, escaped: escaped, prop: prop, start: uint32(start), end: uint32(s.pos - 1)})
		}
		return nil
	case c == '-' || c >= '0' && c <= '9':
		start := s.pos
		if err := s.number(); err != nil {
			return err
		}
		if schema != nil {
			s.record(node{kind: nodeNumber, prop: prop, start: uint32(start), end: uint32(s.pos)})
		}
		return nil
	default:
		for _, literal := range literals {
			if bytes.HasPrefix(s.body[s.pos:], literal.text) {
				start := s.pos
				s.pos += len(literal.text)
				if schema != nil {
					s.record(node{kind: literal.kind, prop: prop, start: uint32(start), end: uint32(s.pos)})
				}
				return nil
			}
		}
		return s.fail("this is not a JSON value.")
	}
}

var literals = [...]struct {
	text []byte
	kind nodeKind
}{{[]byte("true"), nodeTrue}, {[]byte("false"), nodeFalse}, {[]byte("null"), nodeNull}}

func (s *scanner) object(schema *schema, prop int16, depth int) error {
	if depth > maxDepth {
		return s.fail("the nesting is too deep.")
	}
	self := len(s.tape)
	if schema != nil {
		s.record(node{kind: nodeObject, prop: prop, start: uint32(s.pos)})
	}
	known := schema.forKind(kindObject)
	first := len(s.keys)
	var seen map[uint64]struct{} // only for objects with many keys
	s.pos++
	s.space()
	for n := 0; ; n++ {
		if s.pos >= len(s.body) {
			return s.fail("the JSON ends too early.")
		}
		if s.body[s.pos] == '}' && n == 0 {
			break
		}
		if s.body[s.pos] != '"' {
			return s.fail("a field name in double quotes is expected.")
		}
		keyAt := s.pos
		escaped, err := s.text()
		if err != nil {
			return err
		}
		key, keyEnd := s.body[keyAt+1:s.pos-1], s.pos-1
		if escaped {
			key = unescape(nil, key)
		}
		if s.repeated(key, first, &seen) {
			return &syntaxError{offset: keyAt, reason: "the same field occurs twice in one object.", duplicate: true}
		}
		s.space()
		if s.pos >= len(s.body) || s.body[s.pos] != ':' {
			return s.fail("a colon is expected.")
		}
		s.pos++
		s.space()
		child, childProp := known.property(key)
		if known != nil && known.deprecated != nil {
			s.noteDeprecated(known, key)
		}
		if childProp < 0 && known != nil {
			s.unknown(known, key, keyAt+1, keyEnd)
		}
		if err := s.value(child, childProp, depth+1); err != nil {
			return err
		}
		s.space()
		if s.pos >= len(s.body) {
			return s.fail("the JSON ends too early.")
		}
		if s.body[s.pos] == '}' {
			break
		}
		if s.body[s.pos] != ',' {
			return s.fail("a comma or a closing brace is expected.")
		}
		s.pos++
		s.space()
		if s.pos < len(s.body) && s.body[s.pos] == '}' {
			return s.fail("a comma before the closing brace is not allowed.")
		}
	}
	s.pos++
	s.keys = s.keys[:first]
	s.close(schema, self)
	return nil
}

// noteDeprecated notes a field that will be removed.
func (s *scanner) noteDeprecated(in *schema, key []byte) {
	if _, ok := in.deprecated[string(key)]; ok && !slices.Contains(s.deprecated, string(key)) {
		s.deprecated = append(s.deprecated, string(key))
	}
}

// unknown notes a field that the object does not have, the first ones of a body, so that
// a hostile one costs no memory.
func (s *scanner) unknown(in *schema, key []byte, start, end int) {
	n := node{kind: nodeTrue, prop: propIgnored, start: uint32(start), end: uint32(end)}
	switch {
	case in.beyond(key):
		n.prop = propBeyond
	case s.ignored == maxIgnored || in.silent(key):
		return
	default:
		s.ignored++
	}
	s.record(n)
}

func (s *scanner) array(schema *schema, prop int16, depth int) error {
	if depth > maxDepth {
		return s.fail("the nesting is too deep.")
	}
	self := len(s.tape)
	if schema != nil {
		s.record(node{kind: nodeArray, prop: prop, start: uint32(s.pos)})
	}
	known := schema.forKind(kindArray)
	count := 0
	s.pos++
	s.space()
	for {
		if s.pos >= len(s.body) {
			return s.fail("the JSON ends too early.")
		}
		if s.body[s.pos] == ']' && count == 0 {
			break
		}
		item := known.item(count)
		count++
		if err := s.value(item, -1, depth+1); err != nil {
			return err
		}
		s.space()
		if s.pos >= len(s.body) {
			return s.fail("the JSON ends too early.")
		}
		if s.body[s.pos] == ']' {
			break
		}
		if s.body[s.pos] != ',' {
			return s.fail("a comma or a closing bracket is expected.")
		}
		s.pos++
		s.space()
		if s.pos < len(s.body) && s.body[s.pos] == ']' {
			return s.fail("a comma before the closing bracket is not allowed.")
		}
	}
	s.pos++
	s.close(schema, self)
	if schema != nil {
		s.tape[self].count = uint32(count)
	}
	return nil
}
