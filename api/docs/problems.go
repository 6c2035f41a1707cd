package docs

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"levy/contract/problem"
	"levy/models"
)

// problemView is a code for its page.
type problemView struct {
	Code    problem.Code
	Entry   problem.Entry
	Example string
}

// fieldView is the code of one field for its page.
type fieldView struct {
	Field    problem.FieldCode
	Problems []problem.Code // the problems with errors of the code
	Example  string
}

// renderProblems returns the list of all codes and the page of each, by the code.
func (r *renderer) renderProblems() (list document, pages map[string]document, err error) {
	views := make([]problemView, 0, len(problem.Table))
	pages = make(map[string]document, len(problem.Table)+len(problem.FieldCodes))
	for code := range problem.Table {
		view, err := newProblemView(code)
		if err != nil {
			return document{}, nil, err
		}
		if pages[string(code)], err = r.render("problem.html", view); err != nil {
			return document{}, nil, err
		}
		views = append(views, view)
	}
	for _, field := range problem.FieldCodes {
		view, err := newFieldView(field)
		if err != nil {
			return document{}, nil, err
		}
		if pages[field.Code], err = r.render("field.html", view); err != nil {
			return document{}, nil, err
		}
	}
	slices.SortFunc(views, func(a, b problemView) int {
		if a.Entry.Status != b.Entry.Status {
			return a.Entry.Status - b.Entry.Status
		}
		return strings.Compare(string(a.Code), string(b.Code))
	})
	list, err = r.render("problems.html", map[string]any{"Problems": views, "Fields": problem.FieldCodes})
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

func newFieldView(field problem.FieldCode) (fieldView, error) {
	fault := models.Fault{Code: field.Code, Path: field.Path, Message: field.Message}
	codes := []problem.Code{problem.CodeValidationFailed}
	switch field.Code {
	case models.FieldDuplicateKey:
		codes = []problem.Code{problem.CodeInvalidJSON}
	case models.FieldNotFound:
		codes = []problem.Code{problem.CodeProductNotFound, problem.CodeReferenceNotFound}
	case models.FieldUnknownParameter, models.FieldUnknownOrder:
		fault.In = models.InQuery
	}
	text, err := json.MarshalIndent(problem.Located([]models.Fault{fault})[0], "", "  ")
	if err != nil {
		return fieldView{}, fmt.Errorf("example of %s: %w", field.Code, err)
	}
	return fieldView{Field: field, Problems: codes, Example: string(text)}, nil
}
