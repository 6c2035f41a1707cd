package main

import (
	"regexp"
	"slices"
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
	spaces = regexp.MustCompile(`\s+`)
	tidy   = regexp.MustCompile(`( \[) | (\])`) // a second space next to a bracket
)

// part is a text with its alternatives: plain text, or a list of choices where it is one of several.
type part struct {
	plain   string
	choices []parts // one of them, perhaps an empty one; nil for plain text
}

// parts is a sequence of parts.
type parts []part

// split reads marked text until the end of an alternative, and returns what is left.
func split(marked string) (all parts, rest string) {
	for marked != "" {
		i := strings.IndexAny(marked, begins+orElse+ends)
		if i < 0 {
			return append(all, part{plain: marked}), ""
		}
		if i > 0 {
			all = append(all, part{plain: marked[:i]})
		}
		if mark := marked[i : i+1]; mark != begins {
			return all, marked[i:]
		}
		var choices []parts
		for marked = marked[i:]; marked != "" && marked[:1] != ends; {
			var choice parts
			choice, marked = split(marked[1:])
			choices = append(choices, choice)
		}
		all, marked = append(all, part{choices: choices}), strings.TrimPrefix(marked, ends)
	}
	return all, ""
}

// trimmed returns the parts without space at both ends, and without parts that are empty.
func (p parts) trimmed() (all parts) {
	for _, one := range p {
		if one.choices == nil {
			one.plain = spaces.ReplaceAllString(one.plain, " ")
		} else if !slices.ContainsFunc(one.choices, func(c parts) bool { return len(c.trimmed()) > 0 }) {
			continue
		}
		all = append(all, one)
	}
	for len(all) > 0 && all[0].choices == nil {
		if all[0].plain = strings.TrimLeft(all[0].plain, " "); all[0].plain != "" {
			break
		}
		all = all[1:]
	}
	for len(all) > 0 && all[len(all)-1].choices == nil {
		last := &all[len(all)-1]
		if last.plain = strings.TrimRight(last.plain, " "); last.plain != "" {
			break
		}
		all = all[:len(all)-1]
	}
	return all
}

// texts returns the texts that the parts are: several if the whole is one of several.
func (p parts) texts() (all []string) {
	p = p.trimmed()
	if len(p) == 1 && p[0].choices != nil {
		for _, choice := range p[0].choices {
			all = append(all, choice.texts()...)
		}
		return all
	}
	text := tidy.ReplaceAllString(p.String(), "$1$2")
	for n := 1; strings.Contains(text, value); n++ {
		text = strings.Replace(text, value, "{"+strconv.Itoa(n)+"}", 1)
	}
	return []string{text}
}

func (p parts) String() string {
	var b strings.Builder
	for _, one := range p {
		if one.choices == nil {
			b.WriteString(one.plain)
			continue
		}
		var choices []string
		for _, choice := range one.choices {
			choices = append(choices, spaces.ReplaceAllString(choice.String(), " "))
		}
		for len(choices) > 1 && strings.TrimSpace(choices[len(choices)-1]) == "" {
			choices = choices[:len(choices)-1]
		}
		b.WriteString("[" + strings.Join(choices, "|") + "]")
	}
	return b.String()
}

// textsOf returns the readable texts of marked text, with numbered values, brackets and single spaces.
func textsOf(marked string) []string {
	all, _ := split(marked)
	return all.texts()
}

// hasLetter reports whether the text says something, other than marks and punctuation.
func hasLetter(text string) bool { return strings.ContainsFunc(text, unicode.IsLetter) }
