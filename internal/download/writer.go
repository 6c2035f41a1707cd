// Package download writes answers in parts, such as files and server-sent events, to clients that may read slowly.
package download

import (
	"errors"
	"fmt"
	"mime"
	"net/http"
	"os"
	"strings"
	"time"
	"unicode"

	"levy/internal/pace"
)

const (
	// window is the time over which a client has to read at the least rate. Up to 4 MiB lie between two programs. On a
	// slow line more than a minute passes until there is room for more.
	window = 2 * time.Minute
	// typeEvents is the media type of server-sent events.
	typeEvents = "text/event-stream"
)

// Writer begins an answer with its first part, and gives the client time for each.
type Writer struct {
	w            http.ResponseWriter
	request      *http.Request
	status       int
	mediaType    string
	name         string // of the file
	control      *http.ResponseController
	eventTimeout time.Duration // for reading an event
	begun        bool
	now          func() time.Time
	pace         *pace.Pace
}

// New returns the writer of the answer to a request. A client has eventTimeout to read an event.
func New(w http.ResponseWriter, r *http.Request, status int, eventTimeout time.Duration) *Writer {
	return &Writer{
		w: w, request: r, status: status, control: http.NewResponseController(w), eventTimeout: eventTimeout,
		now: time.Now, pace: pace.New(window),
	}
}

// Describe sets the media type of the answer, and the name of its file; empty for none.
func (b *Writer) Describe(mediaType, name string) {
	b.mediaType, b.name = mediaType, name
	// The time for the request would end the answer. A test's writer has none.
	_ = b.control.SetReadDeadline(time.Time{})
}

// Begun reports whether a part was written.
func (b *Writer) Begun() bool { return b.begun }

// ErrSlow means that a client reads so slowly that it seems to want the place and not the file.
var ErrSlow = errors.New("the client reads too slowly")

// Write sends a part, the first one after the head of the answer. Errors: ErrSlow, and those of the connection.
func (b *Writer) Write(part []byte) (int, error) {
	if !b.begun {
		b.begun = true
		b.writeHead()
	}
	// guard: pace: a download that is not read ends
	if !b.ofEvents() && b.pace.Left() <= 0 {
		return 0, ErrSlow
	}
	began := b.now()
	b.allowWrite(began)
	n, err := b.w.Write(part)
	b.pace.Moved(n, b.now().Sub(began))
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = fmt.Errorf("%w: %w", ErrSlow, err)
	}
	return n, err
}

func (b *Writer) writeHead() {
	header := b.w.Header()
	header.Set("Content-Type", b.mediaType)
	if b.ofEvents() {
		header.Set("X-Accel-Buffering", "no") // proxies pass every message on at once
	}
	if b.name != "" {
		header.Set("Content-Disposition", disposition(b.name))
	}
	b.w.WriteHeader(b.status)
}

// allowWrite sets the time limit of the next write. A writer of a test has no deadline, and needs none.
func (b *Writer) allowWrite(now time.Time) {
	limit := b.pace.Left()
	if b.ofEvents() {
		limit = b.eventTimeout
	}
	_ = b.control.SetWriteDeadline(now.Add(limit))
}

// Flush sends the bytes that were written so far.
func (b *Writer) Flush() { _ = b.control.Flush() }

// LastEventID is the id of the last event that the client has received, as it says.
func (b *Writer) LastEventID() string { return b.request.Header.Get("Last-Event-ID") }

// End gives the end of a stream of events its time too.
func (b *Writer) End() {
	if b.ofEvents() {
		b.allowWrite(b.now())
	}
}

func (b *Writer) ofEvents() bool { return b.mediaType == typeEvents }

// disposition asks a browser to save a file under its name. A name in other letters than those of ASCII is encoded.
func disposition(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return r > unicode.MaxASCII }) {
		return mime.FormatMediaType("attachment", map[string]string{"filename": name})
	}
	return `attachment; filename="` + name + `"`
}
