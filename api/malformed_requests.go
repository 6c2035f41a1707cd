package api

import (
	"bytes"
	"fmt"
	"net"
	"net/http"

	"levy/contract/problem"
	"levy/models"
)

// malformedReplies are the status lines that net/http writes, with a plain text, for requests it cannot parse.
var malformedReplies = []struct {
	status string
	code   problem.Code
}{
	{"HTTP/1.1 400 Bad Request", problem.CodeMalformedRequest},
	{"HTTP/1.1 501 Not Implemented", problem.CodeMalformedRequest},
	{"HTTP/1.1 505 HTTP Version Not Supported", problem.CodeMalformedRequest},
	{"HTTP/1.1 431 Request Header Fields Too Large", problem.CodeHeadersTooLarge},
}

// plainType follows the status line in those replies. In all other answers a header of the API follows.
const plainType = "Content-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"

// noteAnswered records that an answer is complete. A connection of HTTP/1 then waits for the next request.
func noteAnswered(conn net.Conn, state http.ConnState) {
	if c, ok := conn.(*connection); ok && state == http.StateIdle {
		c.answer.CompareAndSwap(answersOne, answersNothing)
	}
}

// Write writes bytes of an answer. It replaces a raw reply of net/http by a problem. It never replaces a part
// of a handler's answer, because a document may contain the same bytes, and a changed length would break the
// connection. On a connection with TLS, which net/http must see as such, the plain text remains.
func (c *connection) Write(p []byte) (int, error) {
	for _, answer := range malformedReplies {
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
