package validate

import (
	"bytes"
	"cmp"
	"strings"
	"time"
	"unicode/utf8"

	"levy/models"
)

// rule checks a condition on several fields of the object at a tape index. Fields that are absent or invalid do not
// break a rule: they have their own fault.
func (v *Run) rule(s *schema, r *rule, at uint32) {
	if !v.applies(s, r, at) {
		return
	}
	switch r.kind {
	case ruleRequired:
		for i, path := range r.fields {
			if sent := v.find(at, path[0]); sent == 0 || v.blankText(&s.props[path[0]], sent) {
				v.faultAt(r.names[i], models.FieldMissing, cmp.Or(r.message, r.names[i]+" is required."))
			}
		}
	case ruleNotNegative:
		for _, path := range r.fields {
			v.notNegative(s, path, at)
		}
	case ruleUnread:
		for i, path := range r.fields {
			if v.find(at, path[0]) != 0 && v.scanner.ignored < maxIgnored {
				v.scanner.ignored++
				v.ignore([]byte(r.names[i]))
			}
		}
	case ruleExclusive:
		if v.find(at, r.fields[0][0]) != 0 && v.find(at, r.fields[1][0]) != 0 {
			v.faultAt(
				r.names[1], models.FieldNotAllowed,
				cmp.Or(r.message, r.names[1]+" cannot be combined with "+r.names[0]+"."),
			)
		}
	case ruleOrdered, ruleWithinOneDay:
		v.dates(s, r, at)
	case ruleJurisdiction:
		v.jurisdiction(s, r, at)
	case ruleJurisdictionCode:
		v.jurisdictionCode(s, r, at)
	}
}

// applies reports whether the rule applies to the object.
func (v *Run) applies(s *schema, r *rule, at uint32) bool {
	if r.when >= 0 {
		value := bytes.Trim(s.props[r.when].schema.def, `"`) // the value if none is sent
		if i := v.find(at, r.when); i != 0 {
			if v.tape[i].kind != nodeString {
				return false
			}
			value = v.textOf(&v.tape[i])
		}
		if _, applies := r.values[string(value)]; !applies {
			return false
		}
	}
	return (r.with < 0 || v.find(at, r.with) != 0) && (r.unless < 0 || v.find(at, r.unless) == 0)
}

// blankText reports whether a free text is white space only. Such a text has no other fault.
func (v *Run) blankText(p *property, at uint32) bool {
	n := &v.tape[at]
	return n.kind == nodeString && p.schema.kind == kindString && p.schema.values == nil && p.schema.format == nil &&
		isBlank(v.textOf(n))
}

// notNegative checks the numbers at a path, also through lists.
func (v *Run) notNegative(s *schema, path []int16, at uint32) {
	i := v.find(at, path[0])
	if i == 0 {
		return
	}
	p := &s.props[path[0]]
	v.enter(p.name)
	defer v.leave()
	switch n := &v.tape[i]; {
	case len(path) == 1:
		if p.schema.kind != kindNumber || n.kind != nodeNumber && n.kind != nodeString {
			return
		}
		canonical, negative, code := scanDecimal(v.spare[:0], v.textOf(n), p.schema.number)
		v.spare = canonical
		if code == "" && negative {
			v.fault(models.FieldOutOfRange, messageNegative)
		}
	case n.kind == nodeArray && p.schema.kind == kindArray:
		index := 0
		for j := i + 1; j < n.next; j = v.tape[j].next {
			v.enterIndex(index)
			v.notNegative(p.schema.items, path[1:], j)
			v.leave()
			index++
		}
	}
}

