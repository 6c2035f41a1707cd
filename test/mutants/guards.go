package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A guard is marked where it stands, so that it can be moved and renamed: by a line
//
//	// guard: its name
//
// above its line of Go, or by
//
//	/* guard: its name */
//
// before its part of a line of SQL. Several guards of one line have a marker each.
var marker = regexp.MustCompile(`(?m)^[ \t]*// guard: (.*)$|/\* guard: (.*?) \*/`)

// place is where a guard stands: text[from:to] of a file.
type place struct {
	file     string
	text     string
	from, to int
}

// guards finds the markers in the Go files of a folder that are no tests.
func guards(root string) (places map[string][]place, err error) {
	places = map[string][]place{}
	err = walk(root, func(file string) bool { return !strings.HasSuffix(file, "_test.go") }, func(file, text string) {
		for _, m := range marker.FindAllStringSubmatchIndex(text, -1) {
			var name string
			from := m[1]
			if m[2] >= 0 {
				name, from = text[m[2]:m[3]], next(text, from)
			} else {
				name = text[m[4]:m[5]]
			}
			places[name] = append(places[name], place{file, text, from, from + strings.IndexByte(text[from:]+"\n", '\n')})
		}
	})
	return places, err
}

// next is the beginning of the line after a marker that is not one itself.
func next(text string, end int) int {
	for {
		begin := min(end+1, len(text))
		line, _, _ := strings.Cut(text[begin:], "\n")
		if !strings.HasPrefix(strings.TrimSpace(line), "// guard: ") {
			return begin
		}
		end = begin + len(line)
	}
}

// testsBy lists the folders of the tests with a name.
func testsBy(root string) (folders map[string][]string, err error) {
	folders = map[string][]string{}
	function := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	err = walk(root, func(file string) bool { return strings.HasSuffix(file, "_test.go") }, func(file, text string) {
		for _, m := range function.FindAllStringSubmatch(text, -1) {
			if folder := filepath.Dir(file); !slices.Contains(folders[m[1]], folder) {
				folders[m[1]] = append(folders[m[1]], folder)
			}
		}
	})
	return folders, err
}

// walk reads the Go files of the project, except for this folder, which contains markers in texts.
func walk(root string, is func(file string) bool, read func(file, text string)) error {
	return filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := entry.Name(); entry.IsDir() {
			hidden := len(name) > 2 && name[0] == '.'
			if hidden || name == "node_modules" || name == "testdata" ||
				strings.HasSuffix(filepath.ToSlash(file), "test/mutants") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(file, ".go") || !is(file) {
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		read(file, string(text))
		return nil
	})
}

// without takes the guard out of the only place that it has.
func (m mutant) without(all map[string][]place) (file, text string, err error) {
	places := all[m.guard]
	if len(places) != 1 {
		return "", "", fmt.Errorf("%s: its marker occurs %d times, not once", m.guard, len(places))
	}
	p := places[0]
	other, err := m.change(p.text[p.from:p.to])
	if err != nil {
		return "", "", fmt.Errorf("%s: %w: %s", m.guard, err, strings.TrimSpace(p.text[p.from:p.to]))
	}
	return p.file, p.text[:p.from] + other + p.text[p.to:], nil
}

// change removes a guard from the line that its marker marks. It contains no name that can be changed without
// changing what the guard does.
type change func(line string) (string, error)

var errNotThere = errors.New("the text to be changed does not occur exactly once")

// become replaces all that is marked.
func become(other string) change { return func(string) (string, error) { return other, nil } }

// drop takes what is marked away, but for the end of a statement's text.
func drop(line string) (string, error) {
	if strings.HasSuffix(line, "`") {
		return "`", nil
	}
	return "", nil
}

// swap replaces what stands there once.
func swap(old, other string) change {
	return func(line string) (string, error) {
		if strings.Count(line, old) != 1 {
			return "", errNotThere
		}
		return strings.Replace(line, old, other, 1), nil
	}
}

// match replaces what a pattern finds once.
func match(pattern, other string) change {
	return func(line string) (string, error) {
		re := regexp.MustCompile(pattern)
		if len(re.FindAllString(line, -1)) != 1 {
			return "", errNotThere
		}
		return re.ReplaceAllString(line, other), nil
	}
}

// condition is that of an if or a case; a statement before it stays.
var condition = regexp.MustCompile(`^(\s*(?:if (?:.*; )?|case ))(.*)( \{|:)$`)

// never makes a condition false, and always true.
func never(line string) (string, error)  { return replaceCondition(line, "${1}false && (${2})${3}") }
func always(line string) (string, error) { return replaceCondition(line, "${1}true || (${2})${3}") }

func replaceCondition(line, other string) (string, error) {
	if !condition.MatchString(line) {
		return "", errNotThere
	}
	return condition.ReplaceAllString(line, other), nil
}

// withoutFirst and withoutLast take the first or the last operand of a condition, or of what is returned, away.
func withoutFirst(operator string) change {
	return match(`^(\s*(?:if|case|return) ).*?`+regexp.QuoteMeta(operator)+` (.*)$`, "$1$2")
}

func withoutLast(operator string) change {
	return match(`^(.*) `+regexp.QuoteMeta(operator)+` .*?( \{|:)?$`, "$1$2")
}
