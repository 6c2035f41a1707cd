package validate

import (
	"bytes"
	"context"
	"strconv"
	"time"

	"levy/contract/problem"
	"levy/models"
)

// Run is the state of one check. It is reused.
type Run struct {
	scanner
	checker   *Checker
	ctx       context.Context // of the request, for the checks of the service
	now       time.Time
	out       []byte      // canonical body
	params    []byte      // canonical query parameters
	in        models.Part // the part of the request that is being checked
	place     []step      // the place in that part
	faults    []models.Fault
	truncated bool
	refused   []RefusedRow
	compared  int    // number of values outside a set that were compared with those of the set
	ignored   []byte // ignored fields of the body, in the form of a header
	scratch   []byte // one unescaped string
	spare     []byte // one number that is read a second time
	raw       []byte // the string being checked, as sent
}

// step is one part of a place: a name, or an index when name is empty.
type step struct {
	name  string
	index int
}

// fault records a fault at the current place.
func (v *Run) fault(code, message string) { v.note(code, "", message) }

// note records a fault at a place in the current one, such as transaction_items[0].amount.
func (v *Run) note(code, within, message string) {
	if len(v.faults) >= problem.MaxFieldErrors {
		v.truncated = true
		return
	}
	path := models.JoinPath(string(appendPlace(nil, v.place)), within)
	v.faults = append(v.faults, models.Fault{Code: code, In: v.in, Path: path, Message: message})
}

// appendPlace writes the path of a place, such as transaction_items[0].amount.
func appendPlace(b []byte, place []step) []byte {
	for i, s := range place {
		if s.name == "" {
			b = append(b, '[')
			b = strconv.AppendInt(b, int64(s.index), 10)
			b = append(b, ']')
			continue
		}
		if i > 0 {
			b = append(b, '.')
		}
		b = append(b, s.name...)
	}
	return b
}

func (v *Run) faultAt(name, code, message string) {
	v.enter(name)
	v.fault(code, message)
	v.leave()
}

func (v *Run) enter(name string) { v.place = append(v.place, step{name: name}) }
func (v *Run) enterIndex(i int)  { v.place = append(v.place, step{index: i}) }
func (v *Run) leave()            { v.place = v.place[:len(v.place)-1] }

func (v *Run) bytesOf(n *node) []byte { return v.body[n.start:n.end] }

// textOf returns the text of a string node without escapes. The result is valid until the next call.
func (v *Run) textOf(n *node) []byte {
	if !n.escaped {
		return v.bytesOf(n)
	}
	v.scratch = append(append(append(v.scratch[:0], '"'), v.bytesOf(n)...), '"') // its own may be further away
	quoted := v.scratch
	v.scratch = unescape(quoted, quoted)
	return v.scratch[len(quoted):]
}

// absent reports whether an optional field counts as not sent.
func absent(n *node) bool { return n.kind == nodeNull || n.kind == nodeString && n.start == n.end }

// check validates a value and writes its canonical form.
func (v *Run) check(s *schema, at uint32) {
	n := &v.tape[at]
	switch s.kind {
	case kindObject:
		if n.kind != nodeObject {
			v.fault(models.FieldInvalidType, "Must be an object.")
			return
		}
		v.object(s, at)
	case kindArray:
		if n.kind != nodeArray {
			v.fault(models.FieldInvalidType, "Must be a list.")
			return
		}
		v.list(s, at)
	case kindString:
		if n.kind != nodeString {
			v.fault(models.FieldInvalidType, "Must be a text.")
			return
		}
		v.raw = v.bytesOf(n)
		v.string(s, v.textOf(n))
	case kindBool:
		if n.kind != nodeTrue && n.kind != nodeFalse {
			v.fault(models.FieldInvalidType, "Must be true or false.")
			return
		}
		v.out = append(v.out, v.bytesOf(n)...)
	case kindNumber:
		if n.kind != nodeNumber && (n.kind != nodeString || !s.numberText) {
			v.fault(models.FieldInvalidType, numberTypeMessage(s))
			return
		}
		v.number(s, v.textOf(n), n.kind == nodeString)
	case kindAny:
		if n.kind != nodeObject {
			v.fault(models.FieldInvalidType, "Must be an object.")
			return
		}
		if s.maxBytes > 0 && int(n.end-n.start) > s.maxBytes {
			v.fault(models.FieldTooLong, "Must not be larger than "+strconv.Itoa(s.maxBytes)+" bytes.")
			return
		}
		if !hasBoundedNumbers(v.bytesOf(n)) {
			v.fault(models.FieldOutOfRange, "A number in it is too large or too long.")
			return
		}
		v.out = append(v.out, v.bytesOf(n)...)
	}
}

func (v *Run) object(s *schema, at uint32) {
	var got uint64
	v.out = append(v.out, '{')
	end := v.tape[at].next
	for i := at + 1; i < end; i = v.tape[i].next {
		n := &v.tape[i]
		if n.kind == nodeString && n.prop >= 0 && s.props[n.prop].identifier {
			v.trimIdentifier(n, s.needs(n.prop))
		}
		switch {
		case n.prop == propIgnored:
			v.ignore(v.bytesOf(n))
		case n.prop == propTooHigh:
			v.faultAt(
				string(v.bytesOf(n)), models.FieldTooMany,
				"There can be at most "+strconv.Itoa(s.numbered.max)+".",
			)
		case n.prop == propMisspelt:
			name := v.nameOf(n)
			v.faultAt(string(name), models.FieldNotAllowed,
				"There is no such field; the nearest is "+s.filterMeant(name)+".")
		case absent(n):
			got |= v.absentField(s, &s.props[n.prop], n, 1<<uint(n.prop))
		default:
			v.field(s, n.prop, i)
			got |= 1 << uint(n.prop)
		}
	}
	v.missing(s, got)
	for i := range s.rules {
		v.rule(s, &s.rules[i], at)
	}
	v.out = append(v.out, '}')
}

