package web

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// typedName is a text of a language that is written from right to left.
const typedName = "שלום 12"

// typedProperties are the properties of answers that have names and texts of people.
var typedProperties = regexp.MustCompile(`^(name|organization_name|customer_name|product_name|file_name|actor_name|shared_by|note|` +
	`notes|description|comment|assignee)$`)

// rightToLeft puts a name from right to left in the place of each text that people type.
func rightToLeft(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for key, each := range v {
			if each == "text" && typedProperties.MatchString(key) {
				v[key] = typedName
			} else {
				v[key] = rightToLeft(each)
			}
		}
	case []any:
		for i := range v {
			v[i] = rightToLeft(v[i])
		}
	}
	return value
}

// Names that people type have the direction of their own language in cells, links, options and marked parts of pages: the
// stylesheet names these elements once. A cell or link that shows a name is one of them, or has dir=auto.
func TestNamesHaveTheirOwnDirection(t *testing.T) {
	t.Parallel()
	style, err := os.ReadFile("assets/style.css")
	require.NoError(t, err)
	rule := regexp.MustCompile(`(?m)^([a-z, ]+) \{ unicode-bidi: plaintext; \}$`).FindSubmatch(style)
	require.NotNil(t, rule)
	isolated := strings.Split(string(rule[1]), ", ")
	names := 0
	for variant := range 2 {
		examples := exampleAPIOf(t, sessionsOf["an admin of a partner"], variant)
		api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			recorded := httptest.NewRecorder()
			examples.ServeHTTP(recorded, r)
			body := recorded.Body.Bytes()
			var answer any
			if json.Unmarshal(body, &answer) == nil {
				body, _ = json.Marshal(rightToLeft(answer))
			}
			w.WriteHeader(recorded.Code)
			_, _ = w.Write(body)
		})
		for _, p := range consoleOver(t, api).pages {
			if p.template == "" || p.access != signedIn {
				continue
			}
			page := answeredBy(t, api, httptest.NewRequest(http.MethodGet, pathFor(p.path), nil)).Body.String()
			for _, text := range textsOf(page) {
				if strings.TrimSpace(text.text) != typedName || sentences.MatchString(text.element) {
					continue
				}
				names++
				tag := strings.Trim(strings.Fields(text.element)[0], "<>")
				require.True(t, slices.Contains(isolated, tag) || tag == "bdi" || strings.Contains(text.element, ` dir="auto"`),
					"%s: %s", p.path, text.element)
			}
		}
	}
	require.Greater(t, names, 100)
}

// sentences are elements whose text is a sentence or a heading around names, titles of windows, and scripts.
var sentences = regexp.MustCompile(`^<(p|h[1-6]|li|dd|dt|label|summary|button|legend|caption|figcaption|title|script|div|code)\b`)

// elementText is a text of a page, and the start tag of its element.
type elementText struct{ element, text string }

var (
	anyTag  = regexp.MustCompile(`<(/?)([a-z0-9]+)[^>]*>`)
	voidTag = regexp.MustCompile(`^(input|br|hr|img|link|meta|path|rect|circle|line|polyline|polygon|use|source|wbr)$`)
)

// textsOf returns the texts of a page with the start tags of their elements.
func textsOf(page string) (all []elementText) {
	open, end := []string{"<html>"}, 0
	for _, at := range anyTag.FindAllStringSubmatchIndex(page, -1) {
		all = append(all, elementText{open[len(open)-1], page[end:at[0]]})
		tag, name := page[at[0]:at[1]], page[at[4]:at[5]]
		end = at[1]
		switch {
		case voidTag.MatchString(name) || strings.HasSuffix(tag, "/>"):
		case at[2] == at[3]:
			open = append(open, tag)
		case len(open) > 1:
			open = open[:len(open)-1]
		}
	}
	return all
}
