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

// prefaceOfHTTP2 is the beginning of a connection of HTTP/2 (RFC 9113, section 3.4) that no request of HTTP/1 has.
const prefaceOfHTTP2 = "PRI * HTTP/2.0"

var errTooManyResets = errors.New("connection of HTTP/2 from an address that has reset too many streams")

// resetListener refuses connections of HTTP/2 from addresses that have reset too many streams,
// before it allocates anything for them. It accepts HTTP/1.1 from there, because other clients may share the address.
type resetListener struct {
	net.Listener
	server *Server
}

func (l resetListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if tcp, ok := conn.(*net.TCPConn); ok {
		return &connection{TCPConn: tcp, server: l.server, resets: l.server.resets.Connection()}, err
	}
	return conn, err // with TLS there is no HTTP/2
}

// connection is a connection that may use HTTP/2.
type connection struct {
	*net.TCPConn
	server *Server
	resets *rate.Limiter
	read   int // read bytes of the preface; more once the protocol is known
	answer atomic.Int32
}

// These are the states of a connection by its writers.
const (
	answersNothing int32 = iota // net/http alone
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

// reset counts a stream that ended before its answer. It closes a connection with too many,
// because the server would otherwise continue to open its streams.
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

// countResets records streams that the client reset before the end of their answer, and connections
// with an answer under way.
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
