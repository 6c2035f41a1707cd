package calendar

import (
	"path"
	"sync"
	"time"
	_ "time/tzdata" // time zones must be known on every machine
)

// locations holds the time zones that were used, by name: a few hundred at most.
var locations sync.Map

// Location returns the time zone with a name of the IANA database, and false for an unknown one. A path that leads to a
// zone by a detour, such as Europe/../UTC, is unknown: the number of such paths has no limit.
func Location(name string) (*time.Location, bool) {
	if zone, known := locations.Load(name); known {
		return zone.(*time.Location), true
	}
	zone, err := time.LoadLocation(name)
	if err != nil || name == "" || name == "Local" || name != path.Clean(name) {
		return nil, false
	}
	locations.Store(name, zone)
	return zone, true
}
