package api

import (
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"levy/api/problem"

	"github.com/getkin/kin-openapi/openapi3"
)

// referencePage is what the reference shows, in the order of the contract.
type referencePage struct {
	Title, Version string
	Intro          template.HTML
	Tags           []tagView
	Schemas        []schemaView
	Problems       []problemView
}

type tagView struct {
	Name, Anchor string
	Description  template.HTML
	Operations   []operationView
}

type operationView struct {
	ID, Method, Path, Summary string
	Also                      string // another path of the same operation
	Description               template.HTML
	Parameters                []fieldView
	Body                      string // name of its schema
	BodyOptional              bool
	Fields                    []fieldView
	Command                   string
	Answer                    string
	Responses                 []responseView
}

type responseView struct {
	Status      string
	Description template.HTML
	Type        template.HTML
}

type schemaView struct {
	Name        string
	Type        template.HTML
	Description template.HTML
	Notes       []string
	Fields      []fieldView
}

type fieldView struct {
	Name, In    string
	Type        template.HTML
	Required    bool
	Deprecated  bool
	Description template.HTML
	Notes       []string
}

type problemView struct {
	Code    problem.Code
	Entry   problem.Entry
	Example string
}

func newReferencePage(c *contract) referencePage {
	page := referencePage{Title: c.doc.Info.Title, Version: c.doc.Info.Version, Intro: markdown(c.doc.Info.Description)}
	also := map[string]string{} // second paths, by operation
	for _, tag := range c.doc.Tags {
		view := tagView{Name: tag.Name, Anchor: "tag-" + anchor(tag.Name), Description: markdown(tag.Description)}
		for _, path := range c.order.at("paths").names() {
			item := c.doc.Paths.Value(path)
			for _, method := range c.order.at("paths", path).names() {
				op := item.GetOperation(strings.ToUpper(method))
				if op == nil || !slices.Contains(op.Tags, tag.Name) {
					continue
				}
				if original, alias := op.Extensions["x-alias-of"].(string); alias {
					also[original] = path
					continue
				}
				view.Operations = append(view.Operations, newOperationView(c, path, strings.ToUpper(method), item, op))
			}
		}
		for i := range view.Operations {
			view.Operations[i].Also = also[view.Operations[i].ID]
		}
		page.Tags = append(page.Tags, view)
	}
	for _, name := range c.order.at("components", "schemas").names() {
		page.Schemas = append(page.Schemas, newSchemaView(c, name))
	}
	for code, entry := range problem.Table {
		page.Problems = append(page.Problems, problemView{Code: code, Entry: entry})
	}
	slices.SortFunc(page.Problems, func(a, b problemView) int {
		if a.Entry.Status != b.Entry.Status {
			return a.Entry.Status - b.Entry.Status
		}
		return strings.Compare(string(a.Code), string(b.Code))
	})
	return page
}

func newOperationView(c *contract, path, method string, item *openapi3.PathItem, op *openapi3.Operation) operationView {
	view := operationView{
		ID: op.OperationID, Method: method, Path: path, Summary: op.Summary,
		Description: markdown(op.Description),
	}
	for _, ref := range append(append(openapi3.Parameters{}, item.Parameters...), op.Parameters...) {
		p := ref.Value
		view.Parameters = append(view.Parameters, fieldView{
			Name: p.Name, In: p.In, Type: typeOf(p.Schema), Required: p.Required,
			Description: markdown(p.Description), Notes: notesOf(p.Schema.Value),
		})
	}
	view.Command = command(path, method, op)
	if op.RequestBody != nil {
		schema := bodyOf(op).Schema
		view.Body, view.BodyOptional = refName(schema.Ref), !op.RequestBody.Value.Required
		view.Fields = fieldsOf(c, view.Body)
	}
	statuses := make([]string, 0, op.Responses.Len())
	for status := range op.Responses.Map() {
		statuses = append(statuses, status)
	}
	slices.Sort(statuses)
	for _, status := range statuses {
		response := op.Responses.Value(status).Value
		one := responseView{Status: status, Description: markdown(*response.Description)}
		if media := response.Content["application/json"]; media != nil {
			one.Type = typeOf(media.Schema)
			view.Answer = indented(sampleOf(c, media.Schema, 0))
		}
		view.Responses = append(view.Responses, one)
	}
	return view
}

func newSchemaView(c *contract, name string) schemaView {
	ref := c.doc.Components.Schemas[name]
	view := schemaView{Name: name, Description: markdown(ref.Value.Description), Notes: notesOf(ref.Value), Fields: fieldsOf(c, name)}
	if len(view.Fields) == 0 {
		view.Type = typeOf(&openapi3.SchemaRef{Value: ref.Value})
	}
	return view
}

