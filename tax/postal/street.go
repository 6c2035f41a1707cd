// Package postal reads the parts of postal addresses into a form in which different
// spellings agree: streets, names of cities and counties, postal codes.
package postal

import (
	"slices"
	"strconv"
	"strings"
)

// StreetAddress is the first line of an address in a form in which spellings agree. It has capitals, no punctuation,
// abbreviated directions and kinds of streets, and ordinals as numbers. Number is 0 if there is none.
type StreetAddress struct {
	Number                    int64
	Before, Name, Kind, After string // N | MAIN | ST | SW
}

// ParseStreet reads "350 N. Fifth Avenue SW, Apt 3". It ignores the words from the unit on.
func ParseStreet(line string) StreetAddress {
	words := streetWords(line)
	var s StreetAddress
	if len(words) > 1 {
		if n, ok := houseNumber(words[0]); ok {
			s.Number, words = n, words[1:]
			if len(words) > 1 && strings.Contains(words[0], "/") { // 12 1/2 Main St
				words = words[1:]
			}
		}
	}
	words = withoutUnit(words)
	s.setName(words)
	return s
}

// NewStreetAddress is the street of a record that has the parts in columns of
// their own. Any of them may be empty.
func NewStreetAddress(before, name, kind, after string) StreetAddress {
	var s StreetAddress
	s.setName(streetWords(strings.Join([]string{before, name, kind, after}, " ")))
	return s
}

func (s *StreetAddress) setName(words []string) {
	if n := len(words); n > 1 {
		if d, ok := directions[words[n-1]]; ok {
			s.After, words = d, words[:n-1]
		}
	}
	if n := len(words); n > 1 {
		if kind, ok := streetKinds[words[n-1]]; ok {
			s.Kind, words = kind, words[:n-1]
		}
	}
	if len(words) > 1 {
		if d, ok := directions[words[0]]; ok {
			s.Before, words = d, words[1:]
		}
	}
	for i, w := range words {
		words[i] = plainWord(w)
	}
	s.Name = strings.Join(words, " ")
}

// streetWords splits into words of capitals and digits; "#" and "/" stay. A
// hyphen or an apostrophe inside a word is left out, and so is a hyphen between words.
func streetWords(line string) []string {
	var b []byte
	for _, r := range line {
		switch r {
		case '#':
			b = append(b, " # "...)
		case '/', '-':
			b = append(b, byte(r))
		case '\'', '’', '.':
		default:
			n := len(b)
			if b = AppendFolded(b, r); len(b) == n {
				b = append(b, ' ')
			}
		}
	}
	return slices.DeleteFunc(strings.Fields(string(b)), func(word string) bool { return strings.Trim(word, "-") == "" })
}

// houseNumber reads 350, 350A and 12-34 (the number of the building).
func houseNumber(word string) (int64, bool) {
	digits := 0
	for digits < len(word) && word[digits] >= '0' && word[digits] <= '9' {
		digits++
	}
	rest := word[digits:]
	if digits == 0 || digits > 10 || len(rest) > 1 && rest[0] != '-' {
		return 0, false // 5TH is the name of a street
	}
	n, err := strconv.ParseInt(word[:digits], 10, 64)
	return n, err == nil
}

func withoutUnit(words []string) []string {
	for i, w := range words {
		if i > 0 && units[w] {
			return words[:i]
		}
	}
	return words
}

// plainWord writes an ordinal as its number and a street word inside a name in
// its short form.
func plainWord(w string) string {
	w = strings.ReplaceAll(w, "-", "")
	if n, ok := ordinals[w]; ok {
		return n
	}
	if n := len(w); n > 2 && w[0] >= '0' && w[0] <= '9' {
		switch w[n-2:] {
		case "ST", "ND", "RD", "TH":
			if DigitsOnly(w[:n-2]) {
				return w[:n-2]
			}
		}
	}
	if short, ok := nameWords[w]; ok {
		return short
	}
	return w
}

