package contract

import "io"

// Stream takes an answer that an operation writes piece by piece: a file, or server-sent events.
type Stream interface {
	// Begin sets the kind of the answer. Nothing is sent before the first Write: until then the operation may return an
	// error, which is answered like that of any other operation. A later error breaks off the answer.
	Begin(content Content)
	// Write sends the next part. It returns an error if the client has disconnected or reads too slowly.
	io.Writer
	// Flush passes on the parts written so far, such as one event.
	Flush()
	// LastEventID returns the id of the last event that the client has received. It is empty if there is none,
	// and for a file.
	LastEventID() string
}

// Content describes an answer in parts.
type Content struct {
	Type string // media type, such as text/csv; charset=utf-8
	Name string // of a file; empty for events
}

// TypeEvents is the media type of server-sent events.
const TypeEvents = "text/event-stream"
