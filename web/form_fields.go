package web

import (
	_ "embed"
	"slices"
	"strings"
)

//go:generate go run ./internal/countries

//go:embed data/countries.csv
var countriesTable string

// field is a question of the form of an onboarding: a field of the body of the step.
type field struct {
	Name, Label string
	Kind        string // text, email, tel, date, number, lines, select, check, or personal: never shown again; for states below
	Hint        string
	Auto        string // what a browser may fill in; off for personal numbers
	Required    bool
	Max         int
	Options     []option

	Value, Stored, Fault string // as the page shows it; Stored is the masked value of a personal one
	// Says reports whether the page says what the field showed, as Was: so that what somebody else has saved since is not
	// overwritten.
	Says bool
	Was  string
}

// ID is the id of the field on the page.
func (f field) ID() string { return strings.ReplaceAll(f.Name, "_", "-") }

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
