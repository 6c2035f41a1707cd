package api

import (
	"errors"
	"log/slog"
	"mime"
	"net/http"
	"strings"
	"time"
	"unicode"

	"github.com/gin-gonic/gin"

	"levy/contract"
)

const (
	// exportWriteTimeout is how long a client may take to read one piece of a file.
	exportWriteTimeout = 30 * time.Second
	// leastRate is what a client reads of a file in a second, on average, once it has kept the service
	// waiting for leastRateAfter; a slower one is broken off.
	leastRate, leastRateAfter = 16 << 10, 30 * time.Second
)

// endStream ends an answer in parts, which has failed unless err is nil. One that fails after its beginning breaks the
// connection off, so that no client takes a part for the whole.
func (s *Server) endStream(c *gin.Context, out *stream, err error) {
	switch {
	case err != nil && out.begun:
		s.note(c, slog.LevelWarn, "answer broken off", err)
		panic(http.ErrAbortHandler)
	case err != nil:
		s.fail(c, err)
	}
}

// stream begins the answer with its first part, and gives the client time for each. It implements contract.Stream.
type stream struct {
	c            *gin.Context
	status       int
	content      contract.Content
	control      *http.ResponseController
	eventTimeout time.Duration // for reading an event
	begun        bool
	written      int64
	waited       time.Duration // for the client
}

func (s *Server) newStream(c *gin.Context, status int) *stream {
	return &stream{
		c: c, status: status, control: http.NewResponseController(c.Writer), eventTimeout: s.service.StreamTimes().WriteTimeout,
	}
}

// Begin tells what the answer is.
func (b *stream) Begin(content contract.Content) {
	b.content = content
	// The time for the request would end the answer. A test's writer has none.
	_ = b.control.SetReadDeadline(time.Time{})
}

// errSlow: a client reads so slowly that it seems to want the place and not the file.
var errSlow = errors.New("the client reads too slowly")

// Write sends a part, the first one after the head of the answer. Errors: errSlow, and those of the connection.
func (b *stream) Write(part []byte) (int, error) {
	if !b.begun {
		b.begun = true
		b.writeHead()
	}
	if !b.ofEvents() && b.waited > leastRateAfter && float64(b.written) < leastRate*b.waited.Seconds() {
		return 0, errSlow
	}
	began := time.Now()
	b.allowWrite(began)
	n, err := b.c.Writer.Write(part)
	b.written += int64(n)
	b.waited += time.Since(began)
	return n, err
}

func (b *stream) writeHead() {
	header := b.c.Writer.Header()
	header.Set("Content-Type", b.content.Type)
	if b.ofEvents() {
		header.Set("X-Accel-Buffering", "no") // proxies pass every message on at once
	}
	if b.content.Name != "" {
		header.Set("Content-Disposition", disposition(b.content.Name))
	}
	b.c.Status(b.status)
}

// allowWrite gives what is written next its time. A writer of a test has no deadline, and needs none.
func (b *stream) allowWrite(now time.Time) {
	limit := exportWriteTimeout
	if b.ofEvents() {
		limit = b.eventTimeout
	}
	_ = b.control.SetWriteDeadline(now.Add(limit))
}

// Flush sends what was written so far.
func (b *stream) Flush() { b.c.Writer.Flush() }

// LastEventID is the id of the last event that the client has received, as it says.
func (b *stream) LastEventID() string { return b.c.GetHeader("Last-Event-ID") }

// end gives the end of a stream of events its time too.
func (b *stream) end() {
	if b.ofEvents() {
		b.allowWrite(time.Now())
	}
}

func (b *stream) ofEvents() bool { return b.content.Type == contract.TypeEvents }

// disposition asks a browser to save a file under its name. A name in other letters than those of ASCII is encoded.
func disposition(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return r > unicode.MaxASCII }) {
		return mime.FormatMediaType("attachment", map[string]string{"filename": name})
	}
	return `attachment; filename="` + name + `"`
}
