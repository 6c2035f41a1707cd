package docs

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
)

//go:embed templates/*.html
var templates embed.FS

// renderer writes the pages that need no script, from their templates.
type renderer struct{ templates *template.Template }

func newRenderer() (*renderer, error) {
	parsed, err := template.New("").Funcs(template.FuncMap{"list": list}).ParseFS(templates, "templates/*.html")
	if err != nil {
		return nil, fmt.Errorf("templates of /docs: %w", err)
	}
	return &renderer{templates: parsed}, nil
}

// render returns the page of a template.
func (r *renderer) render(name string, data any) (document, error) {
	var b bytes.Buffer
	if err := r.templates.ExecuteTemplate(&b, name, data); err != nil {
		return document{}, fmt.Errorf("page of /docs: %w", err)
	}
	return document{contentType: typeHTML, body: b.Bytes()}, nil
}

// list makes several values one argument of a template.
func list(values ...any) []any { return values }