// dates compares the two fields of an ordered or within-one-day rule.
func (v *Run) dates(s *schema, r *rule, at uint32) {
	first, ok1 := v.day(s, at, r.fields[0][0])
	second, ok2 := v.day(s, at, r.fields[1][0])
	if !ok1 || !ok2 {
		return
	}
	switch r.kind {
	case ruleOrdered:
		if first.After(second) {
			message := cmp.Or(r.message, r.names[1]+" must not be before "+r.names[0]+".")
			v.faultAt(r.names[1], models.FieldMismatch, message)
		}
	default:
		if difference := first.Sub(second); difference > 24*time.Hour || difference < -24*time.Hour {
			v.faultAt(
				r.names[0], models.FieldMismatch,
				cmp.Or(r.message, r.names[0]+" must be within 1 day of "+r.names[1]+"."),
			)
		}
	}
}

// day returns the UTC day of a date or date-time field, if there is one. For a date-time in a field for days,
// it returns the day as written.
func (v *Run) day(s *schema, at uint32, prop int16) (time.Time, bool) {
	i := v.find(at, prop)
	if i == 0 || v.tape[i].kind != nodeString {
		return time.Time{}, false
	}
	text := v.textOf(&v.tape[i])
	if day, ok := parseDay(text); ok {
		return day, true
	}
	instant, ok := parseInstant(text)
	if !ok {
		return time.Time{}, false
	}
	if s.props[prop].schema.dayOnly {
		return parseDay(text[:10])
	}
	return instant.Truncate(24 * time.Hour), true
}

// MessageJurisdiction is the message for a state that its country does not have.
const MessageJurisdiction = "This is no jurisdiction of the country that taxes sales and is known."

// jurisdiction checks that a state is known, if it and its country are valid.
func (v *Run) jurisdiction(s *schema, r *rule, at uint32) {
	known := v.checker.options.Jurisdiction
	country, ok1 := v.textAt(s, at, r.fields[0][0])
	state, ok2 := v.textAt(s, at, r.fields[1][0])
	if known != nil && ok1 && ok2 && !known(country, state) {
		v.faultAt(r.names[1], models.FieldInvalidEnum, cmp.Or(r.message, MessageJurisdiction))
	}
}

// MessageJurisdictionCode is the message for a code that no state of the country has.
const MessageJurisdictionCode = "This is no code of a jurisdiction of the country that taxes sales, such as NY."

// longestStateCode is the largest length of a code. A longer text is the name of a jurisdiction.
const longestStateCode = 3

// jurisdictionCode checks that a code belongs to a known state, or to the country itself. If the country is not sent,
// the default of its field is used.
func (v *Run) jurisdictionCode(s *schema, r *rule, at uint32) {
	country, ok1 := v.textAt(s, at, r.fields[0][0])
	if of := r.fields[0][0]; v.find(at, of) == 0 {
		country, ok1 = string(bytes.Trim(s.props[of].schema.def, `"`)), true
	}
	code, ok2 := v.textAt(s, at, r.fields[1][0])
	if known := v.checker.options.Jurisdiction; known != nil && ok1 && ok2 && !IsJurisdictionCode(known, country, code) {
		v.faultAt(r.names[1], models.FieldInvalidEnum, cmp.Or(r.message, MessageJurisdictionCode))
	}
}

// IsJurisdictionCode reports whether a text is the code of a country or of one of its jurisdictions.
// known reports whether a jurisdiction has that code or name.
func IsJurisdictionCode(known func(country, state string) bool, country, code string) bool {
	return code == "" || strings.EqualFold(code, country) || len(code) <= longestStateCode && known(country, code)
}

// textAt returns the text of a field, if there is one that its schema accepts.
func (v *Run) textAt(s *schema, at uint32, prop int16) (string, bool) {
	i := v.find(at, prop)
	if i == 0 || v.tape[i].kind != nodeString {
		return "", false
	}
	text, of := string(v.textOf(&v.tape[i])), s.props[prop].schema
	if _, listed := of.values[text]; of.values != nil && !listed {
		return "", false
	}
	length := utf8.RuneCountInString(text)
	return text, length >= of.minLength && length <= of.maxLength
}
