package contract_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/stretchr/testify/require"
)

// contract is api/openapi.yaml, made stricter for answers: members that it does
// not name are not allowed.
type contract struct {
	*document

	mu   sync.Mutex
	seen map[string]map[int]bool // operationId -> status, of the answers so far
}

// document is read once for all tests.
type document struct {
	doc        *openapi3.T
	operations map[string]operation // by operationId
}

// operation is one operation with its place.
type operation struct {
	*openapi3.Operation
	method, path string
	item         *openapi3.PathItem
}

var readDocument = sync.OnceValues(func() (*document, error) {
	doc, err := openapi3.NewLoader().LoadFromFile("../../api/openapi.yaml")
	if err != nil {
		return nil, err
	}
	d := &document{doc: doc, operations: map[string]operation{}}
	closed := map[*openapi3.Schema]bool{}
	for path, item := range doc.Paths.Map() {
		for method, spec := range item.Operations() {
			d.operations[spec.OperationID] = operation{spec, method, path, item}
			for _, response := range spec.Responses.Map() {
				for _, media := range response.Value.Content {
					closeObjects(media.Schema, closed)
				}
			}
		}
	}
	return d, nil
})

func newContract(t tester) *contract {
	t.Helper()
	document, err := readDocument()
	require.NoError(t, err)
	return &contract{document: document, seen: map[string]map[int]bool{}}
}

// closeObjects forbids members without a name in the document, except where it
// says that others may come.
func closeObjects(ref *openapi3.SchemaRef, done map[*openapi3.Schema]bool) {
	if ref == nil || ref.Value == nil || done[ref.Value] {
		return
	}
	s := ref.Value
	done[s] = true
	for _, property := range s.Properties {
		closeObjects(property, done)
	}
	for _, part := range s.AllOf {
		closeObjects(part, done)
	}
	closeObjects(s.Items, done)
	if len(s.Properties) > 0 && s.AdditionalProperties.Has == nil && s.AdditionalProperties.Schema == nil {
		no := false
		s.AdditionalProperties.Has = &no
	}
}

// find returns the operations of a path, nil for a path outside the document. A
// word of the path goes before a parameter.
func (c *contract) find(escaped string) (path string, item *openapi3.PathItem) {
	sent := strings.Split(escaped, "/")
	best := -1
	for candidate, operations := range c.doc.Paths.Map() {
		parts := strings.Split(candidate, "/")
		words := matches(parts, sent)
		if words > best {
			best, path, item = words, candidate, operations
		}
	}
	return path, item
}

// matches counts the words that are equal, -1 when the path is another one.
func matches(parts, sent []string) int {
	if len(parts) != len(sent) {
		return -1
	}
	words := 0
	for i, part := range parts {
		switch {
		case part == sent[i]:
			words++
		case !strings.HasPrefix(part, "{") || sent[i] == "":
			return -1
		}
	}
	return words
}

// check holds an answer against the contract: what every answer has, what an
// error has, and what the document says about this operation and status.
func (c *contract) check(t tester, r *http.Request, a answer) {
	t.Helper()
	checkHeaders(t, r, a)
	if a.status >= 400 {
		checkProblem(t, r, a)
	}
	path, item := c.find(escapedPath(r))
	if item == nil {
		return
	}
	operations := item.Operations()
	if spec, known := operations[r.Method]; known {
		operations = map[string]*openapi3.Operation{r.Method: spec}
	}
	for method, spec := range operations { // a wrong method is the answer of all methods of the path
		c.checkOperation(t, r, a, operation{spec, method, path, item})
	}
}

func (c *contract) checkOperation(t tester, r *http.Request, a answer, op operation) {
	t.Helper()
	err := openapi3filter.ValidateResponse(r.Context(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{
			Request: r,
			Route:   &routers.Route{Spec: c.doc, Path: op.path, PathItem: op.item, Method: op.method, Operation: op.Operation},
		},
		Status: a.status, Header: a.header, Body: io.NopCloser(strings.NewReader(string(a.body))),
		Options: &openapi3filter.Options{IncludeResponseStatus: true, MultiError: true, SchemaValidationOptions: formats},
	})
	require.NoError(t, err, "%s answered %d:\n%s", op.OperationID, a.status, a.body)
	if response := op.Responses.Status(a.status); len(response.Value.Content) == 0 {
		require.Empty(t, a.body, "%s answered %d with a body", op.OperationID, a.status)
		require.Empty(t, a.header.Get("Content-Type"))
	}
	checkList(t, a)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seen[op.OperationID] == nil {
		c.seen[op.OperationID] = map[int]bool{}
	}
	c.seen[op.OperationID][a.status] = true
}

