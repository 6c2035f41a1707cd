package api

import (
	"errors"
	"io"
	"net/http"
	"time"
)

const (
	// bodyGrace is how long an answer waits for the rest of a body that nobody needs. A
	// client that has sent all of it keeps its connection.
	bodyGrace = 100 * time.Millisecond
	// bodyLinger is how long what still comes is read after the answer, before the
	// connection ends: a client that is sending would be reset, and might miss the answer.
	bodyLinger = time.Second
	// maxUnread is the largest body in bytes for which an answer waits.
	maxUnread = 256 << 10
)

// sentBody is the body of a request of HTTP/1, in which an answer cannot overtake it. Left
// to itself net/http reads the rest of a body before it answers, for as long as a request
// may take: a stranger would keep a connection that long.
type sentBody struct {
	io.ReadCloser
	awaited bool // something can be gained by waiting for its end
	ended   bool
}

// watchBody returns the request with a body that knows when it has ended, nil where the
// answer needs not care. net/http looks at its own request: that stays as it is.
func watchBody(r *http.Request) (*http.Request, *sentBody) {
	if r.ProtoMajor != 1 || r.ContentLength == 0 {
		return r, nil
	}
	// Who asks before it sends is told to by the first read.
	b := &sentBody{ReadCloser: r.Body, awaited: r.ContentLength > 0 && r.ContentLength <= maxUnread && r.Header.Get("Expect") == ""}
	r = r.WithContext(r.Context())
	r.Body = b
	return r, b
}

func (b *sentBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.ended = b.ended || errors.Is(err, io.EOF)
	return n, err
}

// settle decides before an answer begins whether the connection goes on behind it.
func (b *sentBody) settle(w http.ResponseWriter) {
	if b == nil || b.ended {
		return
	}
	control := http.NewResponseController(w)
	if control.SetReadDeadline(time.Now().Add(bodyGrace)) != nil {
		return // a writer of a test has no connection
	}
	if b.awaited && w.Header().Get("Connection") != "close" {
		if _, _ = io.Copy(io.Discard, b); b.ended {
			return
		}
	}
	w.Header().Set("Connection", "close")
	_ = control.SetReadDeadline(time.Now().Add(bodyLinger))
}
