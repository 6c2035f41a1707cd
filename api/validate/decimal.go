package validate

import (
	"bytes"

	"levy/api/problem"
)

// decimalKind is a kind of number of the contract.
type decimalKind struct {
	integers int  // digits before the point, at most
	decimals int  // digits after it, at most
	least    int  // digits after it in canonical form, at least
	total    int  // digits in all that can be kept exactly; 0 = no further limit
	whole    bool // an integer: canonical form is a JSON number
	noise    bool // what binary floating point adds to a JSON number is taken off
}

var decimalKinds = map[string]decimalKind{
	"money":           {integers: 10, decimals: 2, least: 2, noise: true},
	"money18":         {integers: 18, decimals: 2, least: 2},
	"rate":            {integers: 3, decimals: 9, least: 9},
	"qty":             {integers: 12, decimals: 9, least: 1, total: 19},
	"percent":         {integers: 3, decimals: 2, least: 2},
	"conversion_rate": {integers: 12, decimals: 9, least: 9, total: 19},
}

// Bounds of a literal, so that no number costs more than its text.
const (
	maxDecimalLength   = 32
	maxDecimalExponent = 20
)

// scanDecimal reads a literal in JSON notation and appends its canonical form:
// plain notation, no needless zeros but at least kind.least decimals, no minus
// before zero. code is a Field… code, or "" when the literal is acceptable.
func scanDecimal(dst, literal []byte, kind decimalKind) (canonical []byte, negative bool, code string) {
	if len(literal) == 0 || len(literal) > maxDecimalLength || numberLength(literal) != len(literal) {
		return dst, false, problem.FieldInvalidFormat
	}
	var digits [maxDecimalLength]byte
	count, point, exponent := 0, -1, 0
	i := 0
	if literal[0] == '-' {
		negative, i = true, 1
	}
	for ; i < len(literal); i++ {
		c := literal[i]
		if c == '.' {
			point = count
			continue
		}
		if c == 'e' || c == 'E' {
			exponent = smallExponent(literal[i+1:])
			break
		}
		digits[count] = c
		count++
	}
	if exponent < -maxDecimalExponent || exponent > maxDecimalExponent {
		return dst, false, problem.FieldInvalidFormat
	}
	if point < 0 {
		point = count
	}
	point += exponent

	from := 0
	for from < count && digits[from] == '0' {
		from++
	}
	for count > from && digits[count-1] == '0' {
		count--
	}
	value := digits[from:count]
	point -= from
	var plain [maxDecimalLength + 3]byte
	if kind.noise && len(value)-point > kind.decimals {
		value, point = withoutNoise(plain[:0], value, point, kind.decimals)
	}
	if len(value) == 0 {
		negative, point = false, 0
	}
	integers, decimals := max(point, 0), max(len(value)-point, 0)
	shown := max(decimals, kind.least)
	switch {
	case integers > kind.integers:
		return dst, negative, problem.FieldOutOfRange
	case decimals > kind.decimals, kind.total > 0 && integers+shown > kind.total:
		return dst, negative, problem.FieldTooPrecise
	}
	return appendDecimal(dst, value, point, shown, negative), negative, ""
}

// noiseDecimals is how many decimals show that the rest of a number is noise: what it is
// away from one with fewer decimals is then less than 10^-noiseDecimals.
const noiseDecimals = 7

// withoutNoise is the number with that many decimals which the digits, with the point
// after the first point of them, miss by less than binary floating point can explain
// (3.1100000000000003, 29.989999999999998); any other number it gives back as it is.
func withoutNoise(dst, digits []byte, point, decimals int) (value []byte, newPoint int) {
	digit := func(i int) byte {
		if i < 0 || i >= len(digits) {
			return '0'
		}
		return digits[i]
	}
	rest := digit(point + decimals)
	if rest != '0' && rest != '9' || len(digits)-point <= noiseDecimals {
		return digits, point
	}
	for i := point + decimals; i < point+noiseDecimals; i++ {
		if digit(i) != rest {
			return digits, point
		}
	}
	first := min(point, 0) - 1 // of the digits kept, with room for a carry
	for i := first; i < point+decimals; i++ {
		dst = append(dst, digit(i))
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
	digit := func(i int) byte {
		if i < 0 || i >= len(digits) {
			return '0'
		}
		return digits[i]
	}
	if negative {
		dst = append(dst, '-')
	}
	if point <= 0 {
		dst = append(dst, '0')
	}
	for i := 0; i < point; i++ {
		dst = append(dst, digit(i))
	}
	if decimals > 0 {
		dst = append(dst, '.')
	}
	for i := point; i < point+decimals; i++ {
		dst = append(dst, digit(i))
	}
	return dst
}

// smallExponent reads an exponent; one of more than 3 digits is merely too big.
func smallExponent(b []byte) int {
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
	n := 0
	for _, c := range b {
		n = n*10 + int(c-'0')
	}
	return sign * n
}

// modestNumbers reports whether every number in accepted JSON keeps the bounds of
// a literal. It guards values that are stored without a schema.
func modestNumbers(b []byte) bool {
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
			if e := bytes.IndexAny(literal, "eE"); e >= 0 {
				if exponent := smallExponent(literal[e+
					1:]); exponent < -maxDecimalExponent || exponent > maxDecimalExponent {
					return false
				}
			}
			i += n
		default:
			i++
		}
	}
	return true
}
