package web

import (
	"bytes"
	"regexp"
	"strings"
	"time"

	"levy/contract"
	"levy/models"
)

// Marks begin a number, a day or an instant in the text of a page, and end it. A page has these values in a neutral form
// until it is written in the form of its person. Unicode keeps these code points for use inside of a program.
const (
	numberMark = "\uFDD0"
	dayMark    = "\uFDD1"
	momentMark = "\uFDD2"
	endMark    = "\uFDD3"
	// typedMark begins a number in a field: it has the decimal mark of the person, and no thousands.
	typedMark = "\uFDD4"
	lastMark  = typedMark
)

// personalForm is the form in which a person sees and types numbers and days, and sees instants.
type personalForm struct {
	Thousands string // between groups of three digits
	Decimal   string // before the decimals
	Day       string // layout of package time
	Zone      *time.Location
}

// thousands are the texts between groups of digits.
var thousands = map[contract.NumberFormat]string{
	contract.NumberFormat(models.CommaThousands):      ",",
	contract.NumberFormat(models.SpaceThousands):      "\u202F", // narrow, and no line breaks there
	contract.NumberFormat(models.ApostropheThousands): "’",
	contract.NumberFormat(models.PlainThousands):      "",
	contract.NumberFormat(models.PointThousands):      ".",
	contract.NumberFormat(models.SpaceCommaThousands): "\u202F",
}

// formOf returns the form of a person with preferences. organizationZone is the time zone of the organization of the page; ""
// for none.
func formOf(p *contract.Preferences, organizationZone string) personalForm {
	form := personalForm{thousands[p.NumberFormat], ".", models.DateFormat(p.DateFormat).Layout(), zoneOf(p, organizationZone)}
	if models.NumberFormat(p.NumberFormat).DecimalComma() {
		form.Decimal = ","
	}
	return form
}

// zoneOf returns the time zone of instants: that of the person, else that of the organization of the page, else UTC.
func zoneOf(p *contract.Preferences, organizationZone string) *time.Location {
	name := organizationZone
	if p.TimeZoneChosen || name == "" {
		name = p.TimeZone
	}
	return models.TimeZoneOrUTC(name)
}

// defaultPreferences returns the preferences of a person without own ones.
func defaultPreferences() *contract.Preferences {
	p := models.DefaultPreferences("")
	return &contract.Preferences{Theme: contract.Theme(p.Theme), DateFormat: contract.DateFormat(p.DateFormat),
		NumberFormat: contract.NumberFormat(p.NumberFormat), TimeZone: p.TimeZone,
		EmailsOff: []contract.EmailKind{}, DigestDay: contract.WeekdayMONDAY}
}

// longestMarked is the length of the longest marked value and its end. A mark whose end is farther was typed by a person.
const longestMarked = 40

// write returns a page with the marked values in the form of the person. It removes marks around anything else.
func (f personalForm) write(page []byte) []byte {
	var b bytes.Buffer
	b.Grow(len(page))
	for {
		at := bytes.Index(page, []byte(numberMark[:2])) // all marks begin so
		if at < 0 || len(page) < at+len(numberMark) {
			b.Write(page)
			return b.Bytes()
		}
		b.Write(page[:at])
		mark, rest := string(page[at:at+len(numberMark)]), page[at+len(numberMark):]
		value, _, closed := bytes.Cut(rest[:min(longestMarked, len(rest))], []byte(endMark))
		text, known := "", false
		if closed {
			text, known = f.value(mark, string(value))
		}
		switch {
		case known:
			b.WriteString(text)
			rest = rest[len(value)+len(endMark):]
		case mark < numberMark || mark > lastMark: // a letter with the same first bytes
			b.WriteString(mark)
		}
		page = rest
	}
}

// value returns a marked value in the form of the person, and whether it has the neutral form of its mark.
func (f personalForm) value(mark, text string) (string, bool) {
	switch mark {
	case numberMark:
		return f.number(text), numberInPage.MatchString(text)
	case typedMark:
		return strings.Replace(text, ".", f.Decimal, 1), neutralNumber.MatchString(text)
	case dayMark:
		day, err := time.Parse(time.DateOnly, text)
		return day.Format(f.Day), err == nil
	case momentMark:
		at, err := time.Parse(time.RFC3339, text)
		return at.In(f.Zone).Format(f.Day + ", 15:04 MST"), err == nil
	}
	return "", false
}

var numberInPage = regexp.MustCompile(`^[0-9]+(\.[0-9]*)?$`)

// number returns a number of digits, with or without decimals, in groups of three.
func (f personalForm) number(text string) string {
	whole, decimals, hasDecimals := strings.Cut(text, ".")
	for at := len(whole) - 3; at > 0; at -= 3 {
		whole = whole[:at] + f.Thousands + whole[at:]
	}
	if hasDecimals {
		return whole + f.Decimal + decimals
	}
	return whole
}
