package docs

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"levy/contract/problem"
	"levy/models"
)

//go:embed templates/*.html
var templates embed.FS

// problemView is a code for its page.
type problemView struct {
	Code    problem.Code
	Entry   problem.Entry
	Example string
}

// renderProblems returns the list of all codes and the page of each.
func renderProblems() (document, map[problem.Code]document, error) {
	parsed, err := template.ParseFS(templates, "templates/*.html")
	if err != nil {
		return document{}, nil, fmt.Errorf("pages of the error codes: %w", err)
	}
	render := func(name string, data any) (document, error) {
		var b bytes.Buffer
		if err := parsed.ExecuteTemplate(&b, name, data); err != nil {
			return document{}, fmt.Errorf("pages of the error codes: %w", err)
		}
		return document{contentType: typeHTML, body: b.Bytes()}, nil
	}
	views := make([]problemView, 0, len(problem.Table))
	pages := make(map[problem.Code]document, len(problem.Table))
	for code := range problem.Table {
		view, err := newProblemView(code)
		if err != nil {
			return document{}, nil, err
		}
		if pages[code], err = render("problem.html", view); err != nil {
			return document{}, nil, err
		}
		views = append(views, view)
	}
	slices.SortFunc(views, func(a, b problemView) int {
		if a.Entry.Status != b.Entry.Status {
			return a.Entry.Status - b.Entry.Status
		}
		return strings.Compare(string(a.Code), string(b.Code))
	})
	list, err := render("problems.html", map[string]any{"Problems": views, "Fields": problem.FieldCodes})
	return list, pages, err
}

func newProblemView(code problem.Code) (problemView, error) {
	entry := problem.Table[code]
	example := map[string]any{
		"type": "/docs/problems/" + string(code), "title": entry.Title, "status": entry.Status, "detail": entry.Detail,
		"instance": "/v1/transactions", "code": code, "request_id": "req_01jx4m8yqze6brd1v0s2k9w3hf",
		"retryable": entry.Retryable, "errors": []any{},
	}
	if code == problem.CodeValidationFailed {
		example["detail"] = "1 field is invalid."
		example["errors"] = problem.Located([]models.Fault{{
			Code: models.FieldTooPrecise, Path: "transaction_items[0].amount", Message: "At most 2 decimals are allowed.",
		}})
	}
	if entry.Outcome != "" {
		example["outcome"] = entry.Outcome
	}
	text, err := json.MarshalIndent(example, "", "  ")
	if err != nil {
		return problemView{}, fmt.Errorf("example of %s: %w", code, err)
	}
	return problemView{Code: code, Entry: entry, Example: string(text)}, nil
}
