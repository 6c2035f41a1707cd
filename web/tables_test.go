package web

import (
	"encoding/xml"
	"errors"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// labelledCells checks the tables of a page, and counts their cells. Every cell names its column, which the stylesheet
// shows on narrow screens. Every part of a table has the role that browsers forget there.
func labelledCells(t *testing.T, path, page string) (cells int) {
	t.Helper()
	roles := map[string]string{"table": "table", "thead": "rowgroup", "tbody": "rowgroup", "tr": "row", "td": "cell"}
	tokens := xml.NewDecoder(strings.NewReader(page))
	tokens.Strict, tokens.AutoClose, tokens.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	var columns []string
	head, label, column := false, (*strings.Builder)(nil), 0
	for {
		token, err := tokens.Token()
		if errors.Is(err, io.EOF) {
			return cells
		}
		require.NoError(t, err, path)
		switch token := token.(type) {
		case xml.StartElement:
			name, attributes := token.Name.Local, map[string]string{}
			for _, attribute := range token.Attr {
				attributes[attribute.Name.Local] = attribute.Value
			}
			role, known := roles[name]
			switch {
			case name == "thead":
				head, columns = true, nil
			case name == "tbody":
				head = false
			case name == "tr":
				column = 0
			case name == "th" && head:
				role, known, label = "columnheader", true, &strings.Builder{}
			case name == "th":
				role, known = "rowheader", true
				column++
			case name == "td":
				require.Less(t, column, len(columns), "%s: a cell without a column", path)
				require.Equal(t, columns[column], attributes["data-column"], path)
				column++
				cells++
			}
			require.True(t, !known || attributes["role"] == role, "%s: <%s> has the role %q", path, name, attributes["role"])
		case xml.EndElement:
			if token.Name.Local == "th" && label != nil {
				columns, label = append(columns, label.String()), nil
			}
		case xml.CharData:
			if label != nil {
				label.Write(token)
			}
		}
	}
}

// Cells name their columns in every template, also if no test has a row of the table.
func TestEveryCellNamesItsColumn(t *testing.T) {
	t.Parallel()
	files, err := templates.ReadDir("templates")
	require.NoError(t, err)
	for _, file := range files {
		page, err := templates.ReadFile("templates/" + file.Name())
		require.NoError(t, err)
		for _, tag := range regexp.MustCompile(`<(?:table|thead|tbody|tr|td|th)\b[^>]*`).FindAllString(string(page), -1) {
			require.Contains(t, tag, ` role="`, file.Name())
			require.True(t, !strings.HasPrefix(tag, "<td") || strings.Contains(tag, ` data-column="`), "%s: %s", file.Name(), tag)
		}
	}
}

// A page number after the last page, such as after a deletion, redirects to the last page.
func TestAPageAfterTheLastOneLeadsThere(t *testing.T) {
	t.Parallel()
	answers := map[string]string{"GET /v1/session": anAdmin, "GET /v1/products": `{"page":9,"pages":2,"total":60}`,
		"GET /v1/products/categories": `[]`, "GET /v1/users": `{"page":9,"pages":0}`,
		"GET /v1/organizations/org_1/settings": `{}`}
	past := visitedWith(t, answers, "/o/org_1/products?after=x&page=9&search_query=a", nil)
	require.Equal(t, http.StatusSeeOther, past.Code)
	require.Equal(t, "/o/org_1/products?page=2&search_query=a", past.Header().Get("Location"))
	require.Equal(t, http.StatusOK, visitedWith(t, answers, "/o/org_1/people?page=9", nil).Code)
}

// Each page that reads a list has its number of pages, and the jumps. Others show a part of the list and say so.
func TestEveryListHasItsPages(t *testing.T) {
	t.Parallel()
	parts := []string{}
	lists, asked := 0, false
	api := answersChanged(exampleAPIOf(t, sessionsOf["an admin of a partner"], 0), func(value any) any {
		if answer, ok := value.(map[string]any); ok && answer["pages"] != nil {
			answer["page"], answer["pages"], answer["total"], asked = 3, 107, 2675, true
		}
		return value
	})
	eachPage(t, api, func(path, page string) {
		switch {
		case strings.Contains(page, "Page 3 of 107"):
			require.Contains(t, page, `id="to-page"`, path)
			require.Contains(t, page, ">First</a>", path)
			require.Contains(t, page, ">Last</a>", path)
			lists++
		case asked:
			parts = append(parts, path)
		}
		asked = false
	})
	require.Equal(t, []string{"/{$}", "/filings/calendar", "/o/{org}", "/o/{org}/clients/{id}", "/o/{org}/filings/{id}", "/o/{org}/nexus",
		"/o/{org}/nexus/simulate", "/o/{org}/registrations/{id}", "/o/{org}/notices/{id}", "/o/{org}/customers/{id}", "/o/{org}/estimate"}, parts)
	require.Greater(t, lists, 15)
}

// A long list leads to its first and last page and to any page by its number, and keeps its filters.
func TestLongListsHaveJumps(t *testing.T) {
	t.Parallel()
	page := func(page, pages string) string {
		shown := visitedWith(t, map[string]string{"GET /v1/session": anAdmin,
			"GET /v1/filings": `{"items":[` + aReturn + `],"total":999,"page":` + page + `,"pages":` + pages + `}`},
			"/o/org_1/filings?status__in=FILED&page="+page, nil)
		require.Equal(t, http.StatusOK, shown.Code, shown.Body)
		return shown.Body.String()
	}
	middle := page("3", "107")
	for _, text := range []string{
		"Page 3 of 107", `<a href="?page=1&amp;status__in=FILED">First</a>`, `<a href="?page=107&amp;status__in=FILED">Last</a>`,
		`<input type="hidden" name="status__in" value="FILED">`, `<input id="to-page" name="page"`,
	} {
		require.Contains(t, middle, text)
	}
	require.NotContains(t, page("1", "107"), ">First<")
	require.NotContains(t, page("107", "107"), ">Last<")
	require.NotContains(t, page("1", "2"), "to-page", "two pages have links to each other")
}
