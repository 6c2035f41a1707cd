package models

import (
	"time"

	"levy/tax/calendar"
)

// IsTimeZone reports whether a name is that of a time zone in the IANA database.
func IsTimeZone(name string) bool {
	_, known := TimeZone(name)
	return known
}

// TimeZone returns the time zone with a name of the IANA database, and false for an unknown one.
func TimeZone(name string) (*time.Location, bool) { return calendar.Location(name) }

// TimeZoneOrUTC returns the time zone with a name of the IANA database; UTC for one that is not known here.
func TimeZoneOrUTC(name string) *time.Location {
	if zone, known := TimeZone(name); known {
		return zone
	}
	return time.UTC
}
