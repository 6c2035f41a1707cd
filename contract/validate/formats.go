package validate

import (
	"bytes"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"levy/models"
)

// format is a named check of a string. It appends the canonical JSON value, or returns a Field… code and a message.
type format func(v *Run, s *schema, dst, text []byte) (canonical []byte, code, message string)

var formats = map[string]format{
	"date":             formatDate,
	"date-time":        formatDateTime,
	"shop-date":        formatShopDate,
	"from-instant":     formatFrom,
	"to-instant":       formatTo,
	"email":            formatEmail,
	"phone":            formatPhone,
	"timezone":         formatTimeZone,
	"product-category": formatProductCategory,
	"past-date":        formatPastDate,
	"birth-date":       formatBirthDate,
	"ein":              formatEIN,
	"naics":            formatNAICS,
	"ssn":              formatSSN,
	"drivers-license":  formatDriversLicense,
	"aba-routing":      formatRoutingNumber,
	"bank-account":     formatAccountNumber,
	"webhook-url":      formatWebhookURL,
	"sst-id":           formatSSTID,
}

const (
	messageDate     = "Must be a calendar day in the form 2026-05-15."
	messageDateTime = "Must be a date and time in the form 2026-05-15T10:00:00Z."
	messageYears    = "The year must be between 1900 and 2100."
	messageNegative = "Must not be negative."
)

// appendRaw appends a string as it was sent.
func appendRaw(v *Run, dst []byte) []byte {
	dst = append(dst, '"')
	dst = append(dst, v.raw...)
	return append(dst, '"')
}

func formatDate(v *Run, s *schema, dst, text []byte) ([]byte, string, string) {
	day, ok := parseDay(text)
	if !ok {
		return dst, models.FieldInvalidFormat, messageDate
	}
	if code, message := v.inRange(s, day); code != "" {
		return dst, code, message
	}
	return quoteTime(dst, day, time.DateOnly), "", ""
}

// formatShopDate accepts a day, or a date-time of which only the day is used.
func formatShopDate(v *Run, s *schema, dst, text []byte) ([]byte, string, string) {
	if len(text) > 10 {
		if _, ok := parseInstant(text); !ok {
			return dst, models.FieldInvalidFormat, messageDate
		}
		text = text[:10]
	}
	return formatDate(v, s, dst, text)
}

func formatDateTime(v *Run, s *schema, dst, text []byte) ([]byte, string, string) {
	at, offset, ok := parseWritten(text)
	if !ok {
		return dst, models.FieldInvalidFormat, messageDateTime
	}
	if code, message := v.inRange(s, at); code != "" {
		return dst, code, message
	}
	if s.keepsOffset && offset != 0 {
		at = at.In(time.FixedZone("", int(offset.Seconds())))
	}
	return quoteTime(dst, at, time.RFC3339Nano), "", ""
}

// formatFrom and formatTo read the limits of a search. A day means its first microsecond in the one and its last in the
// other.
func formatFrom(v *Run, s *schema, dst, text []byte) ([]byte, string, string) {
	return formatBorder(v, s, dst, text, 0)
}

func formatTo(v *Run, s *schema, dst, text []byte) ([]byte, string, string) {
	return formatBorder(v, s, dst, text, 24*time.Hour-time.Microsecond)
}

func formatBorder(v *Run, s *schema, dst, text []byte, within time.Duration) ([]byte, string, string) {
	at, ok := parseDay(text)
	if ok {
		at = at.Add(within)
	} else if at, ok = parseInstant(text); !ok {
		return dst, models.FieldInvalidFormat,
			"Must be a day (2026-05-15) or a date and time (2026-05-15T10:00:00Z). Write a + in a URL as %2B."
	}
	if code, message := v.inRange(s, at); code != "" {
		return dst, code, message
	}
	return quoteTime(dst, at, time.RFC3339Nano), "", ""
}

// formatSSTID accepts the id of a Streamlined Sales Tax registration. Source: schema of the Streamlined simplified
// electronic return, type SSTPIDType.
func formatSSTID(v *Run, _ *schema, dst, text []byte) ([]byte, string, string) {
	if len(text) != 9 || text[0] != 'S' || !allOf(text[1:], isDigit) {
		return dst, models.FieldInvalidFormat, "Must be S and 8 digits, such as S12345678."
	}
	return appendRaw(v, dst), "", ""
}

func quoteTime(dst []byte, at time.Time, layout string) []byte {
	dst = append(dst, '"')
	dst = at.AppendFormat(dst, layout)
	return append(dst, '"')
}

// inRange checks an instant against the supported years and the limits of the schema.
func (v *Run) inRange(s *schema, at time.Time) (code, message string) {
	if at.Year() < 1900 || at.Year() > 2100 {
		return models.FieldOutOfRange, messageYears
	}
	if s.notBefore != nil && at.Before(s.notBefore.at(v.now)) {
		if s.notBefore.fixed.IsZero() {
			return models.FieldOutOfRange, "Must be in the future."
		}
		return models.FieldOutOfRange, "Must not be before " + s.notBefore.fixed.Format(time.DateOnly) + "."
	}
	if s.notAfter != nil && at.After(s.notAfter.at(v.now)) {
		return models.FieldOutOfRange, "Must not be more than 366 days from now."
	}
	return "", ""
}

// parseDay reads exactly YYYY-MM-DD.
func parseDay(b []byte) (time.Time, bool) {
	if len(b) != 10 || b[4] != '-' || b[7] != '-' {
		return time.Time{}, false
	}
	year, ok1 := digits(b[0:4])
	month, ok2 := digits(b[5:7])
	day, ok3 := digits(b[8:10])
	if !ok1 || !ok2 || !ok3 || month < 1 || month > 12 || day < 1 {
		return time.Time{}, false
	}
	at := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	return at, at.Day() == day // time.Date moves a day after the end of the month into the next month
}

