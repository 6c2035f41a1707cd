package words_test

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// longest is the number of words that a sentence of a comment may have.
const longest = 25

// sentence is a sentence of a comment. Code in backquotes is one word.
type sentence struct {
	line  int // where it begins
	words []string
}

func (s sentence) text() string { return strings.Join(s.words, " ") }

// length counts the words; dashes and operators are none. A citation of a law has no length, as it names the source in
// the words of others.
func (s sentence) length() (n int) {
	if s.words[0] == "Source:" || s.words[0] == "Sources:" {
		return 0
	}
	for _, word := range s.words {
		if strings.ContainsFunc(word, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			n++
		}
	}
	return n
}

var (
	relative     = []string{"what", "whatever", "whoever", "who", "whom", "whose", "which", "whichever"}
	prepositions = []string{"of", "in", "by", "to", "from", "for", "with", "on", "at", "after", "before", "under", "without"}
)

// beginsWithoutNoun returns the beginning of the sentence if that is a relative pronoun, as in "What is stored" or
// "Of which"; empty if not. Questions may begin so.
func (s sentence) beginsWithoutNoun() string {
	if strings.HasSuffix(s.words[len(s.words)-1], "?") {
		return ""
	}
	first := bare(s.words[0])
	if slices.Contains(relative, first) {
		return first
	}
	if len(s.words) > 1 && slices.Contains(prepositions, first) && slices.Contains(relative[3:], bare(s.words[1])) {
		return first + " " + bare(s.words[1])
	}
	return ""
}

func bare(word string) string {
	return strings.ToLower(strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }))
}

// line is a line of a comment without the marks of a comment.
type line struct {
	number int
	text   string
}

// linesOf returns the lines of a comment without directives and the names of guards.
func linesOf(set *token.FileSet, group *ast.CommentGroup) (lines []line) {
	for _, comment := range group.List {
		number := set.Position(comment.Pos()).Line
		text, isLine := strings.CutPrefix(comment.Text, "//")
		if !isLine {
			for one := range strings.Lines(strings.TrimSuffix(strings.TrimPrefix(comment.Text, "/*"), "*/")) {
				lines = append(lines, line{number, " " + strings.TrimSpace(one)})
				number++
			}
			continue
		}
		if directive.MatchString(text) || strings.HasPrefix(text, " guard: ") {
			text = ""
		}
		lines = append(lines, line{number, text})
	}
	return lines
}

var (
	directive = regexp.MustCompile(`^[a-z]+:[a-z]|^nolint|^ ?\+build`)
	listItem  = regexp.MustCompile(`^\s{2,}(?:[-*•]|\d+\.)\s+`)
	quoted    = regexp.MustCompile("`[^`]*`")
)

// sentencesOf splits the text of a comment. An empty line, a heading, a table, code and an item of a list end a
// sentence; tables and code have none.
func sentencesOf(lines []line) (sentences []sentence) {
	var current sentence
	end := func() {
		if len(current.words) > 0 {
			sentences = append(sentences, current)
		}
		current = sentence{}
	}
	inList := false
	for _, l := range lines {
		text := l.text
		indented := strings.HasPrefix(text, "\t") || strings.HasPrefix(text, "  ")
		switch {
		case strings.TrimSpace(text) == "", strings.HasPrefix(text, " # "):
			end()
			continue
		case listItem.MatchString(text):
			end()
			inList = true
			text = listItem.ReplaceAllString(text, "")
		case indented && !inList, strings.HasPrefix(text, "\t"), strings.HasPrefix(text, " |"):
			end()
			continue
		case !indented && inList:
			end()
			inList = false
		}
		for _, word := range strings.Fields(quoted.ReplaceAllStringFunc(text, joined)) {
			if len(current.words) == 0 {
				current.line = l.number
			}
			current.words = append(current.words, strings.ReplaceAll(word, gap, " "))
			if endsSentence(word) {
				end()
			}
		}
	}
	end()
	return sentences
}

// gap stands for a space within code, so that code is one word.
const gap = "\x00"

func joined(code string) string { return strings.ReplaceAll(code, " ", gap) }

// endsSentence reports whether a sentence ends after the word.
func endsSentence(word string) bool {
	word = strings.TrimRight(word, `)]"'”’`)
	if strings.HasSuffix(word, "...") || slices.Contains(abbreviations, strings.ToLower(strings.TrimLeft(word, `(["'“‘`))) {
		return false
	}
	return strings.HasSuffix(word, ".") || strings.HasSuffix(word, "?") || strings.HasSuffix(word, "!")
}

var abbreviations = []string{"e.g.", "i.e.", "art.", "no.", "nos.", "para.", "cf.", "vs.", "s.", // also of laws
	"admin.", "ala.", "cal.", "fla.", "pa.", "rev.", "stat.", "tex."}
