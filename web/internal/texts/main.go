// Command texts writes the catalogue of the texts that people read or hear: those of the pages, of their scripts and
// of the mails. A text has one row, with what it is and the files that have it. Values in a text are {1}, {2} and so
// on. A part in brackets is there under a condition, and | separates alternatives.
package main

import (
	"cmp"
	"encoding/csv"
	"log"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// sources are the files with texts, by patterns relative to the folder of package web.
var sources = []struct {
	pattern string
	read    func(path string, c catalogue) error
}{
	{"templates/*.html", readTemplates},
	{"*.go", readCode},
	{"assets/*.js", readScript},
	{"../worker/mail_*.go", readCode},
	{"../models/exception_titles.go", readCode},
	{"../service/internal/feed/exceptions_messages.go", readCode},
	{"../workflows/*.go", readDetails},
}

func main() {
	texts := catalogue{}
	for _, source := range sources {
		files, err := filepath.Glob(source.pattern)
		if err != nil {
			log.Fatal(err)
		}
		if len(files) == 0 {
			log.Fatalf("%s names no file", source.pattern)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			if err := source.read(file, texts); err != nil {
				log.Fatalf("%s: %v", file, err)
			}
		}
	}
	if err := texts.write("texts.csv"); err != nil {
		log.Fatal(err)
	}
}

// catalogue is the texts with what they are and where they are.
type catalogue map[string]*uses

// uses are the kinds of a text, such as button, and the files that have it.
type uses struct{ kinds, files map[string]bool }

// add adds the texts of a part of a file. A text without a letter is none, and neither is a list of attributes.
func (c catalogue) add(marked, kind, file string) {
	for _, text := range textsOf(marked) {
		if !hasLetter(text) || attribute.MatchString(text) {
			continue
		}
		u := c[text]
		if u == nil {
			u = &uses{map[string]bool{}, map[string]bool{}}
			c[text] = u
		}
		u.kinds[kind] = true
		u.files[strings.TrimPrefix(filepath.ToSlash(file), "../")] = true
	}
}

var attribute = regexp.MustCompile(`[a-z]="`)

// first returns what a text is sorted by: its letters from the first one on, without regard to capitals.
func first(text string) string {
	return strings.ToLower(strings.TrimLeftFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }))
}

// write writes the catalogue, sorted by the words of its texts.
func (c catalogue) write(path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	w := csv.NewWriter(file)
	rows := [][]string{{"text", "kind", "files"}}
	for _, text := range slices.SortedFunc(maps.Keys(c), func(a, b string) int {
		return cmp.Or(strings.Compare(first(a), first(b)), strings.Compare(a, b))
	}) {
		rows = append(rows, []string{text, joined(c[text].kinds), joined(c[text].files)})
	}
	if err := w.WriteAll(rows); err != nil {
		return err
	}
	return file.Close()
}

func joined(of map[string]bool) string { return strings.Join(slices.Sorted(maps.Keys(of)), " ") }
