package api

import (
	"github.com/getkin/kin-openapi/openapi3"
	"go.yaml.in/yaml/v3"
)

// sampleOf makes an example of a schema from the examples of its parts.
func sampleOf(c *contract, ref *openapi3.SchemaRef, depth int) any {
	s := ref.Value
	switch {
	case s.Example != nil:
		return s.Example
	case s.Default != nil:
		return s.Default
	case len(s.AllOf) == 1:
		return sampleOf(c, s.AllOf[0], depth)
	case len(s.Enum) > 0:
		return s.Enum[0]
	case s.Nullable:
		return nil
	case s.Type.Is("array"):
		if depth > 4 {
			return []any{}
		}
		return []any{sampleOf(c, s.Items, depth+1)}
	case s.Type.Is("object"):
		o := &ordered{kind: yaml.MappingNode, fields: map[string]*ordered{}}
		for _, name := range c.order.at("components", "schemas", refName(ref.Ref), "properties").names() {
			o.set(name, &ordered{scalar: sampleOf(c, s.Properties[name], depth+1)})
		}
		return o
	case s.Type.Is("boolean"):
		return false
	case s.Type.Is("integer"):
		return 1
	case s.Format == "date-time":
		return "2026-05-15T10:00:02Z"
	case s.Format == "date":
		return "2026-05-15"
	default:
		return "…"
	}
}