// fieldsOf are the fields of a named schema, those that must be there first.
func fieldsOf(c *contract, name string) []fieldView {
	schema := c.doc.Components.Schemas[name].Value
	var required, optional []fieldView
	for _, field := range c.order.at("components", "schemas", name, "properties").names() {
		ref := schema.Properties[field]
		view := fieldView{
			Name: field, Type: typeOf(ref), Required: slices.Contains(schema.Required, field),
			Deprecated: ref.Value.Deprecated, Notes: notesOf(ref.Value),
		}
		if ref.Ref == "" {
			view.Description = markdown(ref.Value.Description)
		} else {
			view.Notes = nil
		}
		if view.Required {
			required = append(required, view)
		} else {
			optional = append(optional, view)
		}
	}
	return append(required, optional...)
}

func refName(ref string) string { return ref[strings.LastIndexByte(ref, '/')+1:] }

// typeOf names a type in words, with links to the schemas on the page.
func typeOf(ref *openapi3.SchemaRef) template.HTML {
	s := ref.Value
	var name string
	switch {
	case ref.Ref != "":
		name = link(refName(ref.Ref))
	case len(s.AllOf) == 1:
		name = string(typeOf(s.AllOf[0]))
	case s.Type.Is("array"):
		name = "list of " + string(typeOf(s.Items))
	case len(s.AnyOf) > 0:
		name = "number or decimal string"
	case s.Type.Is("object"):
		name = "object"
	case s.Type.Is("integer"):
		name = "whole number"
	case s.Type.Is("boolean"):
		name = "true or false"
	case s.Format == "date" || s.Format == "shop-date":
		name = "date"
	case s.Format == "date-time":
		name = "date-time"
	case s.Format == "from-instant" || s.Format == "to-instant":
		name = "date or date-time"
	case s.Format == "email":
		name = "e-mail address"
	case s.Format == "phone":
		name = "telephone number"
	case s.Format == "timezone":
		name = "IANA time zone"
	default:
		name = "text"
	}
	if s.Nullable {
		name += " or null"
	}
	return template.HTML(name) //nolint:gosec // fixed words and names of schemas
}

func link(name string) string {
	return `<a href="#schema-` + template.HTMLEscapeString(name) + `">` + template.HTMLEscapeString(name) + `</a>`
}

// notesOf are the limits of a value, in words.
func notesOf(s *openapi3.Schema) []string {
	var notes []string
	add := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	if s.Default != nil {
		add("default %s", plain(s.Default))
	}
	if s.MaxLength != nil && s.Pattern == "" {
		add("at most %d characters", *s.MaxLength)
	}
	if s.MinItems > 0 {
		add("at least %d", s.MinItems)
	}
	if s.MaxItems != nil {
		add("at most %d", *s.MaxItems)
	}
	if s.Type.Is("integer") && s.Min != nil && s.Max != nil {
		add("%s to %s", plain(*s.Min), plain(*s.Max))
	}
	if len(s.Enum) > 0 {
		add("one of %s", list(s.Enum))
	} else if s.Type.Is("array") && s.Items.Ref == "" && len(s.Items.Value.Enum) > 0 {
		add("any of %s", list(s.Items.Value.Enum))
	}
	if s.Example != nil && !s.Type.Is("object") {
		add("for example %s", plain(s.Example))
	}
	return notes
}

func list(values []any) string {
	names := make([]string, 0, len(values))
	for _, value := range values {
		names = append(names, plain(value))
	}
	return strings.Join(names, ", ")
}

func plain(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case []any:
		return list(v)
	}
	return fmt.Sprint(value)
}

func newProblemPage(code problem.Code) problemView {
	entry := problem.Table[code]
	example := map[string]any{
		"type": "/docs/problems/" + string(code), "title": entry.Title, "status": entry.Status, "detail": entry.Detail,
		"instance": "/v1/transactions", "code": code, "request_id": "req_01jx4m8yqze6brd1v0s2k9w3hf",
		"retryable": entry.Retryable, "errors": []any{},
	}
	if code == problem.CodeValidationFailed {
		example["detail"] = "1 field is invalid."
		example["errors"] = []problem.FieldError{problem.Field(problem.FieldTooPrecise, "body.transaction_items[0].amount", "At most 2 decimals are allowed.")}
	}
	if entry.Outcome != "" {
		example["outcome"] = entry.Outcome
	}
	return problemView{Code: code, Entry: entry, Example: indented(example)}
}
