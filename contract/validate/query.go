package validate

import (
	"bytes"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"levy/models"
)

// maxParameters is the largest number of query parameters of a request.
const maxParameters = 100

// parameterValue is the value of one parameter in a request.
type parameterValue struct {
	canonical []byte
	count     int // members of a list
	set       bool
	instant   time.Time // for comparison; a whole number is in seconds since 1970
}

// query validates the query string and writes the parameters in canonical form.
func (v *Run) query(p *parameters, raw string) {
	v.in = models.InQuery
	defer func() { v.in = models.InBody }()
	values := make([]parameterValue, len(p.list))
	if !v.readQuery(p, raw, values) {
		return
	}
	p.giveWay(values)
	for i := range p.list {
		if p.list[i].required && !values[i].set {
			v.faultAt(p.list[i].name, models.FieldMissing, p.list[i].name+" is required.")
		}
	}
	second := v.exclusive(p, values)
	for _, pair := range p.exclusions {
		if values[pair[0]].set && values[pair[1]].set {
			v.faultAt(p.list[pair[1]].name, models.FieldNotAllowed, "Cannot be combined with "+p.list[pair[0]].name+".")
		}
	}
	for _, pair := range p.ordered {
		from, to := values[pair[0]].instant, values[pair[1]].instant
		if !from.IsZero() && !to.IsZero() && from.After(to) {
			v.faultAt(p.list[pair[1]].name, models.FieldMismatch, "Must not be before "+p.list[pair[0]].name+".")
		}
	}
	v.writeParameters(p, values, second)
}

// readQuery reads the parameters one by one. It reports false if there are too many.
func (v *Run) readQuery(p *parameters, raw string, values []parameterValue) bool {
	sent := make([]bool, len(p.list))
	var unknown []string
	count := 0
	for pair := range strings.SplitSeq(raw, "&") {
		if pair == "" {
			continue
		}
		if count++; count > maxParameters {
			v.fault(models.FieldTooMany, "At most 100 parameters are allowed.")
			return false
		}
		rawName, rawValue, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(rawName)
		if err != nil {
			v.fault(models.FieldInvalidFormat, "A parameter's name is not properly percent-encoded.")
			continue
		}
		i, known := p.byName[name]
		if !known {
			if !p.acceptsOthers && !slices.Contains(unknown, name) {
				unknown = append(unknown, name)
				v.unknownParameter(p, name)
			}
			continue
		}
		one := &p.list[i]
		v.enter(one.name)
		if sent[i] && !one.repeatable {
			v.fault(models.FieldNotAllowed, one.name+" may be sent only once.")
		} else {
			v.parameter(one, v.slot(p, values, i), rawValue)
		}
		v.leave()
		sent[i] = true
	}
	return true
}

// slot returns where the value of a parameter goes. One that gives way to another has its own place until all are read.
func (v *Run) slot(p *parameters, values []parameterValue, i int) *parameterValue {
	if p.list[i].givesWay {
		return &values[i]
	}
	return &values[p.list[i].sameAs]
}

// giveWay moves the values of parameters that stand for others to those, unless these are present themselves.
func (p *parameters) giveWay(values []parameterValue) {
	for i := range p.list {
		// guard: clients: the code of a state counts beside its other name
		if to := &values[p.list[i].sameAs]; p.list[i].givesWay && !to.set {
			*to = values[i]
		}
	}
}

// nameParameters makes each message name its parameter. A message also appears without its place, such as on a page
// with a filter in its address.
func nameParameters(faults []models.Fault) {
	for i := range faults {
		name, message := faults[i].Path, faults[i].Message
		first, rest, _ := strings.Cut(message, " ")
		switch {
		case name == "" || first == name:
		case first == "Must" || first == "Cannot":
			faults[i].Message = name + " " + strings.ToLower(first) + " " + rest
		default:
			faults[i].Message = name + ": " + message
		}
	}
}

// unknownParameter reports a parameter that the operation does not have. Otherwise the answer would look as if the
// parameter had been applied. The message names similar parameters.
func (v *Run) unknownParameter(p *parameters, name string) {
	message := "There is no such parameter here."
	if near := nearest(p.names(), name); near != nil {
		message = "There is no such parameter; the nearest is " + strings.Join(near, " or ") + "."
	}
	if !parameterName.MatchString(name) {
		v.fault(models.FieldUnknownParameter, message)
		return
	}
	v.faultAt(name, models.FieldUnknownParameter, message)
}

