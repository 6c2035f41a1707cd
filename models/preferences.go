package models

import (
	"cmp"
	"time"
)

// Theme is the choice between light and dark pages of the console.
type Theme string

// Themes. SYSTEM follows the browser.
const (
	ThemeSystem Theme = "SYSTEM"
	ThemeLight  Theme = "LIGHT"
	ThemeDark   Theme = "DARK"
)

// DateFormat is the form of days in the console.
type DateFormat string

// Forms of days.
const (
	DayMonthYear DateFormat = "DAY_MONTH_YEAR" // 2 Jan 2026
	MonthDayYear DateFormat = "MONTH_DAY_YEAR" // Jan 2, 2026
	ISODate      DateFormat = "ISO"            // 2026-01-02
)

// Layout returns the form of a day for time.Format.
func (f DateFormat) Layout() string {
	switch f {
	case MonthDayYear:
		return "Jan 2, 2006"
	case ISODate:
		return time.DateOnly
	case DayMonthYear:
	}
	return "2 Jan 2006"
}

// NumberFormat is the form of numbers in the console, as they are shown and as they are typed.
type NumberFormat string

// Forms of numbers.
const (
	CommaThousands      NumberFormat = "COMMA"       // 1,234.50
	SpaceThousands      NumberFormat = "SPACE"       // 1 234.50
	ApostropheThousands NumberFormat = "APOSTROPHE"  // 1'234.50
	PlainThousands      NumberFormat = "NONE"        // 1234.50
	PointThousands      NumberFormat = "POINT"       // 1.234,50
	SpaceCommaThousands NumberFormat = "SPACE_COMMA" // 1 234,50
)

// DecimalComma reports whether decimals follow a comma. They follow a point in the other forms.
func (f NumberFormat) DecimalComma() bool { return f == PointThousands || f == SpaceCommaThousands }

// Preferences are the form in which the console shows its pages to a person.
type Preferences struct {
	UserID       string `gorm:"primaryKey"`
	Theme        Theme
	DateFormat   DateFormat
	NumberFormat NumberFormat
	TimeZone     string     // name in the IANA database; UTC for a person without a choice
	UTCChosen    bool       `gorm:"column:utc_chosen"` // the person has chosen UTC
	PageSize     *int       // rows of a page of a list; nil for the number of each list
	MailsOff     []MailKind `gorm:"serializer:json"` // kinds of e-mail that the person does not want
	DigestDay    int        // day of the weekly digest, from 1 for Monday to 7
	UpdatedAt    time.Time
}

// ZoneChosen reports whether the person has chosen the time zone.
func (p *Preferences) ZoneChosen() bool { return p.UTCChosen || p.TimeZone != zoneUnchosen }

// ChooseZone sets the time zone that the person has chosen, by its name in the IANA database; "" for no choice.
func (p *Preferences) ChooseZone(name string) {
	p.TimeZone, p.UTCChosen = cmp.Or(name, zoneUnchosen), name == zoneUnchosen
}

// zoneUnchosen is the time zone of a person without a choice.
const zoneUnchosen = "UTC"

// DefaultPreferences returns the preferences of a person without own ones.
func DefaultPreferences(userID string) Preferences {
	return Preferences{UserID: userID, Theme: ThemeSystem, DateFormat: DayMonthYear, NumberFormat: CommaThousands, TimeZone: zoneUnchosen,
		MailsOff: []MailKind{}, DigestDay: 1}
}
