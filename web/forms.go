package web

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// each calls fn for each field of a copy of the form, and returns the copy.
func (f htmlForm) each(fn func(*field)) htmlForm {
	f.Groups = slices.Clone(f.Groups)
	for i := range f.Groups {
		f.Groups[i].Fields = slices.Clone(f.Groups[i].Fields)
		for j := range f.Groups[i].Fields {
			fn(&f.Groups[i].Fields[j])
		}
	}
	return f
}

// neutral returns the form for visitors without preferences.
func (f htmlForm) neutral() htmlForm { return f.each(func(f *field) { f.Neutral = true }) }

// changing returns the form with the original values, for a record that other people may change meanwhile.
func (f htmlForm) changing() htmlForm { return f.each(func(f *field) { f.Says = true }) }

// filled returns the form with the stored values, or with the typed ones if there are any. Personal values stay empty;
// the page shows only the masked one.
func (f htmlForm) filled(stored map[string]any, typed url.Values) htmlForm {
	return f.each(func(f *field) {
		f.Was, f.Misread = f.savedIn(stored), typed.Get(misread+f.Name)
		switch {
		case f.Personal():
			f.Stored = f.Was
		case typed != nil && !f.unchanged(typed):
			f.Value = typed.Get(f.Name)
			if typed.Has(was + f.Name) {
				f.Was = typed.Get(was + f.Name)
			}
		default:
			f.Value = f.Was
		}
	})
}

// savedIn returns the stored value as the control has it: a list has only values of its options.
func (f *field) savedIn(stored map[string]any) string {
	saved := textOf(stored[f.Name])
	switch {
	case f.Kind == "check":
		return strings.TrimPrefix(saved, "false") // only true is ticked
	case f.Kind == "state":
		list := regionListOf(knownStates, saved)
		return cmp.Or(list.Value, list.Other)
	case f.Kind == "select" && !f.Unlisted && !slices.ContainsFunc(f.Options, func(o option) bool { return o.Value == saved }):
		return ""
	}
	return saved
}

// unchanged reports whether the form was sent with the original value.
func (f *field) unchanged(typed url.Values) bool {
	return f.Says && typed.Has(was+f.Name) && typedIn(typed, f.Name) == typedIn(typed, was+f.Name)
}

// same reports whether two values are equal; numbers without regard to trailing zeros. Otherwise a form that is sent
// twice would conflict with its own first answer.
func (f *field) same(x, y string) bool {
	return x == y || f.Kind == "number" && withoutZeros(x) == withoutZeros(y)
}

// withoutZeros returns a number without trailing zeros of its decimals.
func withoutZeros(number string) string {
	if !strings.Contains(number, ".") {
		return number
	}
	return strings.TrimSuffix(strings.TrimRight(number, "0"), ".")
}

// outdated returns a *problem with the fields that another person has changed since the page was rendered; nil if there
// are none. It makes the newer values the original ones, so that sending the form again replaces them.
func (f htmlForm) outdated(stored map[string]any, typed url.Values) error {
	refused := &problem{Status: http.StatusConflict, Title: "Another person has changed this since you opened the page"}
	f.each(func(f *field) {
		now, value := f.savedIn(stored), typedIn(typed, f.Name)
		if !f.Says || !typed.Has(was+f.Name) || f.unchanged(typed) || f.Personal() && value == "" || f.same(value, now) ||
			now == typedIn(typed, was+f.Name) {
			return
		}
		typed.Set(was+f.Name, now)
		f.Value, f.Stored = now, now
		said := "nothing"
		if s := f.Shown(); s != "" {
			said = "“" + s + "”"
		}
		refused.Errors = append(refused.Errors, problemField{"body." + f.Name, "Another person has saved " + said +
			" here since you opened this page. Save again to replace it with what you typed."})
	})
	if refused.Errors == nil {
		return nil
	}
	return refused
}

// textOf returns a value of an answer as text.
func textOf(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case json.Number:
		return v.String()
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	default:
		return fmt.Sprint(v)
	}
}

// was begins the names of the fields with original values.
const was = "was_"

// typedIn returns the typed value of a field without surrounding blanks.
func typedIn(typed url.Values, name string) string {
	return strings.ReplaceAll(strings.TrimSpace(typed.Get(name)), "\r\n", "\n") // browsers send lines with \r\n
}

