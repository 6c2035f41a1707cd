package validate

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// identifiers are the fields whose values a client chooses to identify its records. White space around them is no part
// of them, at no door.
var identifiers = map[string]bool{
	"external_id": true, "external_product_id": true, "secondary_external_id": true, "external_friendly_id": true,
}

// searches are the parameters that look for identifiers, among other texts.
var searches = map[string]bool{"search_query": true, "query": true, "q": true}

// trimIdentifier takes the white space around an identifier away. One of white space only counts as absent, but for
// a field that is needed: that is reported as blank.
func (v *Run) trimIdentifier(n *node, needed bool) {
	start, end := trimmedRange(v.body, n)
	// guard: identifiers: one that is needed is not empty
	if start == end && needed {
		return
	}
	n.start, n.end = start, end
}

// trimmedRange returns where the text of a string node begins and ends without the white space around it, which may be
// escaped.
func trimmedRange(body []byte, n *node) (start, end uint32) {
	if !n.escaped {
		text := body[n.start:n.end]
		if len(text) == 0 || isVisible(text[0]) && isVisible(text[len(text)-1]) {
			return n.start, n.end
		}
		trimmed := strings.TrimLeftFunc(string(text), unicode.IsSpace)
		start = n.end - uint32(len(trimmed))
		return start, start + uint32(len(strings.TrimRightFunc(trimmed, unicode.IsSpace)))
	}
	start, end = n.end, n.end
	for at := n.start; at < n.end; {
		space, size := spaceAt(body[at:n.end])
		if !space {
			start, end = min(start, at), at+size
		}
		at += size
	}
	return start, max(start, end)
}

// isVisible reports whether a byte is a character of ASCII that is no white space.
func isVisible(b byte) bool { return b > ' ' && b < utf8.RuneSelf }

// spaceAt reports whether a JSON string begins with white space, and the size of its first character.
func spaceAt(text []byte) (space bool, size uint32) {
	if text[0] != '\\' {
		r, n := utf8.DecodeRune(text)
		return unicode.IsSpace(r), uint32(n)
	}
	switch text[1] {
	case 't', 'n', 'r', 'f':
		return true, 2
	case 'u':
		r, _ := hex4(text[2:])
		return unicode.IsSpace(r), 6
	}
	return false, 2
}
