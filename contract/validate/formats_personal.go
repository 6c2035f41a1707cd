package validate

import (
	"bytes"
	"time"

	"levy/models"
)

// The formats of the onboarding. They also accept masked values in the form of the answers: the service decides whether
// a mask is that of the stored value. No message repeats any part of a value.

// quoted appends a text that needs no escapes.
func quoted(dst, text []byte) []byte {
	dst = append(dst, '"')
	dst = append(dst, text...)
	return append(dst, '"')
}

// maskedTail reports whether a text is four stars and at most four other characters.
func maskedTail(text []byte) bool {
	tail, ok := bytes.CutPrefix(text, []byte("****"))
	return ok && len(tail) <= 4 && allOf(tail, func(c byte) bool { return isDigit(c) || isLetter(c) || c == '-' })
}

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func allOf(text []byte, is func(byte) bool) bool {
	for _, c := range text {
		if !is(c) {
			return false
		}
	}
	return true
}

func formatPastDate(v *Run, _ *schema, dst, text []byte) ([]byte, string, string) {
	day, ok := parseDay(text)
	switch {
	case !ok:
		return dst, models.FieldInvalidFormat, messageDate
	case day.Year() < 1900 || day.Year() > 2100:
		return dst, models.FieldOutOfRange, messageYears
	case day.After(v.now):
		return dst, models.FieldOutOfRange, "Must not be in the future."
	}
	return quoteTime(dst, day, time.DateOnly), "", ""
}

func formatBirthDate(v *Run, s *schema, dst, text []byte) ([]byte, string, string) {
	if len(text) == 4 && allOf(text, isDigit) {
		return quoted(dst, text), "", "" // masked, as in an answer
	}
	return formatPastDate(v, s, dst, text)
}

// formatEIN accepts NN-NNNNNNN or nine digits, and writes NN-NNNNNNN.
func formatEIN(_ *Run, _ *schema, dst, text []byte) ([]byte, string, string) {
	number := text
	if len(text) == 10 && text[2] == '-' {
		number = append(append([]byte{}, text[:2]...), text[3:]...)
	}
	if len(number) != 9 || !allOf(number, isDigit) {
		return dst, models.FieldInvalidFormat, "Must be an employer identification number such as 12-3456789."
	}
	dst = append(dst, '"')
	dst = append(dst, number[:2]...)
	dst = append(dst, '-')
	dst = append(dst, number[2:]...)
	return append(dst, '"'), "", ""
}

func formatNAICS(_ *Run, _ *schema, dst, text []byte) ([]byte, string, string) {
	if len(text) < 2 || len(text) > 6 || !allOf(text, isDigit) {
		return dst, models.FieldInvalidFormat, "Must have 2 to 6 digits."
	}
	return quoted(dst, text), "", ""
}

// formatSSN accepts a social security number, or the taxpayer number of a person without one. Dashes are optional;
// it writes the digits only.
func formatSSN(_ *Run, _ *schema, dst, text []byte) ([]byte, string, string) {
	if maskedTail(text) {
		return quoted(dst, text), "", ""
	}
	number := text
	if len(text) == 11 && text[3] == '-' && text[6] == '-' {
		number = append(append(append([]byte{}, text[:3]...), text[4:6]...), text[7:]...)
	}
	if len(number) != 9 || !allOf(number, isDigit) || !isIssued(number) {
		return dst, models.FieldInvalidFormat,
			"Must be a social security number or ITIN of 9 digits that can have been issued."
	}
	return quoted(dst, number), "", ""
}

// isIssued reports whether nine digits can be the number of a person. For example, no number begins with 000 or 666.
func isIssued(number []byte) bool {
	area, _ := digits(number[:3])
	group, _ := digits(number[3:5])
	serial, _ := digits(number[5:])
	if area >= 900 { // an ITIN
		return group >= 50 && group <= 65 || group >= 70 && group <= 88 || group >= 90 && group <= 92 || group >= 94
	}
	return area != 0 && area != 666 && group != 0 && serial != 0
}

func formatDriversLicense(_ *Run, _ *schema, dst, text []byte) ([]byte, string, string) {
	if maskedTail(text) {
		return quoted(dst, text), "", ""
	}
	if !allOf(text, func(c byte) bool { return isDigit(c) || isLetter(c) || c == '-' }) {
		return dst, models.FieldInvalidFormat, "Must have letters, digits and dashes only."
	}
	return quoted(dst, text), "", ""
}

// formatRoutingNumber checks that a routing number has its check digit, and that it lies in a range that is in use.
func formatRoutingNumber(_ *Run, _ *schema, dst, text []byte) ([]byte, string, string) {
	if maskedTail(text) {
		return quoted(dst, text), "", ""
	}
	const message = "Must be an ABA routing number of 9 digits with a valid check digit."
	if !models.IsRoutingNumber(string(text)) {
		return dst, models.FieldInvalidFormat, message
	}
	district, _ := digits(text[:2])
	known := district >= 1 && district <= 12 || district >= 21 && district <= 32 ||
		district >= 61 && district <= 72 || district == 80
	if !known {
		return dst, models.FieldInvalidFormat, message
	}
	return quoted(dst, text), "", ""
}

func formatAccountNumber(_ *Run, _ *schema, dst, text []byte) ([]byte, string, string) {
	if maskedTail(text) {
		return quoted(dst, text), "", ""
	}
	if len(text) < 4 || len(text) > 17 || !allOf(text, isDigit) {
		return dst, models.FieldInvalidFormat, "Must have 4 to 17 digits."
	}
	return quoted(dst, text), "", ""
}
