package models

import "levy/tax/calendar"

// IsTimeZone reports whether a name is that of a time zone in the IANA database.
func IsTimeZone(name string) bool {
	_, known := calendar.Location(name)
	return known
}