// body returns the request of the typed values. An emptied field is cleared, but an empty personal value stays. An
// unchanged field keeps what another person has saved since. It is left out, or sent as stored by a step, whose call
// takes all fields together.
func (f htmlForm) body(stored map[string]any, typed url.Values) map[string]any {
	body, whole := map[string]any{}, f.whole
	f.each(func(f *field) {
		value, saved := typedIn(typed, f.Name), textOf(stored[f.Name])
		switch {
		case !f.unchanged(typed):
		case f.Kind == "check":
			value = f.savedIn(stored)
		default:
			value = saved // also a value that its list does not have
		}
		switch {
		case f.unchanged(typed) && !whole:
		case f.apart():
		case f.Kind == "check":
			setAt(body, f.path(), value != "")
		case value != "":
			setAt(body, f.path(), value)
		case f.Personal() && saved != "":
			setAt(body, f.path(), saved) // masked: the API keeps what is stored
		case saved != "" && f.Required && whole:
			setAt(body, f.path(), "") // the API reports the missing field
		case saved != "" && f.Required:
			setAt(body, f.path(), " ") // the same for a change, in which the API ignores empty texts
		case saved != "":
			setAt(body, f.path(), nil)
		}
	})
	return body
}

// fields returns all fields of the form.
func (f htmlForm) fields() (all []field) {
	for _, group := range f.Groups {
		all = append(all, group.Fields...)
	}
	return all
}

// faultMessage returns an error message with labels instead of names of fields.
func (f htmlForm) faultMessage(name, message string) string {
	labels := map[string]string{}
	for _, f := range f.fields() {
		for _, path := range append([]string{f.path()}, f.Also...) {
			labels[lastOf(path)] = "“" + f.Label + "”"
		}
	}
	words := strings.Split(message, " ")
	for i, word := range words {
		core := strings.TrimRight(word, ".,;:")
		switch label := labels[core]; {
		case i == 0 && core == name:
			label = "This"
			fallthrough
		case label != "" && strings.Contains(core, "_"): // names without an underscore are also words
			words[i] = label + word[len(core):]
		}
	}
	return strings.NewReplacer("This is required and must not be blank", "This is needed", "This is required",
		"This is needed").Replace(strings.Join(words, " "))
}

// mark puts each error message next to its field, and returns all of them in the order of the page.
func (f *htmlForm) mark(refused *problem) (faults []fault) {
	if refused.Code == "duplicate_external_id" {
		refused.Errors = []problemField{{"body.external_id", refused.Detail}}
	}
	left, from := map[string]string{}, originsOf(f.fields())
	for i, e := range refused.Errors {
		path := pathOf(e.Location)
		name := cmp.Or(from.Of(path), path)
		left[name] = strings.TrimSpace(left[name] + " " + f.faultMessage(lastOf(path), e.Message))
		refused.Errors[i].Location = "body." + name
	}
	called := map[string]int{}
	*f = f.each(func(f *field) {
		called[f.Label]++
		f.Fault = cmp.Or(f.Misread, left[f.Name])
		delete(left, f.Name)
	})
	for _, group := range f.Groups {
		who, _, _ := strings.Cut(group.Title, ":")
		for _, f := range group.Fields {
			switch {
			case f.Fault == "":
			case called[f.Label] > 1: // such as the share of each owner
				faults = append(faults, fault{Field: f.ID(), Label: who + ": " + f.Label, Message: f.Fault})
			default:
				faults = append(faults, fault{Field: f.ID(), Label: f.Label, Message: f.Fault})
			}
		}
	}
	for _, e := range refused.Errors {
		if message, found := left[pathOf(e.Location)]; found {
			delete(left, pathOf(e.Location))
			faults = append(faults, fault{Message: message})
		}
	}
	if len(faults) == 0 {
		faults = []fault{{Message: refused.Detail}}
	}
	return faults
}

// neededFault is the error message of a field without the value that it needs.
const neededFault = "This is needed."

// markMissing marks the required fields that have neither a typed nor a stored value, and returns their error messages.
// It is for a form that is refused before the service sees it.
func (f *htmlForm) markMissing(typed url.Values) (faults []fault) {
	*f = f.each(func(f *field) {
		if f.Required && f.Stored == "" && strings.TrimSpace(typed.Get(f.Name)) == "" {
			f.Fault = neededFault
			faults = append(faults, fault{f.ID(), f.Label, f.Fault})
		}
	})
	return faults
}

// decodedFields returns the fields of an object in JSON.
func decodedFields(raw []byte) (fields map[string]any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	return fields, decoder.Decode(&fields)
}
