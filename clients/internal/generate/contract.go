package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// api is the contract as a program with an API key sees it.
type api struct {
	doc        *openapi3.T
	operations []operation
}

// operation is one call, with what the generated methods need of it.
type operation struct {
	id, method, path, summary string
	pathNames                 []string // in the order of the path
	query                     []*openapi3.Parameter
	body                      body
	bodySchema                *openapi3.SchemaRef // of bodyJSON
	bodyOptional              bool
	answer                    answer
	answerSchema              *openapi3.SchemaRef // of answerJSON
	repeatable                bool                // it only reads: it may be sent again without an idempotency key
	keyed                     bool                // it takes an idempotency key
	pagedBy                   string              // after or page; empty for anything but a list
	item                      *openapi3.SchemaRef // of a list
}

// body is how the body of a request is sent.
type body int

const (
	bodyNone body = iota
	bodyJSON
	bodyCSV
	bodyForm // with one file
)

// answer is how the body of an answer is read.
type answer int

const (
	answerNone answer = iota
	answerJSON
	answerFile // bytes
)

// load reads the contract and leaves out what the clients do not have: other paths of the same operation, streams of
// events, calls of people with a session, and fields that the service ignores.
func load(file string) (*api, error) {
	loader := openapi3.NewLoader()
	doc, err := loader.LoadFromFile(file)
	if err != nil {
		return nil, err
	}
	a := &api{doc: doc}
	for _, path := range slices.Sorted(maps.Keys(doc.Paths.Map())) {
		item := doc.Paths.Value(path)
		for method, spec := range item.Operations() {
			if !offered(doc, path, spec) {
				item.SetOperation(method, nil)
				continue
			}
			op, err := newOperation(method, path, item, spec)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", spec.OperationID, err)
			}
			a.operations = append(a.operations, op)
		}
		if len(item.Operations()) == 0 {
			doc.Paths.Delete(path)
		}
	}
	slices.SortFunc(a.operations, func(x, y operation) int { return cmp.Compare(x.id, y.id) })
	for _, schema := range doc.Components.Schemas {
		simplify(schema.Value)
	}
	return a, nil
}

func offered(doc *openapi3.T, path string, spec *openapi3.Operation) bool {
	if spec.Extensions["x-alias-of"] != nil || path == "/v1/session" || strings.HasPrefix(path, "/v1/session/") {
		return false
	}
	security := doc.Security
	if spec.Security != nil {
		security = *spec.Security
	}
	byKey := len(security) == 0 || slices.ContainsFunc(security, func(one openapi3.SecurityRequirement) bool {
		return one["ApiKey"] != nil
	})
	return byKey && success(spec).Content["text/event-stream"] == nil
}

// success returns the answer of an operation that was carried out.
func success(spec *openapi3.Operation) *openapi3.Response {
	for status, response := range spec.Responses.Map() {
		if strings.HasPrefix(status, "2") {
			return response.Value
		}
	}
	return &openapi3.Response{}
}

