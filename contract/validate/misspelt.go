package validate

import (
	"bytes"
	"strings"
)

// misspelt lists further names that clients send in place of a filter, by the name of the filter. A filter that is
// ignored selects everything, so such a field is refused although other unknown fields are not.
type misspelt map[string][]string

// filterMeant returns the filter that an unknown field stands for; empty for none. These are the listed names, and names
// in which a quarter of the letters or fewer differ.
func (s *schema) filterMeant(name []byte) string {
	if s == nil || s.misspelt == nil || !parameterName.Match(name) || s.isAccepted(name) {
		return ""
	}
	sent := strings.ToLower(string(name))
	for filter, others := range s.misspelt {
		for _, other := range others {
			near := len(other) / 4
			if len(sent) >= len(other)-near && len(sent) <= len(other)+near && distance(sent, other) <= near {
				return filter
			}
		}
	}
	return ""
}

// nameOf returns the name that a node holds in place of a value.
func (v *Run) nameOf(n *node) []byte {
	if name := v.bytesOf(n); !bytes.ContainsRune(name, '\\') {
		return name
	}
	return unescape(nil, v.body[n.start-1:n.end+1]) // with its quotes
}