// init lets the validator read streams of events, which are text.
func init() {
	openapi3filter.RegisterBodyDecoder("text/event-stream", openapi3filter.PlainBodyDecoder)
	openapi3filter.RegisterBodyDecoder("text/csv", openapi3filter.PlainBodyDecoder)
	openapi3filter.RegisterBodyDecoder("application/pdf", openapi3filter.FileBodyDecoder)
}

// formats are the forms in which dates are answered.
var formats = []openapi3.SchemaValidationOption{
	openapi3.EnableFormatValidation(),
	openapi3.WithStringFormatValidator("date", openapi3.NewRegexpFormatValidator(`^\d{4}-\d\d-\d\d$`)),
	openapi3.WithStringFormatValidator("date-time",
		openapi3.NewRegexpFormatValidator(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{0,5}[1-9])?Z$`)),
}

// checkList checks the arithmetic of a page.
func checkList(t tester, a answer) {
	t.Helper()
	var list struct {
		Items                    []json.RawMessage
		Total, Page, Size, Pages *int
	}
	if json.Unmarshal(a.body, &list) != nil || list.Total == nil || list.Pages == nil {
		return
	}
	require.NotNil(t, list.Items, "a list is never null")
	require.LessOrEqual(t, len(list.Items), *list.Size)
	require.Equal(t, (*list.Total+*list.Size-1)/(*list.Size), *list.Pages)
	require.GreaterOrEqual(t, *list.Page, 1)
}

// escapedPath is the path as it was sent.
func escapedPath(r *http.Request) string {
	path, _, _ := strings.Cut(r.RequestURI, "?")
	if u, err := url.ParseRequestURI(r.RequestURI); err == nil {
		path = u.EscapedPath()
	}
	return path
}

// member is a member of the answer's JSON object.
func (a answer) member(t tester, name string) any {
	t.Helper()
	var object map[string]any
	a.decode(t, &object)
	return object[name]
}

func (a answer) text(t tester, name string) string {
	t.Helper()
	s, ok := a.member(t, name).(string)
	require.True(t, ok, "%s in %s", name, a.body)
	return s
}

func (a answer) decode(t tester, to any) {
	t.Helper()
	require.NoError(t, json.Unmarshal(a.body, to), "%s", a.body)
}

func TestTheContractIsAValidDocument(t *testing.T) {
	t.Parallel()
	document, err := readDocument()
	require.NoError(t, err)
	require.NoError(t, document.doc.Validate(t.Context(), openapi3.DisableExamplesValidation()))
}

// Strict readers refuse a null that only the wrapper of a closed set allows, because they read the set. The named set
// must contain the null itself.
func TestNullsAreInTheirSets(t *testing.T) {
	t.Parallel()
	document, err := readDocument()
	require.NoError(t, err)
	checked, lists := map[*openapi3.Schema]bool{}, 0
	var check func(place string, ref *openapi3.SchemaRef)
	check = func(place string, ref *openapi3.SchemaRef) {
		if ref == nil || checked[ref.Value] {
			return
		}
		s := ref.Value
		checked[s] = true
		require.False(t, s.Nullable && s.Type == nil, "%s: nullable without type", place) // only a type can be widened
		for _, part := range slices.Concat(s.AllOf, s.AnyOf, s.OneOf) {
			require.False(t, s.Nullable && len(part.Value.Enum) > 0 &&
				!slices.Contains(part.Value.Enum, nil), "%s: its set has no null", place)
			check(place, part)
		}
		if s.Nullable && len(s.Enum) > 0 {
			lists++
			require.Contains(t, s.Enum, nil, place)
			name, _ := s.Extensions["x-go-type"].(string)
			name = strings.TrimSuffix(strings.TrimPrefix(name, "nullable.Nullable["), "]")
			if named := document.doc.Components.Schemas[name]; named != nil {
				require.ElementsMatch(t, append([]any{nil}, named.Value.Enum...), s.Enum, place)
			}
		}
		check(place, s.Items)
		for name, property := range s.Properties {
			check(place+"."+name, property)
		}
	}
	for id, op := range document.operations {
		for _, response := range op.Responses.Map() {
			for _, media := range response.Value.Content {
				check(id, media.Schema)
			}
		}
		if op.RequestBody != nil {
			for _, media := range op.RequestBody.Value.Content {
				check(id, media.Schema)
			}
		}
	}
	require.GreaterOrEqual(t, lists, 15)
}
