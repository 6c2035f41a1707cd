package convert

import (
	"strconv"
	"time"
)

// Instant returns a time in the form of answers: UTC, to the microsecond.
func Instant(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

// OptionalInstant is Instant for an optional time.
func OptionalInstant(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	at := Instant(*t)
	return &at
}

// InstantText returns a time as files have it.
func InstantText(t time.Time) string { return Instant(t).Format(time.RFC3339Nano) }

// OptionalNumberText returns a number as files have it; "" for none.
func OptionalNumberText(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}

// OptionalInstantText returns a time as files have it; "" for none.
func OptionalInstantText(t *time.Time) string {
	if t == nil {
		return ""
	}
	return InstantText(*t)
}
