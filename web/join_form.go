package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// each calls fn for every field of a copy of the form.
func (f joinForm) each(fn func(*field)) joinForm {
	f.Groups = slices.Clone(f.Groups)
	for i := range f.Groups {
		f.Groups[i].Fields = slices.Clone(f.Groups[i].Fields)
		for j := range f.Groups[i].Fields {
			fn(&f.Groups[i].Fields[j])
		}
	}
	return f
}

// Personal reports whether the value of a field is never written into a page, nor kept by a browser.
func (f field) Personal() bool { return strings.HasPrefix(f.Kind, "personal") }

// filled is the form with what was saved, or with what was typed where something was. Of personal values it
// shows only that they are there.
func (f joinForm) filled(stored map[string]any, typed url.Values) joinForm {
	return f.each(func(f *field) {
		saved := textOf(stored[f.Name])
		if f.Was = saved; typed.Has(was + f.Name) {
			f.Was = typed.Get(was + f.Name)
		}
		switch {
		case f.Personal():
			f.Stored = saved
		case f.Kind == "check" && typed != nil:
			f.Value = typed.Get(f.Name)
		case f.Kind == "check":
			f.Value = strings.TrimPrefix(saved, "false") // only what is true is ticked
		case typed != nil:
			f.Value = typed.Get(f.Name)
		default:
			f.Value = saved
		}
	})
}

// stored reads what was saved of a step; nothing where it was never done.
func (f joinForm) stored(read func(path string, into any) error) (map[string]any, error) {
	stored := map[string]any{}
	err := read(f.read, &stored)
	if refusedWith(err, http.StatusNotFound) {
		return stored, nil
	}
	return stored, err
}

// saves is the path of the call that is the step, with what of the form is no field of its body.
func (f joinForm) saves(typed url.Values) string {
	if typed.Get(contactIsOwner) == "" {
		return f.path
	}
	return f.path + "?" + url.Values{contactIsOwner: {"true"}}.Encode()
}

// textOf is a value of an answer as people write it.
func textOf(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case json.Number:
		return v.String()
	default:
		return fmt.Sprint(v)
	}
}

// was begins the name of what a form says that a field showed when the page was made.
const was = "was_"

// typedIn is what was typed into a field.
func typedIn(typed url.Values, name string) string {
	return strings.ReplaceAll(strings.TrimSpace(typed.Get(name)), "\r\n", "\n") // a browser sends lines so
}

// body is what was typed as the body of the step. What was emptied is cleared; a personal value that was
// left empty stays, and so does what somebody else saved meanwhile in a field that nobody has changed on the page.
func (f joinForm) body(stored map[string]any, typed url.Values) map[string]any {
	body := map[string]any{}
	f.each(func(f *field) {
		value, saved := typedIn(typed, f.Name), textOf(stored[f.Name])
		switch {
		case typed.Has(was+f.Name) && value == typedIn(typed, was+f.Name):
		case f.Name == contactIsOwner:
		case f.Kind == "check":
			body[f.Name] = value != ""
		case value != "":
			body[f.Name] = value
		case f.Personal() && saved != "":
			body[f.Name] = saved // it is masked, and keeps what is stored
		case saved != "" && f.Required:
			body[f.Name] = "" // the API says what is missing
		case saved != "":
			body[f.Name] = nil
		}
	})
	return body
}

// told is what is wrong with a field, which calls fields as the form does.
func (f joinForm) told(name, message string) string {
	labels := map[string]string{}
	f.each(func(f *field) { labels[f.Name] = "“" + f.Label + "”" })
	words := strings.Split(message, " ")
	for i, word := range words {
		core := strings.TrimRight(word, ".,;:")
		switch label := labels[core]; {
		case i == 0 && core == name:
			label = "This"
			fallthrough
		case label != "" && strings.Contains(core, "_"): // others are words, too
			words[i] = label + word[len(core):]
		}
	}
	return strings.Replace(strings.Join(words, " "), "This is required", "This is needed", 1)
}

// mark writes every fault beside its field, and returns all of them in the order of the page.
func (f *joinForm) mark(refused *problem) (faults []fault) {
	left := map[string]string{}
	for _, e := range refused.Errors {
		name := fieldOf(e.Location)
		left[name] = strings.TrimSpace(left[name] + " " + f.told(name, e.Message))
	}
	*f = f.each(func(f *field) {
		message, found := left[f.Name]
		if !found {
			return
		}
		delete(left, f.Name)
		f.Fault = message
		faults = append(faults, fault{Field: f.ID(), Label: f.Label, Message: f.Fault})
	})
	for _, e := range refused.Errors {
		if message, found := left[fieldOf(e.Location)]; found {
			delete(left, fieldOf(e.Location))
			faults = append(faults, fault{Message: message})
		}
	}
	if len(faults) == 0 {
		faults = []fault{{Message: refused.Detail}}
	}
	return faults
}
