package taxid

import "strings"

// prefixed accepts an id with and without the prefix of its country.
func prefixed(prefix string, valid func(string) bool) func(string) bool {
	return func(s string) bool {
		if rest, ok := strings.CutPrefix(s, prefix); ok && valid(rest) {
			return true
		}
		return valid(s)
	}
}

// matches compares an id with a pattern: # is a digit, ? a capital letter, any
// other character itself.
func matches(s, pattern string) bool {
	if len(s) != len(pattern) {
		return false
	}
	for i := range len(s) {
		c := s[i]
		switch p := pattern[i]; p {
		case '#':
			if c < '0' || c > '9' {
				return false
			}
		case '?':
			if c < 'A' || c > 'Z' {
				return false
			}
		default:
			if c != p {
				return false
			}
		}
	}
	return true
}

// weighted is the sum of the digits of s times the weights.
func weighted(s string, weights ...int) int {
	sum := 0
	for i, w := range weights {
		sum += digit(s, i) * w
	}
	return sum
}

func digit(s string, i int) int { return int(s[i] - '0') }

// number reads digits; the callers have checked their form and length.
func number(s string) int {
	n := 0
	for i := range len(s) {
		n = n*10 + digit(s, i)
	}
	return n
}

// luhn is the test of ISO/IEC 7812: the doubled digits count by digit sum.
func luhn(s string) bool {
	sum := 0
	for i := range len(s) {
		d := digit(s, len(s)-1-i)
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// mod11and10 is the test of ISO 7064 MOD 11,10.
func mod11and10(s string) bool {
	p := 10
	for i := range len(s) - 1 {
		if p = (digit(s, i) + p) % 10; p == 0 {
			p = 10
		}
		p = 2 * p % 11
	}
	return (11-p)%10 == digit(s, len(s)-1)
}
