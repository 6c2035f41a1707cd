package main

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// Marks within a text before it is readable.
const (
	value  = "\x04" // stands for a value
	begins = "\x01" // begins a part with a condition
	orElse = "\x02" // separates its alternatives
	ends   = "\x03" // ends it
)

var (
	spaces   = regexp.MustCompile(`\s+`)
	empty    = regexp.MustCompile(begins + "[ " + orElse + "]*" + ends)
	lastNone = regexp.MustCompile(orElse + " ?" + ends)
	tidy     = regexp.MustCompile(`( \[) | (\])`) // a second space next to a bracket
	brackets = strings.NewReplacer(begins, "[", orElse, "|", ends, "]")
)

// textsOf returns the readable texts of marked text, with numbered values, brackets and single spaces. There are several
// if the whole is one of several.
func textsOf(marked string) (all []string) {
	marked = spaces.ReplaceAllString(marked, " ")
	for before := ""; before != marked; {
		before, marked = marked, lastNone.ReplaceAllString(empty.ReplaceAllString(marked, ""), ends)
	}
	marked = strings.TrimSpace(marked)
	if choices := alternatives(marked); choices != nil {
		for _, choice := range choices {
			all = append(all, textsOf(choice)...)
		}
		return all
	}
	text := tidy.ReplaceAllString(brackets.Replace(marked), "$1$2")
	for n := 1; strings.Contains(text, value); n++ {
		text = strings.Replace(text, value, "{"+strconv.Itoa(n)+"}", 1)
	}
	return []string{text}
}

// alternatives returns the alternatives of marked text that is one part with a condition, and nil for any other.
func alternatives(marked string) (all []string) {
	if !strings.HasPrefix(marked, begins) {
		return nil
	}
	depth, start := 0, len(begins)
	for i := range len(marked) {
		switch mark := marked[i : i+1]; {
		case mark == begins:
			depth++
		case mark == orElse && depth == 1:
			all, start = append(all, marked[start:i]), i+1
		case mark == ends:
			depth--
		}
		if depth == 0 && i < len(marked)-1 {
			return nil
		}
	}
	return append(all, marked[start:len(marked)-len(ends)])
}

// hasLetter reports whether the text says something, other than marks and punctuation.
func hasLetter(text string) bool { return strings.ContainsFunc(text, unicode.IsLetter) }
