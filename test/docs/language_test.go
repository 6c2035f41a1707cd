package docs_test

import (
	"regexp"
	"strings"
	"testing"
)

var (
	codeSpan = regexp.MustCompile("`[^`]*`")
	vague    = regexp.MustCompile(`(?i)\b(?:whoever|whomever|some(?:body|one)|anybody|anyone|nobody|everybody)\b`)
)

// vagueWords returns the words of a line that stand for a person without a role. Code is none: names of tests have some.
func vagueWords(line string) []string {
	return vague.FindAllString(codeSpan.ReplaceAllString(line, ""), -1)
}

// The pages name the role of a person, such as merchant, partner, staff or operator.
func TestPagesNameTheRoleOfAPerson(t *testing.T) {
	t.Parallel()
	for name, text := range pages(t) {
		for i, line := range strings.Split(text, "\n") {
			for _, word := range vagueWords(line) {
				t.Errorf("%s:%d: %q: name the role of the person", name, i+1, word)
			}
		}
	}
}

func TestVagueWordsAreFound(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"Whoever asks, nobody waits": "Whoever nobody",
		"`TestNobodyWaits`":          "",
		"The operator waits":         "",
	} {
		if got := strings.Join(vagueWords(line), " "); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}
