package validate

import (
	"context"
	"regexp"
	"strings"
	"time"

	"levy/models"
)

// Check finds the faults of an object that the document cannot express, although each field is valid.
// The validator calls it only for an object with other faults, so that the answer lists all of them at once.
// An object without faults goes to the service, which checks it anyway.
//
// body is the canonical form of the valid parts. An invalid field is absent, and an invalid entry of a list is null.
// The paths of the faults begin in the object.
type Check func(ctx context.Context, now time.Time, body []byte) []models.Fault

// checkAll checks an object by its schema. If the object has faults, it adds those that the check of the service finds.
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

// removeValue removes an invalid value from the output and reports whether it did. It leaves an object or a list,
// which has its valid parts only. start is the position of the value in the output, including its name.
// faults is the number of faults before the value.
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

// isCovered reports whether a fault of a field explains a fault that a check has found. This is so if the field is at
// the same path, or if it has the wrong type and contains that path. It is also so if the fault follows from the field.
// place is the place of the object.
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

// affectsField reports whether an invalid value at a place is the field of a fault or a part of it.
// A field of all entries of a list is also affected if an entry or the list is invalid.
func affectsField(at, field string) bool {
	if strings.Contains(field, "[]") {
		at = entryNumber.ReplaceAllString(at, "[]")
		if within(field, at) {
			return true
		}
	}
	return within(at, field)
}

// within reports whether a path equals another one or lies in it. Every path lies in the empty one.
func within(path, other string) bool {
	rest, ok := strings.CutPrefix(path, other)
	return ok && (rest == "" || other == "" || rest[0] == '.' || rest[0] == '[')
}