var units = map[string]bool{
	"#": true, "APT": true, "APARTMENT": true, "UNIT": true, "STE": true, "SUITE": true, "RM": true, "ROOM": true,
	"FL": true, "FLOOR": true,
	"BLDG": true, "BUILDING": true, "DEPT": true, "LOT": true, "TRLR": true, "SPC": true, "PH": true,
}

var directions = map[string]string{
	"N": "N", "NORTH": "N", "S": "S", "SOUTH": "S", "E": "E", "EAST": "E", "W": "W", "WEST": "W",
	"NE": "NE", "NORTHEAST": "NE", "NW": "NW", "NORTHWEST": "NW", "SE": "SE", "SOUTHEAST": "SE", "SW": "SW",
	"SOUTHWEST": "SW",
}

// nameWords are words inside the name of a street that have a short form.
var nameWords = map[string]string{
	"SAINT": "ST", "MOUNT": "MT", "FORT": "FT", "HIGHWAY": "HWY", "ROUTE": "RTE", "COUNTY": "CO", "ROAD": "RD",
	"STATE": "ST",
}

var ordinals = map[string]string{
	"FIRST": "1", "SECOND": "2", "THIRD": "3", "FOURTH": "4", "FIFTH": "5", "SIXTH": "6", "SEVENTH": "7", "EIGHTH": "8",
	"NINTH": "9",
	"TENTH": "10", "ELEVENTH": "11", "TWELFTH": "12",
}

// streetKinds maps the spellings of a kind of street to one.
var streetKinds = spellings(
	"ALY ALLEY ALLY", "ARC ARCADE", "AVE AVENUE AV AVEN AVENU", "BLF BLUFF", "BLVD BOULEVARD BOUL", "BND BEND",
	"BR BRANCH", "BRG BRIDGE",
	"BYP BYPASS", "CIR CIRCLE CIRC CRCL", "CLB CLUB", "CMN COMMON", "COR CORNER", "CRES CRESCENT", "CRK CREEK",
	"CRSE COURSE", "CT COURT",
	"CTR CENTER CENTRE", "CV COVE", "DR DRIVE DRV", "EST ESTATE", "EXPY EXPRESSWAY", "EXT EXTENSION", "FLD FIELD",
	"FLS FALLS", "FRK FORK",
	"FWY FREEWAY", "GDN GARDEN", "GDNS GARDENS", "GLN GLEN", "GRN GREEN", "GRV GROVE", "HBR HARBOR", "HL HILL",
	"HLS HILLS", "HOLW HOLLOW",
	"HTS HEIGHTS", "HWY HIGHWAY HIWAY", "IS ISLAND", "JCT JUNCTION", "KNL KNOLL", "LK LAKE", "LN LANE", "LNDG LANDING",
	"LOOP", "MALL",
	"MDW MEADOW", "MDWS MEADOWS", "ML MILL", "MNR MANOR", "OVAL", "PARK", "PASS", "PATH", "PIKE", "PKWY PARKWAY PARKWY",
	"PL PLACE", "PLZ PLAZA",
	"PT POINT", "RD ROAD", "RDG RIDGE", "ROW", "RTE ROUTE", "RUN", "SHR SHORE", "SPG SPRING", "SQ SQUARE", "ST STREET STR",
	"STA STATION",
	"TER TERRACE TERR", "TPKE TURNPIKE", "TRCE TRACE", "TRL TRAIL", "TRWY THROUGHWAY", "VIS VISTA", "VLG VILLAGE",
	"VLY VALLEY", "VW VIEW",
	"WALK", "WAY WY", "XING CROSSING",
)

func spellings(lists ...string) map[string]string {
	m := make(map[string]string, 2*len(lists))
	for _, list := range lists {
		words := strings.Fields(list)
		for _, w := range words {
			m[w] = words[0]
		}
	}
	return m
}
