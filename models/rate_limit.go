package models

// RateLimit bounds the calls of the organization that owns the key: PerMinute in
// the long run, Burst at once.
type RateLimit struct {
	PerMinute int
	Burst     int
}