var parameterName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// exclusive records a fault for each parameter of the first group that is combined with the second.
// It reports whether the second group is in use.
func (v *Run) exclusive(p *parameters, values []parameterValue) bool {
	second := false
	for _, i := range p.groups[1] {
		second = second || values[i].set
	}
	if second {
		for _, i := range p.groups[0] {
			if values[i].set {
				v.faultAt(
					p.list[i].name, models.FieldNotAllowed,
					"Cannot be combined with "+p.list[p.groups[1][0]].name+" or "+p.list[p.groups[1][1]].name+".",
				)
			}
		}
	}
	return second
}

// parameter validates the value of one parameter. An empty value counts as absent.
func (v *Run) parameter(p *parameter, to *parameterValue, rawValue string) {
	value, err := url.QueryUnescape(rawValue)
	if err != nil || !utf8.ValidString(value) || strings.IndexByte(value, 0) >= 0 {
		v.fault(models.FieldInvalidFormat, "The value is not properly percent-encoded text.")
		to.set = true // the parameter is present although its value is invalid
		return
	}
	if searches[p.name] {
		value = strings.TrimSpace(value)
	}
	if value == "" {
		return
	}
	if to.set && !p.repeatable {
		v.fault(models.FieldNotAllowed, "A parameter with the same meaning is present already.")
		return
	}
	if !p.list {
		v.singleValue(p, to, value)
		to.set = true
		return
	}
	to.set = true
	for member := range strings.SplitSeq(value, ",") {
		if member == "" && p.schema.values == nil {
			continue
		}
		if to.count > 0 {
			to.canonical = append(to.canonical, ',')
		}
		v.singleValue(p, to, member)
		to.count++
	}
}

// singleValue validates one value. It writes the value as JSON text and checks that.
func (v *Run) singleValue(p *parameter, to *parameterValue, value string) {
	s := p.schema
	start := len(v.out)
	switch s.kind {
	case kindBool:
		if value != "true" && value != "false" {
			v.fault(models.FieldInvalidFormat, "Must be true or false.")
			return
		}
		v.out = append(v.out, value...)
	case kindNumber:
		if trimmed := strings.TrimPrefix(value, "-"); strings.Trim(trimmed, "0123456789") != "" || trimmed == "" {
			v.fault(models.FieldInvalidFormat, "Must be a whole number.")
			return
		}
		v.number(s, []byte(value), true)
		if n, err := strconv.ParseInt(value, 10, 64); err == nil {
			to.instant = time.Unix(n, 0)
		}
	default:
		v.scratch, _ = jsontext.AppendQuote(v.scratch[:0], value) // it is valid UTF-8
		v.raw = v.scratch[1 : len(v.scratch)-1]
		v.string(s, []byte(value))
	}
	to.canonical = append(to.canonical, v.out[start:]...)
	if s.format != nil {
		to.instant, _ = time.Parse(time.RFC3339Nano, strings.Trim(string(v.out[start:]), `"`))
		if to.instant.IsZero() {
			to.instant, _ = time.Parse(time.DateOnly, strings.Trim(string(v.out[start:]), `"`))
		}
	}
	v.out = v.out[:start]
}

// writeParameters writes the canonical object, with the defaults of the group in use.
func (v *Run) writeParameters(p *parameters, values []parameterValue, second bool) {
	v.params = append(v.params[:0], '{')
	for i := range p.list {
		one, value := &p.list[i], &values[i]
		if one.sameAs != i {
			continue
		}
		canonical := value.canonical
		switch {
		case value.set && one.list:
			canonical = append(append([]byte{'['}, canonical...), ']')
		case !value.set && one.def != nil && (one.group == 0 || (one.group == 2) == second):
			canonical = one.def
		}
		if len(canonical) == 0 {
			continue
		}
		if !bytes.HasSuffix(v.params, []byte{'{'}) {
			v.params = append(v.params, ',')
		}
		v.params = append(v.params, one.member...)
		v.params = append(v.params, canonical...)
	}
	v.params = append(v.params, '}')
}
