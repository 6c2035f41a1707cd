package web

import (
	"cmp"
	_ "embed"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

//go:generate go run ./internal/countries

//go:embed data/countries.csv
var countriesTable string

// field is a control of a form: its label, what may be typed, and the part of the request that it becomes.
type field struct {
	Name, Label string
	// Kind is how the control looks. A list is select, state (those that Levy knows) or place (those with an authority). A
	// line is text, email, tel, url, search, date, number, digits, code, password, file, or region: a state of any country.
	// Others are lines, check, hidden, and shown, which cannot be changed. Of personal and personal-date, what was typed is
	// never written into a page.
	Kind     string
	Path     string   // of the part of the request that it becomes; empty where that is the name
	Also     []string // paths of other parts that it decides
	Hint     string
	Auto     string // what a browser may fill in; off for personal numbers
	Required bool
	Min, Max int // characters
	Options  []option
	Blank    string // what a list calls no choice
	NoBlank  bool   // the list has no such choice
	Unlisted bool   // the list shows also a value that it does not have

	Strong      string // the end of the label, which is what to type
	Unseen      bool   // the label is for screen readers alone
	Placeholder string
	Accept      string // kinds of files
	AsTyped     bool   // a phone does not begin it with a capital letter
	Focus       bool
	Native      bool // the browser checks it, too

	Value, Stored, Fault string // as the page shows it; Stored is the masked value of a personal one
	Note                 string // the id of what the page says elsewhere about it
	Invalid              bool   // which is what is wrong with it
	// Says reports whether the page says what the field showed, as Was: so that what somebody else has saved since is not
	// overwritten.
	Says bool
	Was  string

	id string // on the page, where other fields have the same name
}

// ID is the id of the field on the page.
func (f field) ID() string { return cmp.Or(f.id, strings.ReplaceAll(f.Name, "_", "-")) }

// Personal reports whether the value of a field is never written into a page, nor kept by a browser.
func (f field) Personal() bool { return strings.HasPrefix(f.Kind, "personal") }

// IsList reports whether the field is chosen from a list.
func (f field) IsList() bool { return f.Kind == "select" || f.Kind == "state" || f.Kind == "place" }

// HasBlank reports whether its list offers no choice: not where one is required and was made.
func (f field) HasBlank() bool { return !f.NoBlank && (!f.Required || f.Value == "") }

// Foreign is its value where the list does not have it; empty where it has.
func (f field) Foreign() string {
	if !f.Unlisted || slices.ContainsFunc(f.Options, func(o option) bool { return o.Value == f.Value }) {
		return ""
	}
	return f.Value
}

// InputType is the type of its input element.
func (f field) InputType() string {
	switch f.Kind {
	case "personal-date":
		return "date"
	case "personal", "number", "digits", "code", "region":
		return "text"
	}
	return f.Kind
}

// Keyboard is what a phone shows to type it; empty for letters.
func (f field) Keyboard() string {
	return map[string]string{"number": "decimal", "digits": "numeric", "code": "numeric"}[f.Kind]
}

// DescribedBy are the ids of what the page says about the field.
func (f field) DescribedBy() string {
	var ids []string
	if f.Hint != "" || f.Stored != "" {
		ids = append(ids, f.ID()+"-hint")
	}
	if f.Fault != "" {
		ids = append(ids, f.ID()+"-wrong")
	}
	if f.Note != "" {
		ids = append(ids, f.Note)
	}
	return strings.Join(ids, " ")
}

// Filled reports whether a page may show its value: passwords and files are typed or chosen anew.
func (f field) Filled() bool { return f.Kind != "password" && f.Kind != "file" }

// path is where the request has what is typed.
func (f field) path() string { return cmp.Or(f.Path, f.Name) }

// Given reports whether the page shows something in the field, or what is wrong with it.
func (f field) Given() bool { return f.Value != "" || f.Stored != "" || f.Fault != "" }

type option struct{ Value, Label string }

// fieldGroup is questions under one heading. More are those that most leave out.
type fieldGroup struct {
	Title, Note string
	More        bool
	Fields      []field
}

// Open reports whether questions that most leave out are shown at once.
func (f fieldGroup) Open() bool { return slices.ContainsFunc(f.Fields, field.Given) }

// htmlForm is the form of a step of an onboarding.
type htmlForm struct {
	path   string // of the call that is the step
	read   string // of the call that reads what it said
	Intro  string
	Groups []fieldGroup
}

var countries = func() []option {
	rows := rowsOf(countriesTable)
	all := make([]option, len(rows))
	for i, row := range rows {
		all[i] = option{row[0], row[1]}
	}
	slices.SortFunc(all, func(a, b option) int { return strings.Compare(a.Label, b.Label) })
	return all
}()

// options are those of codes, in words.
func options(codes ...string) []option {
	all := make([]option, len(codes))
	for i, code := range codes {
		all[i] = option{code, sentence(code)}
	}
	return all
}

func required(f field) field { f.Required = true; return f }

func hinted(f field, hint string) field { f.Hint = hint; return f }

func text(name, label string, most int, auto string) field {
	return field{Name: name, Label: label, Kind: "text", Max: most, Auto: auto}
}

// state asks for a state or province from the list of those that Levy knows.
func state(name, label string) field {
	return field{Name: name, Label: label, Kind: "state", Auto: "off"}
}

// region asks for a state or province of an address, with those that Levy knows as suggestions: an address of another
// country may have any.
func region(name, label string, most int, auto string) field {
	return field{Name: name, Label: label, Kind: "region", Max: most, Auto: auto}
}

func choice(name, label, auto string, of []option) field {
	return field{Name: name, Label: label, Kind: "select", Auto: auto, Options: of}
}

// as gives a field an id of its own on a page.
func as(id string, f field) field { f.id = id; return f }

// date asks for a day.
func date(name, label string) field { return field{Name: name, Label: label, Kind: "date"} }

// shown is a value that can be copied and not changed.
func shown(id, label, value string) field {
	return field{Label: label, Kind: "shown", Value: value, id: id}
}

// filterForm narrows a list down.
type filterForm struct {
	Fields []field
	Button string
}

// filters returns the form of a list with what its query asks for. A hidden field stays only while it has a value.
func filters(button string, query url.Values, fields ...field) filterForm {
	form := filterForm{Button: button}
	for _, f := range fields {
		f.Native = true
		f.Value = cmp.Or(f.Value, query.Get(f.Name))
		if f.Kind != "hidden" || f.Value != "" {
			form.Fields = append(form.Fields, f)
		}
	}
	return form
}

// hidden is a part of a query that a filter keeps.
func hidden(name, value string) field { return field{Name: name, Kind: "hidden", Value: value} }

// search finds records by a part of a text.
func search(id, name, label string) field {
	return field{Name: name, Label: label, Kind: "search", Max: 200, id: id}
}

// allOf narrows a list down to one of several values, or to none in particular.
func allOf(id, name, label string, values []option) field {
	return field{Name: name, Label: label, Kind: "select", Blank: "All", Options: values, id: id}
}

// sortedBy orders a list; the first order is that of the list itself.
func sortedBy(orders ...option) field {
	return field{Name: "order_by", Label: "Sort", Kind: "select", Options: orders, NoBlank: true, id: "order_by"}
}

// inputs returns the fields of a form that the browser checks, too. Where that form was refused they have what was typed,
// and lead to what the page says above is wrong with it.
func (v *pageRequest) inputs(action string, fields ...field) []field {
	all := slices.Clone(fields)
	refused := v.fault != nil && v.PostFormValue("action") == action
	for i := range all {
		f := &all[i]
		f.Native = true
		if !refused {
			continue
		}
		if v.PostForm.Has(f.Name) {
			f.Value = v.PostForm.Get(f.Name)
		}
		if v.PostForm.Has(was + f.Name) {
			f.Was = v.PostForm.Get(was + f.Name)
		}
		f.refusedBy(v.fault)
	}
	return all
}

// refusedBy lets the field lead to what a page says above is wrong with it.
func (f *field) refusedBy(p *problem) {
	i := slices.IndexFunc(p.Errors, func(e problemField) bool { return pathOf(e.Location) == f.Name })
	if i >= 0 {
		f.Note, f.Invalid = "refused-"+strconv.Itoa(i), true
	}
}

// namesOf returns the names of fields.
func namesOf(fields []field) []string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	return names
}
