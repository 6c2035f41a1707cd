package postal

// isCanadian reports whether letters and digits take turns, beginning with a letter.
// The code is in capitals without anything between them.
func isCanadian(code []byte) bool {
	for i, c := range code {
		if letter := c >= 'A'; letter != (i%2 == 0) {
			return false
		}
	}
	return len(code) == 6
}

// DigitsOnly reports whether there is nothing else in a text.
func DigitsOnly(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// ZIP5 reads a ZIP or ZIP+4.
func ZIP5(s string) (zip int, ok bool) {
	switch {
	case len(s) == 5 || len(s) == 9:
	case len(s) == 10 && (s[5] == '-' || s[5] == ' '):
		if !DigitsOnly(s[6:]) {
			return 0, false
		}
	default:
		return 0, false
	}
	if !DigitsOnly(s[:5]) || len(s) == 9 && !DigitsOnly(s) {
		return 0, false
	}
	for i := range 5 {
		zip = zip*10 + int(s[i]-'0')
	}
	return zip, true
}

// Canadian reads a Canadian postal code: the province it lies in, and its
// usual form "K1A 0B1". The first letter tells the province; the codes of X0 and
// X1 are shared by two territories.
func Canadian(s string) (province, code string, ok bool) {
	var buf [16]byte
	b := Compact(buf[:0], s)
	if !isCanadian(b) {
		return "", "", false
	}
	code = string(b[:3]) + " " + string(b[3:])
	switch b[0] {
	case 'X':
		switch string(b[:3]) {
		case "X0A", "X0B", "X0C":
			return "NU", code, true
		}
		return "NT", code, true
	default:
		province, ok = postalProvinces[b[0]]
		return province, code, ok
	}
}

var postalProvinces = map[byte]string{
	'A': "NL", 'B': "NS", 'C': "PE", 'E': "NB", 'G': "QC", 'H': "QC", 'J': "QC", 'K': "ON", 'L': "ON", 'M': "ON",
	'N': "ON", 'P': "ON",
	'R': "MB", 'S': "SK", 'T': "AB", 'V': "BC", 'Y': "YT",
}
