package validate

import (
	"strconv"
	"time"
	"unicode/utf8"

	"levy/models"
)

// string validates a text; v.raw is the same text as sent.
func (v *Run) string(s *schema, text []byte) {
	length := len(text)
	if length > s.maxLength || length < s.minLength {
		length = utf8.RuneCount(text)
	}
	switch {
	case length > s.maxLength:
		v.fault(models.FieldTooLong, "At most "+counted(s.maxLength, "character", "characters")+" allowed.")
		return
	case length < s.minLength && s.minLength > 1:
		v.fault(models.FieldTooShort, "At least "+counted(s.minLength, "character", "characters")+" needed.")
		return
	case length < s.minLength:
		v.fault(models.FieldTooShort, "Must not be empty.")
		return
	}
	if s.values != nil {
		if _, ok := s.values[string(text)]; !ok {
			v.fault(s.fault, v.notInSetMessage(s, string(text)))
			return
		}
	}
	if s.notSent != nil {
		if _, ok := s.notSent[string(text)]; ok {
			v.fault(models.FieldNotAllowed, "This value is set by the service only.")
			return
		}
	}
	if s.format == nil {
		v.out = appendRaw(v, v.out)
		return
	}
	out, code, message := s.format(v, s, v.out, text)
	if code != "" {
		v.fault(code, message)
		return
	}
	v.out = out
}

// number validates a decimal or an integer. text means that it was sent as a text, whose number has no noise of binary
// floating point.
func (v *Run) number(s *schema, literal []byte, text bool) {
	kind := s.number
	kind.noise = kind.noise && !text
	if !s.number.whole {
		v.out = append(v.out, '"')
	}
	start := len(v.out)
	out, negative, code := scanDecimal(v.out, literal, kind)
	if code != "" {
		v.fault(code, numberMessage(s, code))
		return
	}
	v.out = out
	if s.number.whole {
		v.integer(s, out[start:])
		return
	}
	v.out = append(v.out, '"')
	if negative && s.notNegative {
		v.fault(models.FieldOutOfRange, messageNegative)
	}
}

func (v *Run) integer(s *schema, text []byte) {
	n, err := strconv.ParseInt(string(text), 10, 64)
	switch {
	case err != nil, s.bounded && (n < s.minimum || n > s.maximum):
		v.fault(
			models.FieldOutOfRange,
			"Must be between "+strconv.FormatInt(s.minimum, 10)+" and "+strconv.FormatInt(s.maximum, 10)+".",
		)
	case s.notBefore != nil:
		if code, message := v.inRange(s, time.Unix(n, 0).UTC()); code != "" {
			v.fault(code, message)
		}
	}
}

func numberTypeMessage(s *schema) string {
	if s.number.whole {
		return "Must be a whole number."
	}
	return "Must be a number, or a text that holds one."
}

func numberMessage(s *schema, code string) string {
	switch {
	case s.number.whole && code == models.FieldTooPrecise:
		return "Must be a whole number."
	case s.number.whole && code == models.FieldOutOfRange && s.bounded:
		return "Must be between " + strconv.FormatInt(s.minimum, 10) + " and " + strconv.FormatInt(s.maximum, 10) + "."
	case code == models.FieldOutOfRange:
		return "At most " + counted(s.number.integers, "digit", "digits") + " allowed before the point."
	case code == models.FieldTooPrecise:
		return "At most " + counted(s.number.decimals, "decimal", "decimals") + " allowed."
	default:
		return "Must be a number such as 1234.50, without thousands separators and in at most 32 characters."
	}
}

// counted returns a number with its noun and its verb, such as "1 entry is".
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one + " is"
	}
	return strconv.Itoa(n) + " " + many + " are"
}
