package validate

// number reads a number in JSON notation.
func (s *scanner) number() error {
	n := numberLength(s.body[s.pos:])
	if n == 0 {
		return s.fail("this is not a JSON number.")
	}
	s.pos += n
	if s.pos < len(s.body) {
		switch s.body[s.pos] {
		case ' ', '\t', '\n', '\r', ',', '}', ']':
		default:
			return s.fail("this is not a JSON number.")
		}
	}
	return nil
}

// numberLength returns the length of the JSON number at the beginning of b, or 0.
func numberLength(b []byte) int {
	digits := func(i int) int {
		for i < len(b) && b[i] >= '0' && b[i] <= '9' {
			i++
		}
		return i
	}
	i := 0
	if i < len(b) && b[i] == '-' {
		i++
	}
	from := i
	if i < len(b) && b[i] == '0' {
		i++
	} else {
		i = digits(i)
	}
	if i == from {
		return 0
	}
	if i < len(b) && b[i] == '.' {
		from = i + 1
		if i = digits(from); i == from {
			return 0
		}
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		from = i
		if i = digits(from); i == from {
			return 0
		}
	}
	return i
}
