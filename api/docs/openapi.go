package docs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// openAPI is the part of the contract that pages display.
type openAPI struct {
	Info struct{ Description string }
	Tags []struct{ Name, Description string }

	Paths      members[pathItem]
	Components struct {
		Schemas       map[string]*shape
		Parameters    map[string]*parameter
		RequestBodies map[string]*content
		Responses     map[string]*content
	}
}

type pathItem struct {
	Parameters             []*parameter
	Get, Post, Put, Delete *operation
}

type operation struct {
	OperationID, Summary, Description string

	Tags        []string
	Parameters  []*parameter
	RequestBody *content
	Responses   map[string]*content
}

type parameter struct {
	Ref                   string `json:"$ref"`
	Name, In, Description string
	Required              bool
	Schema                *shape
}

// content is the body of a request or of an answer.
type content struct {
	Ref         string `json:"$ref"`
	Description string
	Content     map[string]struct{ Schema *shape }
}

// shape is a schema.
type shape struct {
	Ref                       string `json:"$ref"`
	Type, Format, Description string
	Nullable                  bool
	Properties                members[*shape]
	Required                  []string
	Items                     *shape
	AllOf, AnyOf, OneOf       []*shape
	Enum                      []any
	Default                   any
}

// members are the members of a JSON object in the order of the document.
type members[T any] []member[T]

type member[T any] struct {
	Name  string
	Value T
}

// UnmarshalJSON reads an object.
func (m *members[T]) UnmarshalJSON(raw []byte) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	if _, err := d.Token(); err != nil { // the brace
		return err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		one := member[T]{Name: fmt.Sprint(name)}
		if err := d.Decode(&one.Value); err != nil {
			return fmt.Errorf("%s: %w", one.Name, err)
		}
		*m = append(*m, one)
	}
	return nil
}

// nameOf returns the last part of a reference: the name of the component.
func nameOf(ref string) string { return ref[strings.LastIndexByte(ref, '/')+1:] }

func (o *openAPI) parameter(p *parameter) *parameter {
	if p.Ref != "" {
		return o.Components.Parameters[nameOf(p.Ref)]
	}
	return p
}

// content returns a body or an answer. known holds the components of its kind.
func (o *openAPI) content(c *content, known map[string]*content) *content {
	if c != nil && c.Ref != "" {
		return known[nameOf(c.Ref)]
	}
	return c
}

// shape follows references and wrappers. name is that of the last component; empty for a schema without one.
func (o *openAPI) shape(s *shape) (name string, found *shape) {
	for s != nil {
		switch {
		case s.Ref != "":
			name = nameOf(s.Ref)
			s = o.Components.Schemas[name]
		case len(s.AllOf) == 1 && len(s.Properties) == 0:
			s = s.AllOf[0]
		default:
			return name, s
		}
	}
	return name, &shape{}
}

// properties returns the fields of an object, those of its parts included.
func (o *openAPI) properties(s *shape) (fields members[*shape], required []string) {
	for _, part := range s.AllOf {
		_, inner := o.shape(part)
		more, needed := o.properties(inner)
		fields, required = append(fields, more...), append(required, needed...)
	}
	return append(fields, s.Properties...), append(required, s.Required...)
}
