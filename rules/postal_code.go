package rules

import (
	"slices"
	"strings"
)

// zeroZIPs are the US states and territories some of whose ZIP codes begin with zero, with the first three digits of
// these. Source: USPS Publication 65, and list L002 of the Domestic Mail Manual.
var zeroZIPs = []struct {
	code, name string
	prefixes   []string
}{
	{"CT", "CONNECTICUT", []string{"060", "061", "062", "063", "064", "065", "066", "067", "068", "069"}},
	{"MA", "MASSACHUSETTS", []string{
		"010", "011", "012", "013", "014", "015", "016", "017", "018", "019", "020", "021", "022", "023", "024", "025",
		"026", "027", "055",
	}},
	{"ME", "MAINE", []string{"039", "040", "041", "042", "043", "044", "045", "046", "047", "048", "049"}},
	{"NH", "NEW HAMPSHIRE", []string{"030", "031", "032", "033", "034", "035", "036", "037", "038"}},
	{"NJ", "NEW JERSEY", []string{
		"070", "071", "072", "073", "074", "075", "076", "077", "078", "079", "080", "081", "082", "083", "084", "085",
		"086", "087", "088", "089",
	}},
	{"NY", "NEW YORK", []string{"005", "063"}},
	{"PR", "PUERTO RICO", []string{"006", "007", "009"}},
	{"RI", "RHODE ISLAND", []string{"028", "029"}},
	{"VI", "VIRGIN ISLANDS", []string{"008"}},
	{"VT", "VERMONT", []string{"050", "051", "052", "053", "054", "056", "057", "058", "059"}},
}

// RestorePostalCode returns a US ZIP code with the leading zeros that a spreadsheet has removed: 2108 in Massachusetts
// is 02108. It returns other codes unchanged, also where the ZIP codes of the state do not begin so: 2108 in Texas.
func RestorePostalCode(country, state, postalCode string) string {
	code, extension, extended := strings.Cut(strings.TrimSpace(postalCode), "-")
	if len(code) < 3 || len(code) > 4 || !allDigits(code) || extended && (len(extension) != 4 || !allDigits(extension)) {
		return postalCode
	}
	switch country {
	case "US":
	case "PR", "VI":
		state = country
	default:
		return postalCode
	}
	state = strings.ToUpper(strings.TrimSpace(state))
	zip := "00000"[len(code):] + code
	for _, s := range zeroZIPs {
		// guard: files: a zero is put back only where the ZIP codes of the state begin with it
		if (s.code == state || s.name == state) && slices.Contains(s.prefixes, zip[:3]) {
			if extended {
				return zip + "-" + extension
			}
			return zip
		}
	}
	return postalCode
}

// allDigits reports whether a text has only digits.
func allDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }
