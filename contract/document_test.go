package contract

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

var update = flag.Bool("update", false, "write openapi.gen.json anew: make generate")

// The generated document has the content of the written one.
func TestTheDocumentFollowsFromTheContract(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../api/openapi.yaml")
	require.NoError(t, err)
	var root yaml.Node
	require.NoError(t, yaml.Unmarshal(text, &root))
	document, err := json.Marshal(orderedOf(root.Content[0]))
	require.NoError(t, err)
	if *update {
		require.NoError(t, os.WriteFile("openapi.gen.json", document, 0o644))
		return
	}
	require.True(t, bytes.Equal(document, JSON), "make generate")
}

// ordered is a YAML value whose members keep their order, which readers of the contract rely on.
type ordered struct {
	keys   []string
	fields map[string]*ordered
	items  []*ordered
	scalar any
	kind   yaml.Kind
}

// orderedOf resolves aliases and merges. Hints for the Go generator are left out.
func orderedOf(n *yaml.Node) *ordered {
	if n.Kind == yaml.AliasNode {
		return orderedOf(n.Alias)
	}
	o := &ordered{kind: n.Kind}
	switch n.Kind {
	case yaml.MappingNode:
		o.fields = map[string]*ordered{}
		for i := 0; i < len(n.Content); i += 2 {
			o.add(n.Content[i], n.Content[i+1])
		}
	case yaml.SequenceNode:
		for _, item := range n.Content {
			o.items = append(o.items, orderedOf(item))
		}
	default:
		_ = n.Decode(&o.scalar) // a scalar of a parsed document always decodes
	}
	return o
}

func (o *ordered) add(key, value *yaml.Node) {
	if key.Tag == "!!merge" {
		merged := orderedOf(value)
		for _, name := range merged.keys {
			o.set(name, merged.fields[name])
		}
		return
	}
	if !strings.HasPrefix(key.Value, "x-go-") {
		o.set(key.Value, orderedOf(value))
	}
}

func (o *ordered) set(name string, value *ordered) {
	if _, known := o.fields[name]; !known {
		o.keys = append(o.keys, name)
	}
	o.fields[name] = value
}

// MarshalJSON writes the value in its order.
func (o *ordered) MarshalJSON() ([]byte, error) {
	switch o.kind {
	case yaml.MappingNode:
		b := []byte{'{'}
		for i, name := range o.keys {
			if i > 0 {
				b = append(b, ',')
			}
			key, err := json.Marshal(name)
			if err != nil {
				return nil, err
			}
			value, err := o.fields[name].MarshalJSON()
			if err != nil {
				return nil, err
			}
			b = append(append(append(b, key...), ':'), value...)
		}
		return append(b, '}'), nil
	case yaml.SequenceNode:
		b := []byte{'['}
		for i, item := range o.items {
			if i > 0 {
				b = append(b, ',')
			}
			value, err := item.MarshalJSON()
			if err != nil {
				return nil, err
			}
			b = append(b, value...)
		}
		return append(b, ']'), nil
	default:
		return json.Marshal(o.scalar)
	}
}