// parseInstant reads an RFC 3339 date-time. Without an offset it is in UTC. Fractions of a microsecond are cut off.
func parseInstant(b []byte) (time.Time, bool) {
	at, _, ok := parseWritten(b)
	return at, ok
}

// parseWritten reads a date-time like parseInstant. It also returns the offset from UTC.
func parseWritten(b []byte) (at time.Time, offset time.Duration, ok bool) {
	if len(b) < 19 || b[10] != 'T' || b[13] != ':' || b[16] != ':' {
		return time.Time{}, 0, false
	}
	day, ok := parseDay(b[:10])
	hour, ok1 := digits(b[11:13])
	minute, ok2 := digits(b[14:16])
	second, ok3 := digits(b[17:19])
	if !ok || !ok1 || !ok2 || !ok3 || hour > 23 || minute > 59 || second > 59 {
		return time.Time{}, 0, false
	}
	micros, rest, ok := parseFraction(b[19:])
	if !ok {
		return time.Time{}, 0, false
	}
	if offset, ok = parseOffset(rest); !ok {
		return time.Time{}, 0, false
	}
	at = day.Add(time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute +
		time.Duration(second)*time.Second + micros - offset)
	return at, offset, true
}

func parseFraction(b []byte) (micros time.Duration, rest []byte, ok bool) {
	if len(b) == 0 || b[0] != '.' {
		return 0, b, true
	}
	n := 1
	unit := 100 * time.Millisecond
	for ; n < len(b) && b[n] >= '0' && b[n] <= '9'; n++ {
		if n <= 6 {
			micros += time.Duration(b[n]-'0') * unit
			unit /= 10
		}
	}
	return micros, b[n:], n >= 2 && n <= 10
}

func parseOffset(b []byte) (time.Duration, bool) {
	switch {
	case len(b) == 0, len(b) == 1 && b[0] == 'Z':
		return 0, true
	case len(b) != 6 || b[3] != ':' || b[0] != '+' && b[0] != '-':
		return 0, false
	}
	hours, ok1 := digits(b[1:3])
	minutes, ok2 := digits(b[4:6])
	if !ok1 || !ok2 || minutes > 59 || hours*60+minutes > 14*60 {
		return 0, false
	}
	offset := time.Duration(hours*60+minutes) * time.Minute
	if b[0] == '-' {
		offset = -offset
	}
	return offset, true
}

func digits(b []byte) (int, bool) {
	n := 0
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}

// formatDecimal accepts a number in a text, such as a parameter.
func formatDecimal(_ *Run, s *schema, dst, text []byte) ([]byte, string, string) {
	kind := s.number
	kind.noise = false
	canonical, negative, code := scanDecimal(append(dst, '"'), text, kind)
	switch {
	case code != "":
		return dst, code, numberMessage(s, code)
	case negative && s.notNegative:
		return dst, models.FieldOutOfRange, messageNegative
	}
	return append(canonical, '"'), "", ""
}

func formatEmail(v *Run, _ *schema, dst, text []byte) ([]byte, string, string) {
	local, domain, found := bytes.Cut(text, []byte("@"))
	if !found || len(local) == 0 || bytes.IndexByte(domain, '@') >= 0 || bytes.ContainsFunc(text, unicode.IsSpace) {
		return dst, models.FieldInvalidFormat, "Must be an e-mail address."
	}
	if dot := bytes.IndexByte(domain, '.'); dot < 1 || domain[len(domain)-1] == '.' {
		return dst, models.FieldInvalidFormat, "Must be an e-mail address with a domain such as example.com."
	}
	return appendRaw(v, dst), "", ""
}

func formatPhone(v *Run, _ *schema, dst, text []byte) ([]byte, string, string) {
	count := 0
	for _, c := range text {
		switch {
		case c >= '0' && c <= '9':
			count++
		case strings.IndexByte("+-(). ", c) >= 0:
		default:
			count = -len(text)
		}
	}
	if count < 7 || count > 15 {
		return dst, models.FieldInvalidFormat,
			"Must be a telephone number of 7 to 15 digits, with + - ( ) . and spaces."
	}
	return appendRaw(v, dst), "", ""
}

func formatTimeZone(v *Run, _ *schema, dst, text []byte) ([]byte, string, string) {
	if !models.IsTimeZone(string(text)) {
		return dst, models.FieldInvalidFormat, "Must be an IANA time zone such as America/New_York."
	}
	return appendRaw(v, dst), "", ""
}

func formatProductCategory(v *Run, _ *schema, dst, text []byte) ([]byte, string, string) {
	if known := v.checker.options.Category; known != nil && !known(string(text)) {
		return dst, models.FieldInvalidCategory, v.unknownCategoryMessage(string(text))
	}
	return appendRaw(v, dst), "", ""
}

// isBlank reports whether a text is empty or only white space.
func isBlank(text []byte) bool {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if !unicode.IsSpace(r) {
			return false
		}
		text = text[size:]
	}
	return true
}

// formatWebhookURL accepts an address that the installation may call.
func formatWebhookURL(v *Run, _ *schema, dst, text []byte) ([]byte, string, string) {
	if check := v.checker.options.WebhookURL; check != nil {
		if wrong := check(string(text)); wrong != "" {
			return dst, models.FieldURLNotAllowed, wrong
		}
	}
	return appendRaw(v, dst), "", ""
}
