package validate

import (
	"context"
	"regexp"
	"strings"
	"time"

	"levy/models"
)

// Check finds what is wrong with an object although each of its fields is right, and what the document has no words
// for. It is asked only about an object with other faults, so that the answer has all of them at once: an object
// without any comes to the service, which checks it anyway.
//
// body is the canonical form of what is right in itself; a wrong field is absent, a wrong entry of a list null. Paths of
// the faults begin in the object.
type Check func(ctx context.Context, now time.Time, body []byte) []models.Fault

// checkAll checks an object with everything that the service checks of it.
func (v *Run) checkAll(s *schema, at uint32) {
	start := len(v.out)
	v.check(s, at)
	if s.checkObject == nil || len(v.faults) == 0 || v.truncated || v.tape[at].kind != nodeObject {
		return
	}
	place, byField := string(appendPlace(nil, v.place)), v.faults
	for _, f := range s.checkObject(v.ctx, v.now, v.out[start:]) {
		if !isCovered(&f, place, byField) {
			v.note(f.Code, f.Path, f.Message)
		}
	}
}

// removeValue takes a value from the output that turned out to be wrong, and reports whether it did. Of an object or a
// list there is what is right in it. start is where the value began, with its name; faults is how many were known.
func (v *Run) removeValue(start, faults int) bool {
	if len(v.faults) == faults {
		return false
	}
	if last := v.out[len(v.out)-1]; len(v.out) > start && (last == '}' || last == ']') {
		return false
	}
	v.out = v.out[:start]
	return true
}

// isCovered reports whether a fault of a single field, in the object at the place, leaves a fault that a check found
// open: where something else stands at its path or around it, or where a field that it follows from is wrong.
func isCovered(f *models.Fault, place string, byField []models.Fault) bool {
	for _, fault := range byField {
		if fault.In != models.InBody || !within(fault.Path, place) {
			continue
		}
		at := strings.TrimPrefix(fault.Path[len(place):], ".")
		if at == f.Path || fault.Code == models.FieldInvalidType && within(f.Path, at) {
			return true
		}
		for _, of := range f.Of {
			if affectsField(at, of) {
				return true
			}
		}
	}
	return false
}

var entryNumber = regexp.MustCompile(`\[\d+\]`)

// affectsField reports whether what is wrong at a place is the field of a finding, or a part of it. A field of all entries
// of a list is also wrong where an entry or the list is.
func affectsField(at, field string) bool {
	if strings.Contains(field, "[]") {
		at = entryNumber.ReplaceAllString(at, "[]")
		if within(field, at) {
			return true
		}
	}
	return within(at, field)
}

// within reports whether a path is another one or lies in it. Every path lies in the empty one.
func within(path, other string) bool {
	rest, ok := strings.CutPrefix(path, other)
	return ok && (rest == "" || other == "" || rest[0] == '.' || rest[0] == '[')
}
