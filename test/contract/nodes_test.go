package contract_test

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// shape is a schema without its wrappings.
type shape struct {
	*openapi3.Schema
	extensions map[string]any // of the schema and its wrappings
	nullable   bool
}

func shapeOf(ref *openapi3.SchemaRef) shape {
	outer := ref.Value
	if len(outer.AllOf) == 0 {
		return shape{outer, outer.Extensions, outer.Nullable || slices.ContainsFunc(outer.AnyOf,
			func(form *openapi3.SchemaRef) bool { return form.Value.Nullable })}
	}
	s := shapeOf(outer.AllOf[0])
	extensions := map[string]any{}
	for _, from := range []map[string]any{s.extensions, outer.Extensions} {
		for name, value := range from {
			if more, ok := value.([]any); ok && name == "x-rules" { // all of them apply
				inner, _ := extensions[name].([]any)
				value = slices.Concat(inner, more)
			}
			extensions[name] = value
		}
	}
	return shape{s.Schema, extensions, s.nullable || outer.Nullable}
}

func (s shape) isDecimal() bool { return len(s.AnyOf) == 2 }
func (s shape) is(kind string) bool {
	return s.Schema != nil && s.Type != nil && s.Type.Is(kind)
}
func (s shape) flag(name string) bool { set, _ := s.extensions[name].(bool); return set }

// values is the closed set of a string, nil when it has none.
func (s shape) values() []string {
	source := s.Enum
	if own, ok := s.extensions["x-values"].([]any); ok {
		source = own
	}
	var all []string
	for _, value := range source {
		if name, ok := value.(string); ok && !contains(s.extensions["x-not-sent"], name) {
			all = append(all, name)
		}
	}
	return all
}

func contains(list any, value any) bool {
	values, _ := list.([]any)
	return slices.Contains(values, value)
}

// node is one value of a body: JSON text, or a container.
type node struct {
	shape   shape
	text    string // of a value that is no container
	members []*member
	items   []*node
	list    bool
}

type member struct {
	name  string
	value *node
}

func (n *node) member(name string) *node {
	for _, m := range n.members {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

func (n *node) set(name string, value *node) {
	for _, m := range n.members {
		if m.name == name {
			m.value = value
			return
		}
	}
	n.members = append(n.members, &member{name, value})
}

func (n *node) drop(names ...string) {
	n.members = slices.DeleteFunc(n.members, func(m *member) bool { return slices.Contains(names, m.name) })
}

// String is the JSON text.
func (n *node) String() string {
	var b strings.Builder
	n.write(&b)
	return b.String()
}

func (n *node) write(b *strings.Builder) {
	switch {
	case n.text != "":
		b.WriteString(n.text)
	case n.list:
		b.WriteByte('[')
		for i, item := range n.items {
			if i > 0 {
				b.WriteByte(',')
			}
			item.write(b)
		}
		b.WriteByte(']')
	default:
		b.WriteByte('{')
		for i, m := range n.members {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(quote(m.name) + ":")
			m.value.write(b)
		}
		b.WriteByte('}')
	}
}

func quote(text string) string {
	raw, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

func literal(text string) *node { return &node{text: text} }