func newOperation(method, path string, item *openapi3.PathItem, spec *openapi3.Operation) (operation, error) {
	op := operation{id: spec.OperationID, method: method, path: path, summary: strings.TrimSuffix(spec.Summary, ".")}
	for _, name := range regexp.MustCompile(`\{([^}]+)\}`).FindAllStringSubmatch(path, -1) {
		op.pathNames = append(op.pathNames, name[1])
	}
	for _, parameter := range slices.Concat(item.Parameters, spec.Parameters) {
		switch p := parameter.Value; {
		case p.In == openapi3.ParameterInQuery && slices.Contains(op.pathNames, p.Name): // the path says it already
		case p.In == openapi3.ParameterInQuery:
			op.query = append(op.query, p)
		case p.In == openapi3.ParameterInHeader && p.Name == "Idempotency-Key":
			op.keyed = true
		case p.In == openapi3.ParameterInHeader:
			return op, fmt.Errorf("the clients cannot send the header %s", p.Name)
		}
	}
	op.repeatable = method == "GET" || spec.Extensions["x-idempotency"] == "none"
	if spec.RequestBody != nil {
		content := spec.RequestBody.Value.Content
		op.bodyOptional = !spec.RequestBody.Value.Required
		switch {
		case content["application/json"] != nil:
			op.body, op.bodySchema = bodyJSON, content["application/json"].Schema
		case content["text/csv"] != nil:
			op.body = bodyCSV
		case content["multipart/form-data"] != nil:
			op.body = bodyForm
		default:
			return op, fmt.Errorf("the clients cannot send its body")
		}
	}
	content := success(spec).Content
	switch {
	case spec.Extensions["x-stream"] != nil:
		op.answer = answerFile
	case content["application/json"] != nil:
		op.answer, op.answerSchema = answerJSON, content["application/json"].Schema
		op.pagedBy, op.item = op.paging()
	case len(content) > 0:
		return op, fmt.Errorf("the clients cannot read its answer")
	}
	return op, nil
}

// paging returns how a list is continued, and the schema of its rows.
func (op *operation) paging() (by string, item *openapi3.SchemaRef) {
	items := op.answerSchema.Value.Properties["items"]
	if !strings.HasPrefix(op.id, "list") || items == nil {
		return "", nil
	}
	takes := func(name string) bool {
		return slices.ContainsFunc(op.query, func(p *openapi3.Parameter) bool { return p.Name == name })
	}
	switch {
	case takes("after") && op.answerSchema.Value.Properties["next_cursor"] != nil:
		return "after", items.Value.Items
	case takes("page") && op.answerSchema.Value.Properties["pages"] != nil:
		return "page", items.Value.Items
	}
	return "", nil
}

// iterated returns the parameters of the iterator of a list: those of the list but the ones that the iterator sets.
func (op *operation) iterated() []*openapi3.Parameter {
	return slices.DeleteFunc(slices.Clone(op.query), func(p *openapi3.Parameter) bool {
		return p.Name == "page" || p.Name == "offset"
	})
}

// inputFormats are the formats of decimals in requests.
var inputFormats = []string{"money", "money18", "rate", "qty", "percent"}

// isDecimalInput reports whether a schema is a decimal that is sent. The service takes a number too; the clients send
// texts, because a float holds no cent exactly.
func isDecimalInput(s *openapi3.Schema) bool { return slices.Contains(inputFormats, s.Format) }

// isDecimal reports whether a schema is a decimal in an answer: its pattern admits digits and a point alone.
func isDecimal(s *openapi3.Schema) bool {
	return s.Type.Is("string") && strings.Contains(s.Pattern, `(0|[1-9][0-9]`) && strings.Contains(s.Pattern, `\.`)
}

// simplify removes ignored fields, and makes a decimal that is sent a text.
func simplify(s *openapi3.Schema) {
	if isDecimalInput(s) {
		nullable := slices.ContainsFunc(s.AnyOf, func(one *openapi3.SchemaRef) bool { return one.Value.Nullable })
		s.Type, s.AnyOf, s.Nullable, s.Example, s.Default = &openapi3.Types{"string"}, nil, nullable, nil, nil
	}
	maps.DeleteFunc(s.Properties, func(_ string, p *openapi3.SchemaRef) bool { return p.Value.Extensions["x-ignored"] == true })
}

// document returns the contract as the clients see it.
func (a *api) document() (string, error) {
	content, err := json.MarshalIndent(a.doc, "", " ")
	return string(content), err
}

// refName returns the name of the schema that a reference leads to; empty where the schema stands in its place.
func refName(ref *openapi3.SchemaRef) string { return ref.Ref[strings.LastIndex(ref.Ref, "/")+1:] }

// upper returns a name as a type has it: some_name becomes SomeName.
func upper(name string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(name, "_") {
		if word != "" {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}

// line returns a text of the contract as one line.
func line(text string) string { return strings.Join(strings.Fields(text), " ") }
