package validate

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Document is the enforced part of an OpenAPI document: its operations, and the schemas of their requests and answers.
// ReadDocument reads it in one pass, because every process begins by reading it. A general OpenAPI reader took longer
// than the rest of the start.
type Document struct {
	Paths      map[string]*PathItem `json:"paths"`
	Components struct {
		Schemas       map[string]*Schema    `json:"schemas"`
		Parameters    map[string]*Parameter `json:"parameters"`
		RequestBodies map[string]*Body      `json:"requestBodies"`
		Responses     map[string]*Body      `json:"responses"`
	} `json:"components"`
}

// PathItem is a path with its operations and the parameters that they share.
type PathItem struct {
	Parameters []*Parameter `json:"parameters"`
	Get        *Operation   `json:"get"`
	Put        *Operation   `json:"put"`
	Post       *Operation   `json:"post"`
	Patch      *Operation   `json:"patch"`
	Delete     *Operation   `json:"delete"`
}

// Operations returns the operations of the path by method.
func (p *PathItem) Operations() map[string]*Operation {
	all := map[string]*Operation{}
	for method, op := range map[string]*Operation{
		"GET": p.Get, "PUT": p.Put, "POST": p.Post, "PATCH": p.Patch, "DELETE": p.Delete,
	} {
		if op != nil {
			all[method] = op
		}
	}
	return all
}

// Operation is an operation of the API, such as GET /v1/transactions.
type Operation struct {
	ID          string                 `json:"operationId"`
	Security    *[]map[string][]string `json:"security"`
	Parameters  []*Parameter           `json:"parameters"`
	RequestBody *Body                  `json:"requestBody"`
	Responses   map[string]*Body       `json:"responses"` // by status

	Timeout     int        `json:"x-timeout"` // in seconds; 0: the default
	Stream      bool       `json:"x-stream"`  // the answer is written piece by piece
	Idempotency string     `json:"x-idempotency"`
	Exclusive   [][]string `json:"x-exclusive-parameters"`
	Ordered     [][]string `json:"x-ordered-parameters"`
}

// Parameter is part of the path, the query or the headers of a request.
type Parameter struct {
	Ref      string  `json:"$ref"`
	Name     string  `json:"name"`
	In       string  `json:"in"`
	Required bool    `json:"required"`
	Explode  bool    `json:"explode"`
	Schema   *Schema `json:"schema"`
	SameAs   string  `json:"x-same-as"`
	GivesWay bool    `json:"x-gives-way"`

	Excludes []string `json:"x-excludes"` // parameters with which it cannot be combined, if the operation has them
}

// Body is the body of a request or of an answer.
type Body struct {
	Ref      string                `json:"$ref"`
	Required bool                  `json:"required"`
	Content  map[string]*MediaType `json:"content"`
	Limit    int64                 `json:"x-body-limit"` // in bytes; 0: the default
}

// MediaType is one of the forms in which a body can be sent.
type MediaType struct {
	Schema *Schema `json:"schema"`
}

