package validate

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

type nodeKind uint8

const (
	nodeObject nodeKind = iota
	nodeArray
	nodeString
	nodeNumber
	nodeTrue
	nodeFalse
	nodeNull
)

// node is one value of the body on the tape of the scanner. The children of a container follow it;
// next is the index after them.
type node struct {
	kind    nodeKind
	escaped bool   // string with backslashes
	prop    int16  // index in the properties of the parent's schema; -1 inside a list
	start   uint32 // raw bytes of the value; without the quotes of a string
	end     uint32
	next    uint32 // tape index after this value
	count   uint32 // elements of a list, also those that are not on the tape
}

// propTooHigh marks a field with too high a number in its name. The node holds its name instead of its value.
const propTooHigh = -2

// propIgnored marks a field that the contract does not know. The node holds its name as well.
const propIgnored = -3

// propMisspelt marks a field whose name stands for a filter. The node holds its name as well.
const propMisspelt = -4

// syntaxError is the reason why a body is not acceptable JSON. It names a position, never a part of the body.
type syntaxError struct {
	offset    int
	reason    string
	duplicate bool // equal keys in one object
}

func (e *syntaxError) Error() string { return fmt.Sprintf("offset %d: %s", e.offset, e.reason) }

// position describes the position of the error in the body for people.
func (e *syntaxError) position(body []byte) string {
	before := body[:min(e.offset, len(body))]
	line := bytes.Count(before, []byte{'\n'}) + 1
	column := utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
	return fmt.Sprintf("Line %d, column %d: %s", line, column, e.reason)
}

func (s *scanner) record(n node) {
	n.next = uint32(len(s.tape) + 1)
	s.tape = append(s.tape, n)
}

func (s *scanner) close(schema *schema, self int) {
	if schema != nil {
		s.tape[self].end = uint32(s.pos)
		s.tape[self].next = uint32(len(s.tape))
	}
}
