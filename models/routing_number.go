package models

import "strings"

// IsRoutingNumber reports whether a text is a routing number of a bank in the United States: 9 digits, of which the last
// checks the others.
func IsRoutingNumber(text string) bool {
	if len(text) != 9 || strings.ContainsFunc(text, func(r rune) bool { return r < '0' || r > '9' }) {
		return false
	}
	sum := 0
	for i, weight := range [...]int{3, 7, 1, 3, 7, 1, 3, 7, 1} {
		sum += weight * int(text[i]-'0')
	}
	return sum != 0 && sum%10 == 0
}
