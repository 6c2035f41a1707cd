package postal

import "strings"

// abbreviations are the words that addresses shorten.
var abbreviations = map[string]string{
	"ST": "SAINT", "STE": "SAINTE", "FT": "FORT", "MT": "MOUNT", "MTN": "MOUNTAIN",
	"HTS": "HEIGHTS", "SPGS": "SPRINGS", "BCH": "BEACH", "JCT": "JUNCTION", "TWP": "TOWNSHIP",
	"N": "NORTH", "S": "SOUTH", "E": "EAST", "W": "WEST",
}

// countySuffixes are the words after the name of a county that addresses
// leave out, the longer of two endings first.
var countySuffixes = []string{
	"CITYANDBOROUGH", "CENSUSAREA", "MUNICIPALITY", "MUNICIPIO", "BOROUGH", "COUNTY", "PARISH",
}

// Compact appends s in capitals without accents, punctuation and spaces.
func Compact(b []byte, s string) []byte {
	for _, r := range s {
		b = AppendFolded(b, r)
	}
	return b
}

// PlaceKey appends the form of a city or county name in which spelling
// variants agree: compact, with abbreviated words written out.
func PlaceKey(b []byte, s string) []byte {
	word := len(b)
	for _, r := range s {
		before := len(b)
		if b = AppendFolded(b, r); len(b) == before && r != '\'' && r != '’' {
			b, word = expand(b, word)
		}
	}
	b, _ = expand(b, word)
	return b
}

func expand(b []byte, word int) ([]byte, int) {
	if long, ok := abbreviations[string(b[word:])]; ok {
		b = append(b[:word], long...)
	}
	return b, len(b)
}

// CountyKey appends the form of the name of a county: that of PlaceKey without the word
// that says what kind of county it is.
func CountyKey(b []byte, s string) []byte {
	start := len(b)
	b = PlaceKey(b, s)
	for _, suffix := range countySuffixes {
		if name, ok := strings.CutSuffix(string(b[start:]), suffix); ok && name != "" {
			return b[:start+len(name)]
		}
	}
	return b
}

// AppendFolded appends a letter or digit as capital ASCII and nothing for
// anything else.
func AppendFolded(b []byte, r rune) []byte {
	switch {
	case r >= 'a' && r <= 'z':
		return append(b, byte(r-'a'+'A'))
	case r >= 'A' && r <= 'Z' || r >= '0' && r <= '9':
		return append(b, byte(r))
	case r < 0xC0 || r > 0x17F:
		return b
	}
	for _, f := range latin {
		if r >= f.from && r <= f.to {
			return append(b, f.plain)
		}
	}
	return b
}

// latin folds the accented letters that occur in names of places.
var latin = []struct {
	from, to rune
	plain    byte
}{
	{'À', 'Å', 'A'}, {'Ç', 'Ç', 'C'}, {'È', 'Ë', 'E'}, {'Ì', 'Ï', 'I'}, {'Ñ', 'Ñ', 'N'}, {'Ò', 'Ö', 'O'}, {'Ù', 'Ü', 'U'},
	{'Ý', 'Ý', 'Y'},
	{'à', 'å', 'A'}, {'ç', 'ç', 'C'}, {'è', 'ë', 'E'}, {'ì', 'ï', 'I'}, {'ñ', 'ñ', 'N'}, {'ò', 'ö', 'O'}, {'ù', 'ü', 'U'},
	{'ý', 'ÿ', 'Y'},
	{'Ā', 'ą', 'A'}, {'Ć', 'č', 'C'}, {'Ē', 'ě', 'E'}, {'Ĩ', 'į', 'I'}, {'Ń', 'ň', 'N'}, {'Ō', 'ő', 'O'}, {'Ś', 'š', 'S'},
	{'Ũ', 'ų', 'U'}, {'Ź', 'ž', 'Z'},
}
