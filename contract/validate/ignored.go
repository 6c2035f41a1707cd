package validate

// maxIgnored is how many unknown fields of a body are named.
const maxIgnored = 20

// maxIgnoredName is the length of a name from which on it is cut.
const maxIgnoredName = 64

// Ignored names the fields of the body that the contract does not know or does not read beside the others, the first
// 20, with the way to each and separated by commas: what a header can carry. Until End.
func (v *Run) Ignored() string { return string(v.ignored) }

// Deprecated are the names of the fields of the body that the contract will remove, each once.
// Until End.
func (v *Run) Deprecated() []string { return v.deprecated }

// ignore notes a field at the current place that is not read.
func (v *Run) ignore(name []byte) {
	if len(v.ignored) > 0 {
		v.ignored = append(v.ignored, ", "...)
	}
	v.ignored = appendPlace(v.ignored, v.place)
	if len(v.place) > 0 {
		v.ignored = append(v.ignored, '.')
	}
	v.ignored = appendVisible(v.ignored, name)
}

// appendVisible writes a name of the client's own with letters, digits and a few signs;
// other bytes are percent-encoded, because they mean something in a header or in a list.
func appendVisible(b, name []byte) []byte {
	const hex = "0123456789ABCDEF"
	for i, c := range name {
		switch {
		case i == maxIgnoredName:
			return append(b, "..."...)
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_', c == '-', c == '.', c == '$':
			b = append(b, c)
		default:
			b = append(b, '%', hex[c>>4], hex[c&15])
		}
	}
	return b
}
