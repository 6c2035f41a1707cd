package models

import (
	"encoding/json"
	"time"
)

// EventsKept is how long events can be read.
const EventsKept = 90 * 24 * time.Hour

// Event says what happened to a record of an organization. Events of an organization are read in the
// order of their numbers.
type Event struct {
	OrganizationID string
	Sequence       int64 // ascends in the order of the feed, with gaps
	CreatedAt      time.Time
	Type           string // such as filing.approved
	ObjectID       string
	IsTest         bool
	RequestID      *string
	// Record is what the resource is shown from: the row of the record as the change left it, by
	// column. Of an event that was appended with its object it is the object itself.
	Record json.RawMessage
	// Previous has the columns that changed, with what they held before; nil for none.
	Previous json.RawMessage
}

// ID is the identifier of the event. It carries the time and the number: no table has to be asked
// where in the feed an event is.
func (e Event) ID() string { return EventID(e.CreatedAt, e.Sequence) }

// Position is where the event is in the feed.
func (e Event) Position() EventPosition {
	return EventPosition{At: e.CreatedAt.Truncate(time.Millisecond), Sequence: e.Sequence}
}

// EventPosition is a place in the feed of an organization: behind the event with that number, which
// was written in that millisecond. The zero value is the beginning.
type EventPosition struct {
	At       time.Time
	Sequence int64
}

// EventQuery selects events of the feed.
type EventQuery struct {
	Organizations []string
	After         EventPosition // the events behind it
	Types         []string      // none: all
	Limit         int
}

// EventID makes the identifier of an event: a UUIDv7 of its time whose other bits are its number.
func EventID(at time.Time, sequence int64) string {
	const version, variant = 7 << 12, 1 << 63
	return PrefixEvent + "_" + digitsOf(uint64(max(0, at.UnixMilli()))<<16|version, uint64(sequence)&(1<<62-1)|variant)
}

// ParseEventID is the place of an event in the feed by its identifier; false for an identifier that is
// of no event. It does not say whether there is such an event.
func ParseEventID(id string) (EventPosition, bool) {
	if !IsID(PrefixEvent, id) {
		return EventPosition{}, false
	}
	hi, lo := numberOf(id[len(PrefixEvent)+1:])
	at := EventPosition{At: time.UnixMilli(int64(hi >> 16)).UTC(), Sequence: int64(lo & (1<<62 - 1))}
	return at, EventID(at.At, at.Sequence) == id
}

// EventRecord is an event with the record that it is about: a pointer to a record of this package, as
// the change left it and as it was before. Both are nil for an event that has its object itself, and
// Before for one that changed nothing that was.
type EventRecord struct {
	Event
	Now, Before any
}

// TransactionSnapshot is what an event keeps of a transaction: by column, what its processing had made of
// it. Previous has the columns that differed before, or all of them of the version before.
type TransactionSnapshot struct {
	ID               string
	Record, Previous json.RawMessage
}
