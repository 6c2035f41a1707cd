// Package mailtest runs an SMTP server that keeps what it gets, for tests.
package mailtest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
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

// Server is an SMTP server on this machine, without TLS.
type Server struct {
	Address string

	mu       sync.Mutex
	refusals map[string]string
	hangsUp  bool
	messages []Message
}

// Start starts a server that ends with the test.
func Start(t *testing.T) *Server {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s := &Server{Address: listener.Addr().String(), refusals: map[string]string{}}
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

// Refuse makes the server answer a recipient with a reply, such as "550 no such person"; an empty one accepts again.
func (s *Server) Refuse(to, reply string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refusals[to] = reply
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
			say("250 capturing")
		case strings.HasPrefix(strings.ToUpper(line), "MAIL FROM:"):
			m = Message{From: address(line)}
			say("250 ok")
		case strings.HasPrefix(strings.ToUpper(line), "RCPT TO:"):
			m.To = address(line)
			s.mu.Lock()
			reply := s.refusals[m.To]
			s.mu.Unlock()
			if reply == "" {
				reply = "250 ok"
			}
			say(reply)
		case verb == "DATA":
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