// Schema describes the valid values.
type Schema struct {
	Ref        string             `json:"$ref"`
	Type       string             `json:"type"`
	Format     string             `json:"format"`
	Pattern    string             `json:"pattern"`
	Nullable   bool               `json:"nullable"`
	Deprecated bool               `json:"deprecated"`
	Default    any                `json:"default"`
	Enum       []any              `json:"enum"`
	Properties map[string]*Schema `json:"properties"`
	Required   []string           `json:"required"`
	Items      *Schema            `json:"items"`
	AllOf      []*Schema          `json:"allOf"`
	AnyOf      []*Schema          `json:"anyOf"`
	OneOf      []*Schema          `json:"oneOf"`
	Not        *Schema            `json:"not"`
	Minimum    *float64           `json:"minimum"`
	Maximum    *float64           `json:"maximum"`
	MinItems   int                `json:"minItems"`
	MaxItems   *int               `json:"maxItems"`
	MinLength  int                `json:"minLength"`
	MaxLength  *int               `json:"maxLength"`

	Ignored      bool       `json:"x-ignored"`
	Values       []any      `json:"x-values"`
	Fault        string     `json:"x-fault"`
	IDPrefix     *string    `json:"x-id-prefix"`
	Update       *bool      `json:"x-update"`
	NullClears   *bool      `json:"x-null-clears"`
	Numbered     string     `json:"x-numbered"`
	NumberedMost int        `json:"x-numbered-most"`
	Misspelt     misspelt   `json:"x-misspelt"`
	Rows         *bool      `json:"x-rows"`
	MaxBytes     int        `json:"x-max-bytes"`
	Least        *int       `json:"x-minimum"`
	UniqueBy     string     `json:"x-unique-by"`
	NotSent      []any      `json:"x-not-sent"`
	NotBefore    string     `json:"x-not-before"`
	NotAfter     string     `json:"x-not-after"`
	KeepsOffset  bool       `json:"x-keeps-offset"`
	Rules        []ruleSpec `json:"x-rules"`
	Check        string     `json:"x-check"`
}

// ruleSpec is a rule between fields in the form of the document.
type ruleSpec struct {
	Kind    string           `json:"kind"`
	Fields  []string         `json:"fields"`
	When    map[string][]any `json:"when"`
	With    string           `json:"with"`
	Unless  string           `json:"unless"`
	Message string           `json:"message"`
}

// ReadDocument reads a document in JSON and replaces each reference by its component. It returns an error if the
// document is not in the form of OpenAPI, or if a component is missing.
func ReadDocument(raw []byte) (*Document, error) {
	var d Document
	if err := json.Unmarshal(raw, &d); err != nil {
		return nil, err
	}
	r := resolver{document: &d, done: map[*Schema]bool{}}
	for _, item := range d.Paths {
		r.parameters(item.Parameters)
		for _, op := range item.Operations() {
			r.parameters(op.Parameters)
			op.RequestBody = r.body(op.RequestBody, d.Components.RequestBodies, "requestBodies")
			for status, answer := range op.Responses {
				op.Responses[status] = r.body(answer, d.Components.Responses, "responses")
			}
		}
	}
	return &d, r.err
}

// resolver replaces references by their components. Schemas may refer to each other in a circle.
type resolver struct {
	document *Document
	done     map[*Schema]bool
	err      error // the first
}

func find[T any](r *resolver, ref, kind string, known map[string]*T) *T {
	name, _ := strings.CutPrefix(ref, "#/components/"+kind+"/")
	found := known[name]
	if found == nil && r.err == nil {
		r.err = fmt.Errorf("there is no %s", ref)
	}
	return found
}

func (r *resolver) parameters(list []*Parameter) {
	for i, p := range list {
		if p.Ref != "" {
			if p = find(r, p.Ref, "parameters", r.document.Components.Parameters); p == nil {
				continue
			}
			list[i] = p
		}
		p.Schema = r.schema(p.Schema)
	}
}

func (r *resolver) body(b *Body, known map[string]*Body, kind string) *Body {
	if b != nil && b.Ref != "" {
		b = find(r, b.Ref, kind, known)
	}
	if b != nil {
		for _, media := range b.Content {
			media.Schema = r.schema(media.Schema)
		}
	}
	return b
}

func (r *resolver) schema(s *Schema) *Schema {
	for s != nil && s.Ref != "" && r.err == nil {
		s = find(r, s.Ref, "schemas", r.document.Components.Schemas)
	}
	if s == nil || r.done[s] {
		return s
	}
	r.done[s] = true
	for name, property := range s.Properties {
		s.Properties[name] = r.schema(property)
	}
	for _, list := range [][]*Schema{s.AllOf, s.AnyOf, s.OneOf} {
		for i, one := range list {
			list[i] = r.schema(one)
		}
	}
	s.Items, s.Not = r.schema(s.Items), r.schema(s.Not)
	return s
}
