package web

import (
	"cmp"
	_ "embed"
	"html/template"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

//go:generate go run ./internal/countries

//go:embed data/countries.csv
var countriesTable string

// field is a control of a form, and the part of the request that its value becomes.
type field struct {
	Name, Label string
	// Kind selects the control. The lists are select, state and place: a state or country with an authority. Inputs of
	// one line are text, email, tel, url, search, date, number, digits, code, password, file and region. A region is a
	// state of any country. The others are lines, check, hidden and shown, which cannot be changed. A value of personal
	// or personal-date is never written into a page.
	Kind     string
	Path     string   // in the request; empty if it is Name
	Also     []string // other paths of the request that depend on the value
	Hint     string
	Auto     string // the value of autocomplete; off for personal numbers
	Required bool
	Min, Max int // number of characters
	Options  []option
	Blank    string   // the label of the empty option
	NoBlank  bool     // the list has no empty option
	Unlisted bool     // the list also has a value that is not among its options
	Suggest  []option // what an input of one line offers; other values can be typed

	Strong      string // the end of the label, in bold
	Unseen      bool   // the label is for screen readers only
	Placeholder string
	Accept      string // file types
	AsTyped     bool   // phones do not capitalize the first letter
	Focus       bool
	Digits      bool // phones show the keyboard of numbers
	Native      bool // the browser validates it, too
	Neutral     bool // the value has the form of the API, for visitors without preferences; a day is a field of the browser
	Percent     bool // a number may end with %
	Decimals    bool // a number, such as a quantity, may have three decimals; an amount has none or two

	Value, Stored, Fault string // on the page; Stored is the masked value of a personal number
	Misread              string // why what was typed cannot be read; empty if it can
	Note                 string // the id of another text of the page about the field
	Invalid              bool   // that text is an error message
	// Says makes the form send the original value, as Was. So a form does not overwrite what another person has saved
	// since.
	Says bool
	Was  string

	Form  string // the id of the form that a box belongs to, if it stands outside of it
	Sends string // the value that a box sends; empty for "true"

	id string // on the page; empty if it follows from Name
}

// ID returns the id of the control.
func (f field) ID() string { return cmp.Or(f.id, strings.ReplaceAll(f.Name, "_", "-")) }

// Personal reports whether the value is never written into a page or stored by a browser.
func (f field) Personal() bool { return strings.HasPrefix(f.Kind, "personal") }

// IsList reports whether the control is a select element.
func (f field) IsList() bool { return f.Kind == "select" || f.Kind == "state" || f.Kind == "place" }

// HasBlank reports whether the list has an empty option. A required list that has a value has none.
func (f field) HasBlank() bool { return !f.NoBlank && (!f.Required || f.Value == "") }

// Foreign returns the value if it is not among the options of the list; else "".
func (f field) Foreign() string {
	if !f.Unlisted || slices.ContainsFunc(f.Options, func(o option) bool { return o.Value == f.Value }) {
		return ""
	}
	return f.Value
}

// InputType returns the type attribute of the input element.
func (f field) InputType() string {
	switch f.Kind {
	case "date", "personal-date":
		if f.Neutral {
			return "date"
		}
		return "text"
	case "personal", "number", "digits", "code", "region":
		return "text"
	}
	return f.Kind
}

// Keyboard returns the inputmode attribute; "" for letters.
func (f field) Keyboard() string {
	if f.Digits {
		return "numeric"
	}
	return map[string]string{"number": "decimal", "digits": "numeric", "code": "numeric"}[f.Kind]
}

// DescribedBy returns the ids of the texts about the field.
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

// AfterHint returns what ends the hint before another sentence: a full stop, unless it has one.
func (f field) AfterHint() string {
	switch {
	case f.Hint == "":
		return ""
	case strings.HasSuffix(f.Hint, "."):
		return " "
	}
	return ". "
}

// Filled reports whether the page may show the value. Passwords and files are entered anew.
func (f field) Filled() bool { return f.Kind != "password" && f.Kind != "file" }

// path returns the part of the request that the value becomes.
func (f field) path() string { return cmp.Or(f.Path, f.Name) }

// Given reports whether the field has a value or an error message.
func (f field) Given() bool { return f.Value != "" || f.Stored != "" || f.Fault != "" }

type option struct{ Value, Label string }

// fieldGroup is fields under a heading. More hides optional ones until they are opened.
type fieldGroup struct {
	Title, Note string
	More        bool
	Fields      []field
}

// Open reports whether a hidden group has values, so that the page shows it open.
func (f fieldGroup) Open() bool { return slices.ContainsFunc(f.Fields, field.Given) }

// htmlForm is a form of groups of fields. The table of its fields also makes its request.
type htmlForm struct {
	whole  bool // all fields are sent together, as those of a step of an onboarding
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

// options returns the options of codes, with their labels.
func options[T ~string](codes ...T) []option {
	all := make([]option, len(codes))
	for i, code := range codes {
		all[i] = option{string(code), sentence(string(code))}
	}
	return all
}

func required(f field) field { f.Required = true; return f }

func hinted(f field, hint string) field { f.Hint = hint; return f }

// inPercent makes a number one that may end with %.
func inPercent(f field) field { f.Percent = true; return f }

func text(name, label string, most int, auto string) field {
	return field{Name: name, Label: label, Kind: "text", Max: most, Auto: auto}
}

// state returns a list of the states and provinces that Levy knows.
func state(name, label string) field {
	return field{Name: name, Label: label, Kind: "state", Auto: "off"}
}

// region returns an input for a state of an address with the known ones as suggestions. An address outside of the US
// and Canada may have any.
func region(name, label string, most int, auto string) field {
	return field{Name: name, Label: label, Kind: "region", Max: most, Auto: auto}
}

func choice(name, label, auto string, of []option) field {
	return field{Name: name, Label: label, Kind: "select", Auto: auto, Options: of}
}

// as sets the id of a field on a page with several fields of its name.
func as(id string, f field) field { f.id = id; return f }

// date returns a field for a day.
func date(name, label string) field { return field{Name: name, Label: label, Kind: "date"} }

// shown returns a value that can be copied but not changed.
func shown(id, label, value string) field {
	return field{Label: label, Kind: "shown", Value: value, id: id}
}

// filterForm is the form that filters a list.
type filterForm struct {
	Fields []field
	Button string
	Part   template.URL // of the page that answers, such as "#versions"; empty for its beginning
}

// filters returns the filter form of a list with the values of its query. It leaves out hidden fields without a value.
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

// hidden returns a parameter that a filter preserves.
func hidden(name, value string) field { return field{Name: name, Kind: "hidden", Value: value} }

// search returns an input that finds records by a part of a text.
func search(id, name, label string) field {
	return field{Name: name, Label: label, Kind: "search", Max: 200, id: id}
}

// allOf returns a filter for one of several values. Its empty option is "All".
func allOf(id, name, label string, values []option) field {
	return field{Name: name, Label: label, Kind: "select", Blank: "All", Options: values, id: id}
}

// sortedBy returns a list of orders. The first one is the order of the list without a parameter.
func sortedBy(orders ...option) field {
	return field{Name: "order_by", Label: "Sort", Kind: "select", Options: orders, NoBlank: true, id: "order_by"}
}

// inputs returns the fields of a form that the browser validates. If that form was refused, they have what was typed
// and refer to the error messages at the top of the page.
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
		f.Misread = v.PostForm.Get(misread + f.Name)
		if v.PostForm.Has(was + f.Name) {
			f.Was = v.PostForm.Get(was + f.Name)
		}
		f.refusedBy(v.fault)
	}
	return all
}

// refusedBy makes the field refer to its error messages at the top of the page, and those messages to the field.
func (f *field) refusedBy(p *problem) {
	var notes []string
	for i, e := range p.Errors {
		if pathOf(e.Location) != f.Name {
			continue
		}
		if p.controls == nil {
			p.controls = map[int]field{}
		}
		p.controls[i] = *f
		notes = append(notes, "refused-"+strconv.Itoa(i))
	}
	if notes != nil {
		f.Note, f.Invalid = strings.Join(notes, " "), true
	}
}

// faultText returns an error message next to the label of the field: without the name that the request has for it.
func (f field) faultText(message string) string {
	for _, name := range []string{f.Name, lastOf(f.path())} {
		rest, named := strings.CutPrefix(message, name+" ")
		switch {
		case named && strings.HasPrefix(rest, "is required"):
			return neededFault
		case named:
			return readable(capitalized(rest))
		}
	}
	return readable(message)
}

// namesOf returns the names of fields.
func namesOf(fields []field) []string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	return names
}
