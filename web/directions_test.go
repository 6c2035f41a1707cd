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

	"levy/contract"
)

// typedName is a text of a language that is written from right to left.
const typedName = "שלום 12"

// typedProperties are the properties of answers that have names and texts of people.
var typedProperties = regexp.MustCompile(`^(name|(organization|customer|product|file|actor|author|object|receiver|bank|` +
	`account_holder|business)_name|(made|granted|approved|created|disregarded|decided|requested|shared)_by|filename|dba|title|` +
	`product|note|notes|internal_notes|description|product_description|comment|assignee|reason|(skip|cancelled|disregard)_reason|` +
	`attestation|authority|answer)$`)

// rightToLeft puts a name from right to left in the place of each text that people type. Alarms, forms of authorities and
// the authorities themselves have names of the program.
func rightToLeft(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for _, property := range []string{"runbook", "edition"} {
			if _, own := v[property]; own {
				return v
			}
		}
		for key, each := range v {
			if _, own := each.(map[string]any); own && key == "authority" {
				continue
			}
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

// answersChanged is an API whose answers in JSON are changed.
func answersChanged(api http.Handler, change func(any) any) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		recorded := httptest.NewRecorder()
		api.ServeHTTP(recorded, r)
		body := recorded.Body.Bytes()
		var answer any
		if json.Unmarshal(body, &answer) == nil {
			body, _ = json.Marshal(change(answer))
		}
		w.WriteHeader(recorded.Code)
		_, _ = w.Write(body)
	})
}

// Names that people type stand in the direction of their own language: the name is the whole text of an element that
// isolates it. Fields and the title of a window hold plain text, in which two characters isolate a name.
func TestNamesHaveTheirOwnDirection(t *testing.T) {
	t.Parallel()
	style, err := os.ReadFile("assets/style.css")
	require.NoError(t, err)
	rule := regexp.MustCompile(`(?m)^([a-z, ]+) \{ unicode-bidi: plaintext; \}$`).FindSubmatch(style)
	require.NotNil(t, rule)
	whole := strings.Split(string(rule[1]), ", ")
	session := strings.NewReplacer(`"Shop"`, `"`+typedName+`"`, `"Ada"`, `"`+typedName+`"`).Replace(sessionsOf["an admin of a partner"])
	names, faults := 0, []string{}
	for variant := range 2 {
		eachPage(t, answersChanged(exampleAPIOf(t, session, variant), rightToLeft), func(path, page string) {
			for _, text := range textsOf(page) {
				if !strings.Contains(text.text, typedName) {
					continue
				}
				names++
				if fault := undirected(text, whole); fault != "" {
					faults = append(faults, path+": "+fault)
				}
			}
			for _, said := range saidInAttributes(page) {
				if strings.Contains(strings.ReplaceAll(said, isolated(typedName), ""), typedName) {
					faults = append(faults, path+": "+said)
				}
			}
		})
	}
	slices.Sort(faults)
	require.Empty(t, strings.Join(slices.Compact(faults), "\n"))
	require.Greater(t, names, 200)
}

// attributeInWords is an attribute whose text is read aloud, or shown beside an element. No element in it isolates a name.
var attributeInWords = regexp.MustCompile(`\s(?:aria-label|aria-description|aria-valuetext|title|alt|placeholder)="([^"]*)"`)

func TestNamesInAttributesAreFound(t *testing.T) {
	t.Parallel()
	page := `<nav class="` + typedName + `" aria-label="Lines of ` + typedName + `"><abbr title="Shop">S</abbr></nav>`
	require.Equal(t, []string{` aria-label="Lines of ` + typedName + `"`}, saidInAttributes(page))
}

// saidInAttributes returns the texts of attributes of a page that have a name.
func saidInAttributes(page string) (said []string) {
	for _, tag := range anyTag.FindAllString(page, -1) {
		for _, found := range attributeInWords.FindAllStringSubmatch(tag, -1) {
			if strings.Contains(found[1], typedName) {
				said = append(said, found[0])
			}
		}
	}
	return said
}

// undirected returns the text of an element whose name takes the direction of what is around it; "" if none does. whole
// are the elements that the stylesheet isolates.
func undirected(text elementText, whole []string) string {
	said := strings.ReplaceAll(text.text, isolated(typedName), "")
	tag := strings.Trim(strings.Fields(text.element)[0], "<>")
	if tag == "script" || !strings.Contains(said, typedName) ||
		strings.TrimSpace(said) == typedName &&
			(tag == "bdi" || slices.Contains(whole, tag) || strings.Contains(text.element, ` dir="auto"`)) {
		return ""
	}
	return text.element + " " + strings.Join(strings.Fields(said), " ")
}

// A name in a plain text is isolated where its letters turn what is around them.
func TestNamesInPlainTextAreIsolated(t *testing.T) {
	t.Parallel()
	require.Equal(t, "Ada & Søn 株式会社 12", isolated("Ada & Søn 株式会社 12"))
	for _, name := range []string{typedName, "شركة", "\u202Ecba", "\u0661"} {
		require.Equal(t, "\u2068"+name+"\u2069", isolated(name))
	}
	changed := auditEntry{AuditEntry: contract.AuditEntry{Changes: map[string]any{
		"name": map[string]any{"from": typedName, "to": "Shop"}, "note": typedName, "tags": []any{typedName, "new_one"}}}}
	said := "\u2068" + typedName + "\u2069"
	require.Equal(t, []string{"Name: " + said + " → Shop", "Note: " + said, "Tags: " + said + ", new one"}, changed.Lines())
}

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
