package validate

import (
	"context"
	"regexp"
	"strings"
	"time"

	"levy/contract/problem"
	"levy/models"
)

// Check finds what is wrong with an object although each of its fields is right, and what the document has no words
// for. It is asked only about an object with other faults, so that the answer has all of them at once: an object
// without any comes to the service, which checks it anyway.
//
// body is the canonical form of what is right in itself; a wrong field is absent, a wrong entry of a list null.
type Check func(ctx context.Context, now time.Time, body []byte) []Finding

// Finding is a fault that a Check found. Its location begins with body, which stands for the object.
type Finding struct {
	problem.FieldError
	// Of are the other fields that it follows from, such as body.transaction_items[].amount for those of all entries.
	// Where one of them is wrong, or the location itself, or something else stands around it, nothing can be said.
	Of []string
}

// checkAll checks an object with everything that the service checks of it.
func (v *Run) checkAll(s *schema, at uint32) {
	start := len(v.out)
	v.check(s, at)
	if s.checkObject == nil || len(v.faults) == 0 || v.truncated || v.tape[at].kind != nodeObject {
		return
	}
	place, byField := string(appendPlace(nil, v.place)), v.faults
	for _, f := range s.checkObject(v.ctx, v.now, v.out[start:]) {
		if f.undecided(place, byField) {
			continue
		}
		v.note(f.Code, strings.TrimPrefix(f.Location, "body"), f.Message)
	}
}

// leaveOut takes a value from the output that turned out to be wrong, and reports whether it did. Of an object or a
// list there is what is right in it. start is where the value began, with its name; faults is how many were known.
func (v *Run) leaveOut(start, faults int) bool {
	if len(v.faults) == faults {
		return false
	}
	if last := v.out[len(v.out)-1]; len(v.out) > start && (last == '}' || last == ']') {
		return false
	}
	v.out = v.out[:start]
	return true
}

// undecided reports whether a fault of a single field, in the object at the place, leaves the finding open.
func (f *Finding) undecided(place string, byField []problem.FieldError) bool {
	for _, fault := range byField {
		at, inside := strings.CutPrefix(fault.Location, place)
		if !inside {
			continue
		}
		location := strings.TrimPrefix(f.Location, "body")
		if at == location || fault.Code == models.FieldInvalidType && within(location, at) {
			return true
		}
		for _, of := range f.Of {
			if concerns(at, strings.TrimPrefix(of, "body")) {
				return true
			}
		}
	}
	return false
}

var entryNumber = regexp.MustCompile(`\[\d+\]`)

// concerns reports whether what is wrong at a place is the field of a finding, or a part of it. A field of all entries
// of a list is also wrong where an entry or the list is.
func concerns(at, field string) bool {
	if strings.Contains(field, "[]") {
		at = entryNumber.ReplaceAllString(at, "[]")
		if within(field, at) {
			return true
		}
	}
	return within(at, field)
}

// within reports whether a place is another one or lies in it.
func within(place, other string) bool {
	rest, ok := strings.CutPrefix(place, other)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}
