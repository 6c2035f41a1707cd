package api

import (
	"bytes"
	"fmt"
	"net"
	"net/http"

	"levy/contract/problem"
	"levy/models"
)

// unread are the beginnings of what net/http answers by itself, in plain text, to what it cannot read as a request.
var unread = []struct {
	status string
	code   problem.Code
}{
	{"HTTP/1.1 400 Bad Request", problem.CodeMalformedRequest},
	{"HTTP/1.1 501 Not Implemented", problem.CodeMalformedRequest},
	{"HTTP/1.1 505 HTTP Version Not Supported", problem.CodeMalformedRequest},
	{"HTTP/1.1 431 Request Header Fields Too Large", problem.CodeHeadersTooLarge},
}

// plainType follows the first line in those answers. In all others a header of the API does.
const plainType = "Content-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"

// noteAnswered notes that all of an answer is written: then a connection of HTTP/1 waits for the next request.
func noteAnswered(conn net.Conn, state http.ConnState) {
	if c, ok := conn.(*connection); ok && state == http.StateIdle {
		c.answer.CompareAndSwap(answersOne, answersNothing)
	}
}

// Write writes what the server answers. What net/http says by itself becomes a problem like any other. A part of an
// answer of a handler never does: a document may read like it, and where its answer ends would not be where the client
// expects that. Of a connection in TLS, which net/http has to know as such, the plain text stays.
func (c *connection) Write(p []byte) (int, error) {
	for _, answer := range unread {
		if c.answer.Load() != answersNothing || !bytes.HasPrefix(p, []byte(answer.status)) {
			continue
		}
		if _, rest, _ := bytes.Cut(p, []byte("\r\n")); !bytes.HasPrefix(rest, []byte(plainType)) {
			break
		}
		id := models.NewID(models.PrefixRequest)
		body, err := problem.New(answer.code, "").Body("", id)
		if err != nil {
			break
		}
		status := problem.Table[answer.code].Status
		_, err = fmt.Fprintf(c.TCPConn, "HTTP/1.1 %d %s\r\nCache-Control: no-store\r\nConnection: close\r\n"+
			"Content-Length: %d\r\nContent-Type: %s\r\nX-Content-Type-Options: nosniff\r\nX-Request-Id: %s\r\n\r\n%s",
			status, http.StatusText(status), len(body), problem.ContentType, id, body)
		return len(p), err
	}
	return c.TCPConn.Write(p)
}
