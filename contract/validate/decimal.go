package validate

import (
	"bytes"

	"levy/models"
)

// decimalKind is a kind of number of the contract.
type decimalKind struct {
	integers    int  // largest number of digits before the point
	decimals    int  // largest number of digits after it
	minDecimals int  // smallest number of digits after it in canonical form
	total       int  // largest number of digits that can be stored exactly; 0: no further limit
	whole       bool // an integer: its canonical form is a JSON number
	noise       bool // noise of binary floating point in a JSON number is removed
}

var decimalKinds = map[string]decimalKind{
	"money":           {integers: 10, decimals: 2, minDecimals: 2, noise: true},
	"money18":         {integers: 18, decimals: 2, minDecimals: 2},
	"rate":            {integers: 3, decimals: 9, minDecimals: 9},
	"qty":             {integers: 12, decimals: 9, minDecimals: 1, total: 19},
	"percent":         {integers: 3, decimals: 2, minDecimals: 2},
	"conversion_rate": {integers: 12, decimals: 9, minDecimals: 9, total: 19},
}

// Bounds of a literal. They keep the cost of a number to that of its text.
const (
	maxDecimalLength   = 32
	maxDecimalExponent = 20
)

// scanDecimal reads a literal in JSON notation and appends its canonical form. This form has plain notation,
// no trailing zeros beyond kind.minDecimals decimals, and no minus before zero. code is a Field… code,
// or "" if the literal is acceptable.
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

// readDigits returns the digits of a number, with the point after the first point of them. ok is false if the exponent
// is extreme.
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

// noiseDecimals is the number of decimals after which the rest of a number counts as noise. The number then differs
// from one with fewer decimals by less than 10^-noiseDecimals.
const noiseDecimals = 7

// withoutNoise returns the number without noise of binary floating point, with that many decimals.
// The point is after the first point of the digits. For example, 3.1100000000000003 becomes 3.11, and
// 29.989999999999998 becomes 29.99. It returns any other number unchanged.
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
	first := min(point, 0) - 1 // of the remaining digits, with room for a carry
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

// digitAt returns a digit, and 0 before the first and after the last one.
func digitAt(digits []byte, i int) byte {
	if i < 0 || i >= len(digits) {
		return '0'
	}
	return digits[i]
}

// trimZeros removes the zeros at both ends of digits. The point is after the first point of the digits.
func trimZeros(digits []byte, point int) (value []byte, newPoint int) {
	for len(digits) > 0 && digits[0] == '0' {
		digits, point = digits[1:], point-1
	}
	return bytes.TrimRight(digits, "0"), point
}

// appendDecimal writes digits. The point is after the first point of them.
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

// readExponent reads an exponent. It returns 1000 for one of more than 3 digits: all of them are too large.
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

// hasBoundedNumbers reports whether every number in accepted JSON is within the bounds of a literal.
// It protects values that are stored without a schema.
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
