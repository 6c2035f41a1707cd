package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// textsIn returns the texts of a file with the given source, with what they are.
func textsIn(t *testing.T, name, source string, read func(string, catalogue) error) map[string]string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(source), 0o600))
	found := catalogue{}
	require.NoError(t, read(path, found))
	texts := map[string]string{}
	for text, u := range found {
		texts[text] = joined(u.kinds)
	}
	return texts
}

func TestTextsOfTemplates(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		source string
		want   map[string]string
	}{
		"a sentence over lines, with inline elements": {
			"<p>One <b>bold</b>\n  word.</p>", map[string]string{"One bold word.": "text"}},
		"values are numbered": {
			`<p>{{.A}} of {{.B}} are left.</p>`, map[string]string{"{1} of {2} are left.": "text"}},
		"a part with a condition": {
			`<p>Done{{if .By}} by {{.By}}{{else}} now{{end}}.</p>`, map[string]string{"Done[ by {1}| now].": "text"}},
		"alternatives are texts of their own": {
			`<h1>{{if .A}}Open{{else if .B}}Closed{{end}}</h1>`, map[string]string{"Open": "heading", "Closed": "heading"}},
		"blocks within a condition": {
			`{{if .A}}<p>Yes.</p>{{else}}<button>No</button>{{end}}`, map[string]string{"Yes.": "text", "No": "button"}},
		"attributes that people read, also within a condition": {
			`<nav{{if .A}} aria-label="Pages"{{end}} class="wide"><img alt="{{if .B}}On{{else}}Off{{end}}"></nav>`,
			map[string]string{"Pages": "label", "On": "label", "Off": "label"}},
		"a value in an attribute ends no tag": {
			`<a href="?{{.Query}}"{{if gt .N 1}} class="bad"{{end}}>Next</a>`, map[string]string{"Next": "link"}},
		"a link after a sentence": {
			`<p>There is none. <a href="/">Show all</a></p>`, map[string]string{"There is none.": "text", "Show all": "link"}},
		"heads of a table": {
			`{{template "head" columns "When" (number "Amount")}}`, map[string]string{"When": "label", "Amount": "label"}},
		"a word for a missing value": {`<dd>{{or .A "none"}}</dd>`, map[string]string{"none": "text"}},
		"a number with its noun":     {`<p>{{counted .N "return"}} left</p>`, map[string]string{"{1} returns left": "text"}},
		"scripts and addresses":      {`<script>var text = "Not read";</script><a href="/x">{{.A}}</a>`, map[string]string{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, textsIn(t, "page.html", c.source, readTemplates))
		})
	}
}

func TestTextsOfCode(t *testing.T) {
	t.Parallel()
	for source, want := range map[string][]string{
		`var a = "Two words"`: {"Two words"},
		`var a = "Two " +
			"words"`: {"Two words"},
		`var a = "Made by " + name + "."`:                        {"Made by {1}."},
		`var a = fmt.Sprintf("%d of %s are left.", n, name)`:     {"{1} of {2} are left."},
		`var a = counted(n, "return") + " left"`:                 {"{1} returns left"},
		`var a = "One: " + cmp.Or(name, "of no name")`:           {"One: {1}", "of no name"},
		`var a = map[string]string{"BLOCKED": "blocked"}`:        {"blocked"},
		`var a = field{Name: "last_day", Hint: "optional"}`:      {"optional"},
		`var a = r.Header.Get("Sec Fetch")`:                      nil,
		`var a = errors.New("of a log")`:                         nil,
		`var a = "/o/org/a b"`:                                   nil,
		"type a struct { B int `json:\"two words\"` }":           nil,
		`func a() { switch b { case "Two words": } }`:            nil,
		`func a() bool { return b == "Two words" }`:              nil,
		`var a = map[string]string{"two words": "amount_cents"}`: nil,
	} {
		found := textsIn(t, "a.go", "package a\n\n"+source, readCode)
		require.ElementsMatch(t, want, slices.Collect(maps.Keys(found)), source)
	}
}

func TestTextsOfScripts(t *testing.T) {
	t.Parallel()
	found := textsIn(t, "a.js", "// Not 'this one'\nlet a = 'Two words', b = `${n} of 8 done.`, c = 'details[open] > form', d = 'x';",
		readScript)
	require.ElementsMatch(t, []string{"Two words", "{1} of 8 done."}, slices.Collect(maps.Keys(found)))
}

// Of a workflow only the details of its run are read: other texts are records of its history.
func TestTextsOfRuns(t *testing.T) {
	t.Parallel()
	found := textsIn(t, "a.go", `package a

func (a) details() string { return "Waiting for " + b }

func other() string { return "Not read" }`, readDetails)
	require.Equal(t, map[string]string{"Waiting for {1}": "text"}, found)
}
