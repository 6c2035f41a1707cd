package validate

import (
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// text reads a string including its quotes and reports whether it has escapes. It refuses invalid UTF-8,
// control characters, U+0000 and halves of surrogate pairs.
func (s *scanner) text() (escaped bool, err error) {
	b, i := s.body, s.pos+1
	for i < len(b) {
		c := b[i]
		switch {
		case c == '"':
			s.pos = i + 1
			return escaped, nil
		case c == '\\':
			escaped = true
			n, reason := escapeLength(b[i:])
			if reason != "" {
				s.pos = i
				return false, s.fail(reason)
			}
			i += n
		case c < 0x20:
			s.pos = i
			return false, s.fail("control characters in a text must be escaped.")
		case c < utf8.RuneSelf:
			i++
		default:
			r, size := utf8.DecodeRune(b[i:])
			if r == utf8.RuneError && size == 1 {
				s.pos = i
				return false, s.fail("this is not valid UTF-8.")
			}
			i += size
		}
	}
	s.pos = len(b)
	return false, s.fail("the JSON ends too early.")
}

// escapeLength returns the length of the escape sequence at the beginning of b, or the reason why it is refused.
// A surrogate pair is one sequence.
func escapeLength(b []byte) (n int, reason string) {
	const broken = "this escape sequence is not allowed."
	if len(b) < 2 {
		return 0, broken
	}
	switch b[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2, ""
	case 'u':
	default:
		return 0, broken
	}
	r, ok := hex4(b[2:])
	switch {
	case !ok:
		return 0, broken
	case r == 0:
		return 0, "the character U+0000 is not allowed."
	case r >= 0xDC00 && r <= 0xDFFF:
		return 0, "half of a surrogate pair is not allowed."
	case r >= 0xD800 && r <= 0xDBFF:
		if len(b) >= 12 && b[6] == '\\' && b[7] == 'u' {
			if low, ok := hex4(b[8:]); ok && low >= 0xDC00 && low <= 0xDFFF {
				return 12, ""
			}
		}
		return 0, "half of a surrogate pair is not allowed."
	}
	return 6, ""
}

func hex4(b []byte) (rune, bool) {
	if len(b) < 4 {
		return 0, false
	}
	var r rune
	for _, c := range b[:4] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// unescape appends the value of a string that text has accepted. quoted includes the quotation marks.
func unescape(dst, quoted []byte) []byte {
	dst, _ = jsontext.AppendUnquote(dst, quoted) // fails only for strings that text refuses
	return dst
}
