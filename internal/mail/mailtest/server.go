// Package mailtest runs an SMTP server that keeps its messages, for tests.
package mailtest

import (
	"bufio"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/http"
	"net/http/httptest"
	"net/mail"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// Message is a message that the server accepted.
type Message struct {
	From, To string // of the envelope
	Header   mail.Header
	Text     string // decoded
	HTML     string // the same in another form; empty for none
}

// Server is an SMTP server on this machine.
type Server struct {
	Address string
	TLS     *tls.Config // makes its clients trust it; nil for a server without TLS

	mu       sync.Mutex
	refusals map[string]string
	hangsUp  bool
	messages []Message
}

// Start starts a server without TLS that ends with the test.
func Start(t *testing.T) *Server {
	t.Helper()
	return start(t, &Server{}, func(l net.Listener) net.Listener { return l })
}

// StartTLS starts a server with TLS from the first byte that ends with the test. Its certificate is for 127.0.0.1, of an
// authority that only Server.TLS trusts.
func StartTLS(t *testing.T) *Server {
	t.Helper()
	web := httptest.NewTLSServer(http.NotFoundHandler())
	defer web.Close()
	trusted := x509.NewCertPool()
	trusted.AddCert(web.Certificate())
	own := &tls.Config{Certificates: web.TLS.Certificates, MinVersion: tls.VersionTLS12}
	return start(t, &Server{TLS: &tls.Config{RootCAs: trusted, ServerName: "127.0.0.1", MinVersion: tls.VersionTLS12}},
		func(l net.Listener) net.Listener { return tls.NewListener(l, own) })
}

func start(t *testing.T, s *Server, wrap func(net.Listener) net.Listener) *Server {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	listener = wrap(listener)
	s.Address, s.refusals = listener.Addr().String(), map[string]string{}
	// A client that gives up before its first word may leave its connection open.
	ctx, end := context.WithCancel(context.WithoutCancel(t.Context()))
	var sessions sync.WaitGroup
	sessions.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			context.AfterFunc(ctx, func() { _ = conn.Close() })
			sessions.Go(func() {
				defer conn.Close()
				s.serve(conn)
			})
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		end()
		sessions.Wait()
	})
	return s
}

// Refuse makes the server answer a recipient, or a command such as MAIL, with a reply, such as "550 no such person". An
// empty reply accepts again.
func (s *Server) Refuse(what, reply string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refusals[what] = reply
}

// replyTo returns the reply to a recipient or a command.
func (s *Server) replyTo(what, otherwise string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return cmp.Or(s.refusals[what], otherwise)
}

// HangUp makes the server end each connection after it has accepted a message.
func (s *Server) HangUp() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hangsUp = true
}

// Take returns the messages that were accepted since the last call.
func (s *Server) Take() []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	taken := s.messages
	s.messages = nil
	return taken
}

// serve answers one connection (RFC 5321).
func (s *Server) serve(conn net.Conn) {
	in := bufio.NewReader(conn)
	say := func(reply string) { fmt.Fprint(conn, reply+"\r\n") }
	say("220 capturing")
	var m Message
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		line = strings.TrimSpace(line)
		verb, _, _ := strings.Cut(strings.ToUpper(line), " ")
		switch {
		case verb == "EHLO" || verb == "HELO":
			say("250-capturing\r\n250-ENHANCEDSTATUSCODES\r\n250 AUTH LOGIN PLAIN")
		case verb == "AUTH":
			say(s.replyTo(verb, "235 welcome"))
		case strings.HasPrefix(strings.ToUpper(line), "MAIL FROM:"):
			m = Message{From: address(line)}
			say(s.replyTo("MAIL", "250 ok"))
		case strings.HasPrefix(strings.ToUpper(line), "RCPT TO:"):
			m.To = address(line)
			say(s.replyTo(m.To, "250 ok"))
		case verb == "DATA":
			if refused := s.replyTo(verb, ""); refused != "" {
				say(refused)
				continue
			}
			say("354 go on")
			if s.keep(in, &m) != nil {
				return
			}
			say("250 accepted")
			s.mu.Lock()
			hangsUp := s.hangsUp
			s.mu.Unlock()
			if hangsUp {
				return
			}
		case verb == "QUIT":
			say("221 bye")
			return
		default: // NOOP, RSET
			say("250 ok")
		}
	}
}

// keep reads a message until the line with a single dot.
func (s *Server) keep(in *bufio.Reader, m *Message) error {
	var text strings.Builder
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return err
		}
		if strings.TrimRight(line, "\r\n") == "." {
			break
		}
		text.WriteString(strings.TrimPrefix(line, "."))
	}
	read, err := mail.ReadMessage(strings.NewReader(text.String()))
	if err != nil {
		return err
	}
	m.Header, m.Text, m.HTML = read.Header, "", ""
	if err := m.read(read.Body); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.messages = append(s.messages, *m)
	return nil
}

// read reads the body of a message: one text, or texts that say the same.
func (m *Message) read(body io.Reader) error {
	kind, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil {
		return err
	}
	if !strings.HasPrefix(kind, "multipart/") {
		return decode(quotedprintable.NewReader(body), &m.Text)
	}
	parts := multipart.NewReader(body, params["boundary"])
	for {
		part, err := parts.NextPart() // decodes it
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		into := &m.Text
		if strings.HasPrefix(part.Header.Get("Content-Type"), "text/html") {
			into = &m.HTML
		}
		if err := decode(part, into); err != nil {
			return err
		}
	}
}

func decode(from io.Reader, into *string) error {
	read, err := io.ReadAll(from)
	*into = strings.ReplaceAll(string(read), "\r\n", "\n")
	return err
}

// address returns the address between < and >.
func address(line string) string {
	_, rest, _ := strings.Cut(line, "<")
	inside, _, _ := strings.Cut(rest, ">")
	return inside
}
