package models

import (
	"encoding/json"
	"time"
)

// EventsKept is how long events can be read.
const EventsKept = 90 * 24 * time.Hour

// Event is a change of a record of an organization. Events of an organization are read in the order of their numbers.
type Event struct {
	OrganizationID string
	Sequence       int64 // ascends in the order of the feed, with gaps
	CreatedAt      time.Time
	Type           string // such as filing.approved
	ObjectID       string
	IsTest         bool
	RequestID      *string
	// Record is the data of the resource: the row of the record after the change, by column. For an event that was
	// appended with its object it is the object itself.
	Record json.RawMessage
	// Previous has the changed columns with their previous values; nil for none.
	Previous json.RawMessage
}

// ID returns the identifier of the event. It contains the time and the number, so no table is needed to find the
// position of an event.
func (e Event) ID() string { return EventID(e.CreatedAt, e.Sequence) }

// Position returns the position of the event in the feed.
func (e Event) Position() EventPosition {
	return EventPosition{At: e.CreatedAt.Truncate(time.Millisecond), Sequence: e.Sequence}
}

// EventPosition is a position in the feed of an organization: after the event with that number, which was written in
// that millisecond. The zero value is the beginning.
type EventPosition struct {
	At       time.Time
	Sequence int64
}

// EventQuery selects events of the feed.
type EventQuery struct {
	Organizations []string
	After         EventPosition // the events after it
	Types         []string      // none: all
	Limit         int
}

// EventID returns the identifier of an event: a UUIDv7 of its time whose other bits are its number.
func EventID(at time.Time, sequence int64) string {
	const version, variant = 7 << 12, 1 << 63
	return PrefixEvent + "_" + digitsOf(uint64(max(0, at.UnixMilli()))<<16|version, uint64(sequence)&(1<<62-1)|variant)
}

// ParseEventID returns the position of an event by its identifier; false for an identifier of no event.
// It does not check that the event exists.
func ParseEventID(id string) (EventPosition, bool) {
	if !IsID(PrefixEvent, id) {
		return EventPosition{}, false
	}
	hi, lo := numberOf(id[len(PrefixEvent)+1:])
	at := EventPosition{At: time.UnixMilli(int64(hi >> 16)).UTC(), Sequence: int64(lo & (1<<62 - 1))}
	return at, EventID(at.At, at.Sequence) == id
}

// EventRecord is an event with pointers to its record in this package, after the change and before it.
// Both are nil for an event with its own object. Before is nil for an event without a previous state.
type EventRecord struct {
	Event
	Now, Before any
}

// TransactionSnapshot is the data of a transaction in an event: by column, the values that processing has set.
// Previous has the columns that differed before, or all of them of the previous version.
type TransactionSnapshot struct {
	ID               string
	Record, Previous json.RawMessage
}
