package docs

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	published "levy/contract"
)

// Without scripts a reader finds every call, parameter and field of the contract, with its explanation.
func TestEveryCallIsReadableWithoutScripts(t *testing.T) {
	t.Parallel()
	engine := gin.New()
	missing := func(c *gin.Context) { c.String(http.StatusNotFound, "no such page") }
	require.NoError(t, Mount(engine, published.JSON, missing))
	all := get(engine, "/docs/calls").Body.String()
	pages := map[string]string{}
	for _, path := range regexp.MustCompile(`href="(/docs/calls/[^"#]+)"`).FindAllStringSubmatch(all, -1) {
		r := get(engine, path[1])
		require.Equal(t, http.StatusOK, r.Code, path)
		page := r.Body.String()
		require.NotRegexp(t, `<script|<style| style=|ZgotmplZ|<no value>`, page)
		anchors := map[string]int{}
		for _, id := range regexp.MustCompile(` id="([^"]+)"`).FindAllStringSubmatch(page, -1) {
			anchors[id[1]]++
			require.Equal(t, 1, anchors[id[1]], "%s: %s", path[1], id[1])
		}
		for _, to := range regexp.MustCompile(`href="#([^"]+)"`).FindAllStringSubmatch(page, -1) {
			require.Contains(t, anchors, to[1], path[1])
		}
		pages[path[1]] = page
	}
	var document openAPI
	require.NoError(t, json.Unmarshal(published.JSON, &document))
	require.Len(t, pages, len(document.Tags))
	for _, path := range document.Paths {
		for method, op := range map[string]*operation{
			"GET": path.Value.Get, "POST": path.Value.Post, "PUT": path.Value.Put, "DELETE": path.Value.Delete,
		} {
			if op == nil {
				continue
			}
			link := regexp.MustCompile(fmt.Sprintf(`href="(/docs/calls/[^"#]+)#%s"`, op.OperationID)).FindStringSubmatch(all)
			require.NotNil(t, link, op.OperationID)
			require.Contains(t, pages[link[1]], "<h2 id=\""+op.OperationID+"\"><code>"+method+" "+path.Name+"</code></h2>")
			require.Contains(t, html.UnescapeString(pages[link[1]]), op.Summary)
		}
	}
	sale := pages["/docs/calls/transactions"]
	for _, words := range []string{`<h3 id="TransactionCreate">`, "<code>tax_amount_imported</code>", "<code>SALE</code>"} {
		require.Contains(t, sale, words)
	}
	require.Equal(t, http.StatusNotFound, get(engine, "/docs/calls/nothing").Code)
	require.Contains(t, all, "Levy-Ignored-Fields", "what holds for all calls")
}

func TestProse(t *testing.T) {
	t.Parallel()
	text := "## Title\n\nFirst `code`,\n**strong** [link](/docs).\n\n- one\n- two\n\n1. three\n  2. four\n"
	require.Equal(t, []block{
		{"h", [][]span{{{Text: "Title"}}}},
		{"p", [][]span{{{Text: "First "}, {Kind: "code", Text: "code"}, {Text: ","}, {Text: " "}, {Kind: "strong", Text: "strong"},
			{Text: " "}, {Kind: "a", Text: "link", URL: "/docs"}, {Text: "."}}}},
		{"ul", [][]span{{{Text: "one"}}, {{Text: "two"}}}},
		{"ol", [][]span{{{Text: "three"}}, {{Text: "four"}}}},
	}, proseOf(text))
	require.Empty(t, proseOf(""))
}

// Texts of the contract use no more of Markdown than pages display.
func TestTheContractUsesTheMarkdownThatPagesDisplay(t *testing.T) {
	t.Parallel()
	var check func(value any)
	check = func(value any) {
		switch v := value.(type) {
		case map[string]any:
			for name, inner := range v {
				if text, ok := inner.(string); ok && name == "description" {
					for line := range strings.SplitSeq(text, "\n") {
						require.NotRegexp(t, `^\s*(\||>|~~~|\* |\+ |!\[)`, line)
					}
					continue
				}
				check(inner)
			}
		case []any:
			for _, inner := range v {
				check(inner)
			}
		}
	}
	var document any
	require.NoError(t, json.Unmarshal(published.JSON, &document))
	check(document)
}
