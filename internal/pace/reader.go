package pace

import (
	"errors"
	"io"
	"time"
)

// Deadlines are those of a connection. http.ResponseController implements them.
type Deadlines interface {
	SetReadDeadline(time.Time) error
	SetWriteDeadline(time.Time) error
}

// Reader reads a body that has to arrive at the least rate.
type Reader struct {
	body   io.Reader
	conn   Deadlines
	answer time.Duration // for the answer to a body that stops
	now    func() time.Time
	pace   *Pace
}

// NewReader returns the reader of a body on a connection. now is the clock.
func NewReader(body io.Reader, conn Deadlines, window, answer time.Duration, now func() time.Time) *Reader {
	return &Reader{body: body, conn: conn, answer: answer, now: now, pace: New(window)}
}

// Read reads what has arrived. Errors: those of the body, which has a timeout if the client is too slow.
func (r *Reader) Read(into []byte) (int, error) {
	began := r.now()
	end := began.Add(r.pace.Left())
	// A writer of a test has no deadlines.
	_, _ = r.conn.SetReadDeadline(end), r.conn.SetWriteDeadline(end.Add(r.answer))
	n, err := r.body.Read(into)
	r.pace.Moved(n, r.now().Sub(began))
	if errors.Is(err, io.EOF) { // net/http goes on reading, to see whether the client leaves
		_ = r.conn.SetReadDeadline(time.Time{})
	}
	return n, err
}

// Close ends nothing: the owner of the body does.
func (r *Reader) Close() error { return nil }