// field checks a field that was sent.
func (v *Run) field(s *schema, prop int16, at uint32) {
	n, p := &v.tape[at], &s.props[prop]
	v.enter(p.name)
	if s.needs(prop) && n.kind == nodeString && p.schema.kind == kindString && isBlank(v.textOf(n)) {
		v.fault(models.FieldMissing, p.name+" is required and must not be blank.")
	} else {
		start, faults := len(v.out), len(v.faults)
		v.member(p)
		v.check(p.schema, at)
		v.removeValue(start, faults)
	}
	v.leave()
}

// needs reports whether a text of a field must not be blank.
func (s *schema) needs(prop int16) bool {
	return s.required&(1<<uint(prop)) != 0 || s.update && s.props[prop].schema.minLength > 0
}

// missing reports the required fields that are missing, and writes the defaults of others. got are the fields that need
// no further check.
func (v *Run) missing(s *schema, got uint64) {
	for i := range s.props {
		p, bit := &s.props[i], uint64(1)<<uint(i)
		if got&bit != 0 {
			continue
		}
		if s.required&bit != 0 {
			v.faultAt(p.name, models.FieldMissing, p.name+" is required.")
		}
		if p.schema.def != nil {
			v.member(p)
			v.out = append(v.out, p.schema.def...)
		}
	}
}

// absentField handles null and "". It returns the bit of the field if the field needs no further check.
func (v *Run) absentField(s *schema, p *property, n *node, bit uint64) uint64 {
	switch {
	case n.kind == nodeNull && p.schema.nullable && (s.update || p.schema.nullClears):
		v.member(p)
		v.out = append(v.out, "null"...)
		return bit
	case n.kind == nodeNull && p.schema.nullable && s.required&bit != 0:
		return bit // the field is present, and its value is null
	case n.kind == nodeNull && s.update:
		v.faultAt(p.name, models.FieldMissing, p.name+" cannot be cleared.")
		return bit
	case n.kind == nodeString && p.schema.kind != kindString && !p.schema.numberText:
		v.enter(p.name)
		v.checkType(p.schema)
		v.leave()
		return bit
	}
	return 0
}

// checkType reports an empty text in a field of another type.
func (v *Run) checkType(s *schema) {
	switch s.kind {
	case kindArray:
		v.fault(models.FieldInvalidType, "Must be a list.")
	case kindBool:
		v.fault(models.FieldInvalidType, "Must be true or false.")
	case kindNumber:
		v.fault(models.FieldInvalidType, numberTypeMessage(s))
	default:
		v.fault(models.FieldInvalidType, "Must be an object.")
	}
}

// member writes the name of a field, with a comma if it is not the first.
func (v *Run) member(p *property) {
	if last := v.out[len(v.out)-1]; last != '{' {
		v.out = append(v.out, ',')
	}
	v.out = append(v.out, p.member...)
}

func (v *Run) list(s *schema, at uint32) {
	n := v.tape[at]
	count := int(n.count)
	if count > s.maxItems {
		v.fault(models.FieldTooMany, "At most "+counted(s.maxItems, "entry", "entries")+" allowed.")
	}
	if count < s.minItems {
		v.fault(models.FieldTooFew, "At least "+counted(s.minItems, "entry", "entries")+" needed.")
	}
	v.out = append(v.out, '[')
	index := 0
	for i := at + 1; i < n.next; i = v.tape[i].next {
		if index > 0 {
			v.out = append(v.out, ',')
		}
		v.enterIndex(index)
		start, faults := len(v.out), len(v.faults)
		if s.rows {
			v.row(s.items, i, index)
		} else if v.check(s.items, i); v.removeValue(start, faults) {
			v.out = append(v.out, "null"...) // so that later entries keep their numbers
		}
		v.leave()
		index++
	}
	v.out = append(v.out, ']')
	if s.uniqueBy >= 0 {
		v.unique(s, at)
	}
}

// unique reports entries whose unique field repeats that of an earlier entry. Lists with such a field are short.
func (v *Run) unique(s *schema, at uint32) {
	end := v.tape[at].next
	index := 0
	for i := at + 1; i < end; i = v.tape[i].next {
		if field := v.find(i, s.uniqueBy); field != 0 {
			for j := at + 1; j < i; j = v.tape[j].next {
				other := v.find(j, s.uniqueBy)
				if other != 0 && bytes.Equal(v.bytesOf(&v.tape[field]), v.bytesOf(&v.tape[other])) {
					v.enterIndex(index)
					v.faultAt(
						s.items.props[s.uniqueBy].name, models.FieldDuplicateValue,
						"Each "+s.items.props[s.uniqueBy].name+" may occur only once.",
					)
					v.leave()
					break
				}
			}
		}
		index++
	}
}

// find returns the tape index of a field that is present, or 0.
func (v *Run) find(object uint32, prop int16) uint32 {
	if prop < 0 || v.tape[object].kind != nodeObject {
		return 0
	}
	for i := object + 1; i < v.tape[object].next; i = v.tape[i].next {
		if v.tape[i].prop == prop && !absent(&v.tape[i]) {
			return i
		}
	}
	return 0
}
