package contracttest

import (
	"encoding/json"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// Paths finds operations of the contract by method and path.
type Paths []pathOf

type pathOf struct {
	method, operation string
	path              *regexp.Regexp
	words             int // the length of the path without its parameters
}

// PathsOf returns the paths of a contract.
func PathsOf(document *openapi3.T) (all Paths) {
	variable, parameter := regexp.MustCompile(`\\\{[^/]+\\\}`), regexp.MustCompile(`\{[^/]+\}`)
	for path, item := range document.Paths.Map() {
		pattern := regexp.MustCompile("^" + variable.ReplaceAllString(regexp.QuoteMeta(path), "[^/]+") + "$")
		words := len(parameter.ReplaceAllString(path, ""))
		for method, operation := range item.Operations() {
			all = append(all, pathOf{method, operation.OperationID, pattern, words})
		}
	}
	return all
}

// Operation returns the id of the operation of a request; "" if there is none.
func (p Paths) Operation(method, path string) string {
	best, words := "", -1
	for _, one := range p {
		if one.method == method && one.path.MatchString(path) && one.words > words {
			best, words = one.operation, one.words
		}
	}
	return strings.TrimSuffix(best, "Alias")
}

// Examples answers each call with an example of the answer in the contract.
type Examples struct {
	Session string // the answer of getSession
	Variant int    // selects the values of enumerations and booleans, so that variants show different parts of a page

	paths      Paths
	operations map[string]*openapi3.Operation
}

// ExamplesOf returns an API of the examples of a contract.
func ExamplesOf(document *openapi3.T, session string, variant int) *Examples {
	api := &Examples{Session: session, Variant: variant, paths: PathsOf(document), operations: map[string]*openapi3.Operation{}}
	for _, item := range document.Paths.Map() {
		for _, operation := range item.Operations() {
			api.operations[operation.OperationID] = operation
		}
	}
	return api
}

func (a *Examples) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := a.paths.Operation(r.Method, r.URL.Path)
	switch name {
	case "getSession":
		_, _ = w.Write([]byte(a.Session))
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
			_ = json.NewEncoder(w).Encode(example{a.Variant}.of(media.Schema.Value, 0))
			return
		}
	}
	_, _ = w.Write([]byte(`{}`))
}

// example makes example values of schemas.
type example struct{ variant int }

// records is how many records a list of an example has.
const records = 3

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
	case schema.Example != nil:
		return schema.Example
	case schema.Type.Includes("object"):
		return map[string]any{}
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
	all := make([]any, records)
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

// decimalName are the names of properties that have a decimal.
var decimalName = regexp.MustCompile(`(^|_)(amount|quantity|rate|gross|taxable|tax|owed|sum|total|remitted|` +
	`collected|liability|sales|share|price)$|(^|_)amount_`)
