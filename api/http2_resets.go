package api

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"

	"golang.org/x/time/rate"
)

// prefaceOfHTTP2 is how a connection of HTTP/2 begins (RFC 9113, section 3.4), as far as no request of HTTP/1 does.
const prefaceOfHTTP2 = "PRI * HTTP/2.0"

var errTooManyResets = errors.New("connection of HTTP/2 from an address that has reset too many streams")

// resetListener refuses connections of HTTP/2 from addresses that reset streams without end, before anything is
// made for them. Those of HTTP/1.1 from there are served: others may share the address.
type resetListener struct {
	net.Listener
	server *Server
}

func (l resetListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if tcp, ok := conn.(*net.TCPConn); ok {
		return &connection{TCPConn: tcp, server: l.server, resets: l.server.resets.Connection()}, err
	}
	return conn, err // in TLS there is no HTTP/2
}

// connection is one that may be of HTTP/2.
type connection struct {
	*net.TCPConn
	server *Server
	resets *rate.Limiter
	read   int // bytes of the preface; more once it is known what the connection is
	answer atomic.Int32
}

// States of a connection by who writes to it.
const (
	answersNothing int32 = iota // net/http alone, if at all
	answersOne                  // a handler, until its answer is written
	answersMany                 // handlers, in streams of HTTP/2
)

func (c *connection) Read(p []byte) (int, error) {
	n, err := c.TCPConn.Read(p)
	for i := 0; i < n && c.read < len(prefaceOfHTTP2); i++ {
		if p[i] != prefaceOfHTTP2[c.read] {
			c.read = len(prefaceOfHTTP2) + 1
			break
		}
		if c.read++; c.read == len(prefaceOfHTTP2) && c.server.resets.Refused(c.RemoteAddr()) {
			return 0, errTooManyResets
		}
	}
	return n, err
}

// reset counts a stream that ended before its answer. With one too many the connection ends: the server would go on
// reading it, and opening streams.
func (c *connection) reset() {
	tooMany := c.server.resets.Add(c.RemoteAddr())
	if (!c.resets.Allow() || tooMany) && c.Close() == nil {
		c.server.log.Warn("connection of HTTP/2 closed: too many streams were reset",
			slog.String("peer", c.RemoteAddr().String()))
	}
}

type connectionKey struct{}

func withConnection(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, conn)
}

// countResets notes streams that the client left before their answer was complete, and connections on which there is an
// answer.
func countResets(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, ok := r.Context().Value(connectionKey{}).(*connection)
		switch {
		case ok && r.ProtoMajor == 2:
			c.answer.Store(answersMany)
			defer func() {
				if r.Context().Err() != nil {
					c.reset()
				}
			}()
		case ok:
			c.answer.Store(answersOne)
		}
		next.ServeHTTP(w, r)
	})
}
