package api

import (
	_ "embed"
	"html/template"
	"strings"
)

//go:embed docs.html
var docsHTML string

//go:embed docs.css
var docsCSS string

var docsTemplate = template.Must(template.New("docs").Funcs(template.FuncMap{
	"style": func() template.CSS { return template.CSS(docsCSS) }, //nolint:gosec // our own stylesheet
	"lower": strings.ToLower,
}).Parse(docsHTML))

// markdown renders the little of Markdown that the contract uses: paragraphs,
// headings (##), lists (-), `code` and **bold**. Everything else is text.
func markdown(text string) template.HTML {
	var b strings.Builder
	for _, block := range strings.Split(strings.TrimSpace(text), "\n\n") {
		block = strings.TrimSpace(block)
		switch {
		case block == "":
		case strings.HasPrefix(block, "## "):
			title := strings.TrimPrefix(block, "## ")
			b.WriteString(`<h3 id="` + anchor(title) + `">` + inline(title) + "</h3>\n")
		case strings.HasPrefix(block, "- "):
			b.WriteString("<ul>\n")
			for _, item := range strings.Split(block[2:], "\n- ") {
				b.WriteString("<li>" + inline(item) + "</li>\n")
			}
			b.WriteString("</ul>\n")
		default:
			b.WriteString("<p>" + inline(block) + "</p>\n")
		}
	}
	return template.HTML(b.String()) //nolint:gosec // every text in it is escaped by inline
}

// inline escapes a text and marks code and bold in it.
func inline(text string) string {
	var b strings.Builder
	for i, part := range strings.Split(text, "`") {
		if i%2 == 1 {
			b.WriteString("<code>" + template.HTMLEscapeString(part) + "</code>")
			continue
		}
		for j, piece := range strings.Split(part, "**") {
			if j%2 == 1 {
				b.WriteString("<strong>" + template.HTMLEscapeString(piece) + "</strong>")
			} else {
				b.WriteString(template.HTMLEscapeString(piece))
			}
		}
	}
	return b.String()
}

// anchor is a title as the name of a place on the page.
func anchor(title string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, title)
}
