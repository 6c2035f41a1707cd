package validate

import (
	"bytes"

	"levy/models"
)

// decimalKind is a kind of number of the contract.
type decimalKind struct {
	integers    int  // digits before the point, at most
	decimals    int  // digits after it, at most
	minDecimals int  // digits after it in canonical form, at least
	total       int  // digits in all that can be kept exactly; 0 = no further limit
	whole       bool // an integer: canonical form is a JSON number
	noise       bool // what binary floating point adds to a JSON number is taken off
}

var decimalKinds = map[string]decimalKind{
	"money":           {integers: 10, decimals: 2, minDecimals: 2, noise: true},
	"money18":         {integers: 18, decimals: 2, minDecimals: 2},
	"rate":            {integers: 3, decimals: 9, minDecimals: 9},
	"qty":             {integers: 12, decimals: 9, minDecimals: 1, total: 19},
	"percent":         {integers: 3, decimals: 2, minDecimals: 2},
	"conversion_rate": {integers: 12, decimals: 9, minDecimals: 9, total: 19},
}

// Bounds of a literal, so that no number costs more than its text.
const (
	maxDecimalLength   = 32
	maxDecimalExponent = 20
)

// scanDecimal reads a literal in JSON notation and appends its canonical form:
// plain notation, no needless zeros but at least kind.minDecimals decimals, no minus
// before zero. code is a Field… code, or "" when the literal is acceptable.
func scanDecimal(dst, literal []byte, kind decimalKind) (canonical []byte, negative bool, code string) {
	if len(literal) == 0 || len(literal) > maxDecimalLength || numberLength(literal) != len(literal) {
		return dst, false, models.FieldInvalidFormat
	}
	negative = literal[0] == '-'
	var digits [maxDecimalLength]byte
	value, point, ok := readDigits(digits[:0], bytes.TrimPrefix(literal, []byte("-")))
	if !ok {
		return dst, false, models.FieldInvalidFormat
	}
	value, point = trimZeros(value, point)
	var plain [maxDecimalLength + 3]byte
	if kind.noise && len(value)-point > kind.decimals {
		value, point = withoutNoise(plain[:0], value, point, kind.decimals)
	}
	if len(value) == 0 {
		negative, point = false, 0
	}
	integers, decimals := max(point, 0), max(len(value)-point, 0)
	shown := max(decimals, kind.minDecimals)
	switch {
	case integers > kind.integers:
		return dst, negative, models.FieldOutOfRange
	case decimals > kind.decimals, kind.total > 0 && integers+shown > kind.total:
		return dst, negative, models.FieldTooPrecise
	}
	return appendDecimal(dst, value, point, shown, negative), negative, ""
}

// readDigits are the digits of a number, with the point after the first point of them. An exponent must not be extreme.
func readDigits(dst, number []byte) (digits []byte, point int, ok bool) {
	point, exponent := -1, 0
scan:
	for i, c := range number {
		switch c {
		case '.':
			point = len(dst)
		case 'e', 'E':
			exponent = readExponent(number[i+1:])
			break scan
		default:
			dst = append(dst, c)
		}
	}
	if point < 0 {
		point = len(dst)
	}
	return dst, point + exponent, isBoundedExponent(exponent)
}

// noiseDecimals is how many decimals show that the rest of a number is noise: what it is
// away from one with fewer decimals is then less than 10^-noiseDecimals.
const noiseDecimals = 7

// withoutNoise is the number with that many decimals which the digits, with the point
// after the first point of them, miss by less than binary floating point can explain
// (3.1100000000000003, 29.989999999999998); any other number it gives back as it is.
func withoutNoise(dst, digits []byte, point, decimals int) (value []byte, newPoint int) {
	rest := digitAt(digits, point+decimals)
	if rest != '0' && rest != '9' || len(digits)-point <= noiseDecimals {
		return digits, point
	}
	for i := point + decimals; i < point+noiseDecimals; i++ {
		if digitAt(digits, i) != rest {
			return digits, point
		}
	}
	first := min(point, 0) - 1 // of the digits kept, with room for a carry
	for i := first; i < point+decimals; i++ {
		dst = append(dst, digitAt(digits, i))
	}
	if rest == '9' {
		i := len(dst) - 1
		for ; dst[i] == '9'; i-- {
			dst[i] = '0'
		}
		dst[i]++
	}
	return trimZeros(dst, point-first)
}

// digitAt is a digit, and 0 before the first and behind the last one.
func digitAt(digits []byte, i int) byte {
	if i < 0 || i >= len(digits) {
		return '0'
	}
	return digits[i]
}

// trimZeros takes the zeros off both ends of digits with the point after the first point
// of them.
func trimZeros(digits []byte, point int) (value []byte, newPoint int) {
	for len(digits) > 0 && digits[0] == '0' {
		digits, point = digits[1:], point-1
	}
	return bytes.TrimRight(digits, "0"), point
}

// appendDecimal writes digits with the point after the first point of them.
func appendDecimal(dst, digits []byte, point, decimals int, negative bool) []byte {
	if negative {
		dst = append(dst, '-')
	}
	if point <= 0 {
		dst = append(dst, '0')
	}
	for i := 0; i < point; i++ {
		dst = append(dst, digitAt(digits, i))
	}
	if decimals > 0 {
		dst = append(dst, '.')
	}
	for i := point; i < point+decimals; i++ {
		dst = append(dst, digitAt(digits, i))
	}
	return dst
}

// readExponent reads an exponent; one of more than 3 digits is merely too big.
func readExponent(b []byte) int {
	sign := 1
	if b[0] == '+' || b[0] == '-' {
		if b[0] == '-' {
			sign = -1
		}
		b = b[1:]
	}
	for len(b) > 1 && b[0] == '0' {
		b = b[1:]
	}
	if len(b) > 3 {
		return sign * 1000
	}
	n, _ := digits(b)
	return sign * n
}

func isBoundedExponent(exponent int) bool {
	return -maxDecimalExponent <= exponent && exponent <= maxDecimalExponent
}

// hasBoundedNumbers reports whether every number in accepted JSON keeps the bounds of
// a literal. It guards values that are stored without a schema.
func hasBoundedNumbers(b []byte) bool {
	for i := 0; i < len(b); {
		switch c := b[i]; {
		case c == '"':
			for i++; b[i] != '"'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
			i++
		case c == '-' || c >= '0' && c <= '9':
			n := numberLength(b[i:])
			literal := b[i : i+n]
			if n > maxDecimalLength {
				return false
			}
			if e := bytes.IndexAny(literal, "eE"); e >= 0 && !isBoundedExponent(readExponent(literal[e+1:])) {
				return false
			}
			i += n
		default:
			i++
		}
	}
	return true
}
