// Package taxid tells whether a tax identifier is well formed: its form and, where the
// country defines them, its check digits.
package taxid

import "strings"

// Valid reports whether a tax id has the form of a type of tax in a country. If the country defines check digits, they
// must be correct. country is ISO 3166-1 alpha-2; EL and XI are understood too. Types are vat, gst, hst, gst_hst, qst, pst
// and rst. "unknown" and the empty type accept any kind of number of the country.
//
// Spaces, dots, dashes and slashes do not count, and the prefix of the country may be absent. True says that the id is
// well formed, not that it was issued. It is false for countries without a test here.
func Valid(country, taxType, id string) bool {
	country = strings.ToUpper(country)
	id, ok := plain(id)
	if !ok {
		return false
	}
	taxType = strings.ToLower(taxType)
	anyType := taxType == "" || taxType == "unknown"
	for _, kind := range kinds[country] {
		if (anyType || kind.types[taxType]) && kind.valid(id) {
			return true
		}
	}
	return false
}

// NorthernIreland reports whether an id of the United Kingdom is written as one of Northern Ireland, whose code no
// country has.
func NorthernIreland(id string) bool {
	id, _ = plain(id)
	return northern(id)
}

func northern(id string) bool { return strings.HasPrefix(id, "XI") }

// plain drops what people write between the digits.
func plain(s string) (string, bool) {
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

// kind is one kind of number of a country.
type kind struct {
	types map[string]bool
	valid func(string) bool
}

var (
	vatTypes = map[string]bool{"vat": true}
	gstTypes = map[string]bool{"gst": true, "hst": true, "gst_hst": true}
)

// kinds holds the tests of each country.
var kinds = func() map[string][]kind {
	kinds := map[string][]kind{
		"CA": {
			{gstTypes, func(s string) bool {
				return matches(s, "#########RT####") && luhn(s[:9]) || matches(s, "#########") && luhn(s)
			}},
			{
				map[string]bool{"qst": true},
				func(s string) bool { return matches(s, "##########TQ####") || matches(s, "##########") },
			},
			{map[string]bool{"pst": true}, func(s string) bool {
				return matches(strings.TrimPrefix(s, "PST"), "########") ||
					matches(s, "#######") // British Columbia, Saskatchewan
			}},
			{
				map[string]bool{"rst": true},
				func(s string) bool { return matches(s, "#######") || matches(s, "#########MT####") && luhn(s[:9]) },
			},
		},
		"US": {
			{
				nil,
				func(s string) bool { return matches(s, "#########") && !strings.Contains(noEINPrefix, " "+s[:2]+" ") },
			},
		},
		"AU": {{gstTypes, abn}},
		"NZ": {{gstTypes, ird}},
		"IN": {{gstTypes, gstin}},
		"SG": {{gstTypes, gstSG}},
		"JP": {{vatTypes, corporate}},
		"KR": {{vatTypes, businessKR}},
		"MX": {{vatTypes, rfc}},
		"ZA": {{vatTypes, func(s string) bool { return matches(s, "4#########") }}},
		"AE": {{vatTypes, func(s string) bool { return matches(s, "100############") }}},
		"SA": {{vatTypes, func(s string) bool { return matches(s, "3#############3") }}},
		"TR": {{vatTypes, vkn}},
		"BR": {{vatTypes, cnpj}},
		"GB": {{vatTypes, prefixed("GB", vatGB)}, {vatTypes, func(s string) bool { return northern(s) && vatGB(s[2:]) }}},
		"XI": {{vatTypes, prefixed("XI", vatGB)}},
		"CH": {{vatTypes, vatCH}},
		"NO": {{vatTypes, vatNO}},
	}
	for country, valid := range unionVAT {
		prefix := country
		if country == "GR" {
			prefix = "EL"
		}
		kinds[country] = []kind{{vatTypes, prefixed(prefix, valid)}}
	}
	kinds["EL"] = kinds["GR"]
	return kinds
}()

// noEINPrefix are the beginnings that the Internal Revenue Service never gave
// to an employer.
const noEINPrefix = " 00 07 08 09 17 18 19 28 29 49 69 70 78 79 89 96 97 "
