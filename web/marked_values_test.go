package web

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	unseenPart = regexp.MustCompile(`(?s)<(?:script|style).*?</(?:script|style)>|<input type="hidden"[^>]*>|` +
		`(?:href|action|id|d|x|y|width|points|datetime|content|for|name)="[^"]*"|<option value="[^"]*"`)
	neutralPart = regexp.MustCompile(`.{0,40}\b(?:1234\.56|2026-01-31)\b.{0,10}`)
)

// Every page, with its fields, shows numbers and days in the form of its person alone.
func TestPagesHaveTheFormOfTheirPerson(t *testing.T) {
	t.Parallel()
	session := strings.Replace(sessionsOf["an admin of a partner"], `"user"`,
		`"preferences":{"number_format":"POINT","date_format":"MONTH_DAY_YEAR"},"user"`, 1)
	inForm := 0
	for variant := range 4 {
		eachPage(t, exampleAPIOf(t, session, variant), func(path, page string) {
			require.Empty(t, neutralPart.FindAllString(unseenPart.ReplaceAllString(page, ""), -1), path)
			inForm += strings.Count(page, "1.234,56") + strings.Count(page, "Jan 31, 2026")
		})
	}
	require.Greater(t, inForm, 500)
}
