package validate

// maxIgnored is the largest number of ignored fields that an answer names.
const maxIgnored = 20

// maxIgnoredName is the length at which a name is cut.
const maxIgnoredName = 64

// Ignored returns the paths of the fields of the body that the contract does not know or does not read.
// It lists the first 20, separated by commas, in a form for a header. The result is valid until End.
func (v *Run) Ignored() string { return string(v.ignored) }

// Deprecated returns the names of the sent fields that the contract will remove, each once. The result is valid until
// End.
func (v *Run) Deprecated() []string { return v.deprecated }

// ignore records that a field at the current place is not read.
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

// appendVisible writes a name of the client with letters, digits and a few signs. It percent-encodes other bytes,
// because they have a meaning in a header or in a list.
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
