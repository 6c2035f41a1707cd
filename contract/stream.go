package contract

import "io"

// Stream takes an answer that an operation writes while it reads it: a file, or server-sent events.
type Stream interface {
	// Begin tells what the answer is. Nothing is sent before the first Write: until then the operation may return an
	// error, which is answered as that of any other operation. A later error breaks the answer off.
	Begin(content Content)
	// Write sends the next part. Its error means that the client has disconnected, or reads too slowly.
	io.Writer
	// Flush passes on what was written so far, such as one event.
	Flush()
	// LastEventID is the id of the last event that the client has received; empty for none, and for a file.
	LastEventID() string
}

// Content is what an answer in parts contains.
type Content struct {
	Type string // media type, such as text/csv; charset=utf-8
	Name string // of a file; empty for events
}

// TypeEvents is the media type of server-sent events.
const TypeEvents = "text/event-stream"
