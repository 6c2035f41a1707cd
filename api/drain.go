package api

import (
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"levy/service"
	"levy/service/limit"
)

const (
	// drainTimeout bounds the time that an answer waits for the rest of an unneeded body. A client that has sent all
	// of it keeps its connection.
	drainTimeout = 100 * time.Millisecond
	// closeTimeout bounds the time in which the rest of a body is read after the answer,
	// before the connection is closed. A client that is still sending would get a reset and might miss the answer.
	closeTimeout = time.Second
	// maxDrained is the largest body in bytes for which an answer waits.
	maxDrained = 256 << 10
	// restTimeout and maxRest bound the time and the bytes of a body that are read after the answer to a caller
	// with a valid key. net/http itself reads 256 KiB.
	restTimeout       = 5 * time.Second
	maxRest     int64 = 32 << 20
)

// rests are the bodies whose rest is read at once.
var rests = limit.Sizes{Total: 64, Partner: 16, Alone: 48, Organization: 8}

// requestBody is the body of a request of HTTP/1, whose answer must wait until the body has been read.
// By default net/http reads the rest of a body before it answers, for as long as a request may take.
// An unauthenticated client could occupy a connection that long.
type requestBody struct {
	io.ReadCloser
	awaited bool // the answer waits for its end
	taken   bool // its rest is read after the answer
	ended   bool
}

// trackBody returns the request with a body that records its end; nil if the answer does not depend on it.
// It does not change the request of net/http.
func trackBody(r *http.Request) (*http.Request, *requestBody) {
	if r.ProtoMajor != 1 || r.ContentLength == 0 {
		return r, nil
	}
	// A client with the header Expect sends the body only after the first read.
	b := &requestBody{
		ReadCloser: r.Body,
		awaited:    r.ContentLength > 0 && r.ContentLength <= maxDrained && r.Header.Get("Expect") == "",
		taken:      r.ContentLength <= maxRest && r.Header.Get("Expect") == "",
	}
	r = r.WithContext(r.Context())
	r.Body = b
	return r, b
}

func (b *requestBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.ended = b.ended || errors.Is(err, io.EOF)
	return n, err
}

// drain decides before an answer begins whether the connection remains open after it.
func (b *requestBody) drain(w http.ResponseWriter) {
	if b == nil || b.ended {
		return
	}
	control := http.NewResponseController(w)
	if control.SetReadDeadline(time.Now().Add(drainTimeout)) != nil {
		return // a writer of a test has no connection
	}
	if b.awaited && w.Header().Get("Connection") != "close" {
		if _, _ = io.Copy(io.Discard, b); b.ended {
			return
		}
	}
	w.Header().Set("Connection", "close")
	_ = control.SetReadDeadline(time.Now().Add(closeTimeout))
}

// readRest reads and discards the rest of a large refused body. Clients that read only after they have sent everything
// can then see the refusal.
func (s *Server) readRest(c *gin.Context) {
	c.Next()
	body, ok := c.Request.Body.(*requestBody)
	who := service.Visible(c.Request.Context())
	if !ok || body.ended || !body.taken || who.Partner == "" {
		return
	}
	release, ok := s.rests.TryAcquire(who.Partner, who.OrganizationID, 1)
	if !ok {
		return
	}
	defer release()
	control := http.NewResponseController(c.Writer)
	if control.Flush() != nil || control.SetReadDeadline(time.Now().Add(restTimeout)) != nil {
		return // a writer of a test has no connection
	}
	_, _ = io.CopyN(io.Discard, body, maxRest)
}
