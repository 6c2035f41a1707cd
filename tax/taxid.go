package tax

import "strings"

// ValidTaxID reports whether a tax id has the form, and where the country
// defines one the check digits, of the given type of tax in the country (ISO
// 3166-1 alpha-2; EL and XI are understood too). Types are vat, gst, hst,
// gst_hst, qst, pst and rst; "unknown" and the empty type accept any kind of
// number of the country. Spaces, dots, dashes and slashes do not count, and the
// prefix of the country may be left out. True says that the id is well formed,
// not that somebody was given it; for countries the engine has no test for the
// answer is false.
func ValidTaxID(country, taxType, id string) bool {
	country = strings.ToUpper(country)
	id, ok := plainTaxID(id)
	if !ok {
		return false
	}
	taxType = strings.ToLower(taxType)
	anyType := taxType == "" || taxType == "unknown"
	for _, kind := range taxIDKinds[country] {
		if (anyType || kind.types[taxType]) && kind.valid(id) {
			return true
		}
	}
	return false
}

// plainTaxID drops what people write between the digits.
func plainTaxID(s string) (string, bool) {
	b := make([]byte, 0, len(s))
	for i := range len(s) {
		switch c := s[i]; {
		case c == ' ' || c == '.' || c == '-' || c == '/':
		case c >= 'a' && c <= 'z':
			b = append(b, c-'a'+'A')
		case c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '+' || c == '*':
			b = append(b, c)
		default:
			return "", false
		}
	}
	return string(b), len(b) > 0
}

// taxIDKind is one kind of number of a country.
type taxIDKind struct {
	types map[string]bool
	valid func(string) bool
}

var (
	vatTypes = map[string]bool{"vat": true}
	gstTypes = map[string]bool{"gst": true, "hst": true, "gst_hst": true}
)

// taxIDKinds holds the tests of each country.
var taxIDKinds = func() map[string][]taxIDKind {
	kinds := map[string][]taxIDKind{
		"CA": {
			{gstTypes, func(s string) bool {
				return matches(s, "#########RT####") && luhn(s[:9]) || matches(s, "#########") && luhn(s)
			}},
			{map[string]bool{"qst": true}, func(s string) bool { return matches(s, "##########TQ####") || matches(s, "##########") }},
			{map[string]bool{"pst": true}, func(s string) bool {
				return matches(strings.TrimPrefix(s, "PST"), "########") || matches(s, "#######") // British Columbia, Saskatchewan
			}},
			{map[string]bool{"rst": true}, func(s string) bool { return matches(s, "#######") || matches(s, "#########MT####") && luhn(s[:9]) }},
		},
		"US": {{nil, func(s string) bool { return matches(s, "#########") && !strings.Contains(noEINPrefix, " "+s[:2]+" ") }}},
		"AU": {{gstTypes, abn}},
		"GB": {{vatTypes, prefixed("GB", vatGB)}},
		"XI": {{vatTypes, prefixed("XI", vatGB)}},
		"CH": {{vatTypes, vatCH}},
		"NO": {{vatTypes, vatNO}},
	}
	for country, valid := range unionVAT {
		prefix := country
		if country == "GR" {
			prefix = "EL"
		}
		kinds[country] = []taxIDKind{{vatTypes, prefixed(prefix, valid)}}
	}
	kinds["EL"] = kinds["GR"]
	return kinds
}()

// noEINPrefix are the beginnings that the Internal Revenue Service never gave
// to an employer.
const noEINPrefix = " 00 07 08 09 17 18 19 28 29 49 69 70 78 79 89 96 97 "

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
