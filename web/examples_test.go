package web

import (
	"encoding/json"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"
)

// contractDocument is the contract, parsed once for all tests.
var contractDocument = sync.OnceValues(func() (*openapi3.T, error) {
	return openapi3.NewLoader().LoadFromFile("../api/openapi.yaml")
})

// exampleAPI answers each call with an example of the answer in the contract. Every list has three records. The variant
// selects the values of enumerations and booleans, so that different variants show different parts of a page.
type exampleAPI struct {
	paths      contractPaths
	operations map[string]*openapi3.Operation
	session    string
	variant    int
}

func exampleAPIOf(t *testing.T, session string, variant int) *exampleAPI {
	t.Helper()
	document, err := contractDocument()
	require.NoError(t, err)
	api := &exampleAPI{paths: contractPathsOf(t), operations: map[string]*openapi3.Operation{}, session: session,
		variant: variant}
	for _, item := range document.Paths.Map() {
		for _, operation := range item.Operations() {
			api.operations[operation.OperationID] = operation
		}
	}
	return api
}

func (a *exampleAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := a.paths.operation(r.Method, r.URL.Path)
	switch name {
	case "getSession":
		_, _ = w.Write([]byte(a.session))
		return
	case "exportRejectedRows":
		_, _ = w.Write([]byte("external_id,city,import_line,import_column,import_problem\nA-1,Troy,2,city,Unknown.\n"))
		return
	}
	operation := a.operations[name]
	if operation == nil {
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write([]byte(`{"status":404,"code":"not_found","title":"The object does not exist"}`))
		return
	}
	for _, status := range []string{"200", "201", "202"} {
		response := operation.Responses.Value(status)
		if response == nil {
			continue
		}
		if media := response.Value.Content["application/json"]; media != nil && media.Schema != nil {
			_ = json.NewEncoder(w).Encode(example{a.variant}.of(media.Schema.Value, 0))
			return
		}
	}
	_, _ = w.Write([]byte(`{}`))
}

// example makes example values of schemas.
type example struct{ variant int }

func (e example) of(schema *openapi3.Schema, depth int) any {
	if merged := mergedOf(schema); len(merged) > 0 && (schema.Type.Is("object") || schema.Type == nil) {
		return e.object(merged, depth)
	}
	for _, choices := range []openapi3.SchemaRefs{schema.OneOf, schema.AnyOf, schema.AllOf} {
		if len(choices) > 0 {
			return e.of(choices[e.variant%len(choices)].Value, depth)
		}
	}
	values := slices.DeleteFunc(slices.Clone(schema.Enum), func(value any) bool { return value == nil })
	switch {
	case len(values) > 0:
		return values[e.variant%len(values)]
	case schema.Type.Is("array"):
		return e.list(schema, depth)
	case schema.Type.Includes("boolean"):
		return e.variant%2 == 0
	case schema.Type.Includes("object"):
		return map[string]any{}
	case schema.Example != nil:
		return schema.Example
	case schema.Type.Includes("integer"), schema.Type.Includes("number"):
		return e.variant + 1
	case schema.Format == "date":
		return "2026-01-31"
	case schema.Format == "date-time":
		return "2026-01-31T10:00:00Z"
	}
	return "text"
}

func (e example) list(schema *openapi3.Schema, depth int) any {
	if depth > 6 || schema.Items == nil {
		return []any{}
	}
	all := make([]any, 3)
	for i := range all {
		all[i] = example{e.variant + i}.of(schema.Items.Value, depth+1)
	}
	return all
}

func (e example) object(properties openapi3.Schemas, depth int) any {
	all := map[string]any{}
	for name, property := range properties {
		if v := property.Value; decimalName.MatchString(name) && v.Type.Is("string") && v.Format == "" && len(v.Enum) == 0 && v.Example == nil {
			all[name] = "1234.56"
			continue
		}
		all[name] = e.of(property.Value, depth+1)
	}
	return all
}

// mergedOf returns the properties of an object, also those of the parts that it consists of.
func mergedOf(schema *openapi3.Schema) openapi3.Schemas {
	all := openapi3.Schemas{}
	for _, part := range schema.AllOf {
		maps.Copy(all, mergedOf(part.Value))
	}
	maps.Copy(all, schema.Properties)
	return all
}

// pathFor fills the pattern of a route with ids.
func pathFor(pattern string) string {
	return strings.NewReplacer("{$}", "", "{org}", "org_1", "{id}", "id_1", "{step}", "3", "{document}", "doc_1",
		"{token}", "token").Replace(pattern)
}

// decimalName are the names of properties that have a decimal.
var decimalName = regexp.MustCompile(`(^|_)(amount|quantity|rate|gross|taxable|tax|owed|sum|total|remitted|` +
	`collected|liability|sales|share|price)$|(^|_)amount_`)
