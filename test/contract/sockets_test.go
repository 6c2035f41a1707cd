package contract_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// listen serves on a free port until the test ends.
func (in *installation) listen() (address string) {
	in.t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(in.t, err)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- in.server.Serve(ctx, listener) }()
	in.t.Cleanup(func() {
		stop()
		require.NoError(in.t, <-ended)
	})
	return listener.Addr().String()
}

// raw sends bytes and returns all answers until the server closes the connection.
func raw(t *testing.T, address, bytes string) (answers []*http.Response, bodies []string) {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	require.NoError(t, err)
	defer conn.Close()
	require.NoError(t, conn.SetDeadline(time.Now().Add(10*time.Second)))
	_, err = io.WriteString(conn, bytes)
	require.NoError(t, err)
	reader := bufio.NewReader(conn)
	for {
		response, err := http.ReadResponse(reader, nil)
		if err != nil {
			require.NotErrorIs(t, err, os.ErrDeadlineExceeded, "the connection stays open")
			return answers, bodies
		}
		body, err := io.ReadAll(response.Body)
		require.True(t, err == nil || errors.Is(err, syscall.ECONNRESET), err) // a refusal does not read all bytes
		require.NoError(t, response.Body.Close())
		answers, bodies = append(answers, response), append(bodies, string(body))
	}
}

// Requests that the HTTP parser decides about: of the catalogue of attacks. Bytes that two
// parsers could read differently get one refusal and the connection is closed, so that bytes after them are not read
// as a second request.
func TestRawRequests(t *testing.T) {
	t.Parallel()
	in := install(t)
	address := in.listen()
	auth := fmt.Sprintf("Host: levy\r\nX-API-KEY: %s\r\nx-organization-id: %s\r\n", in.root.key, in.root.organization)
	last := auth + "Connection: close\r\n"
	const hidden = "GET /smuggled HTTP/1.1\r\nHost: levy\r\n\r\n"
	product := func(id string) string { return productBody(id) }
	post := func(framing, body string) string {
		return "POST /v1/products HTTP/1.1\r\n" + auth + "Content-Type: application/json\r\n" + framing + "\r\n" + body
	}
	chunked := func(body string) string { return fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(body), body) }
	for name, c := range map[string]struct {
		bytes  string
		status int
	}{
		"two lengths":          {post("Content-Length: 5\r\nContent-Length: 6\r\n", "{}"+hidden), 400},
		"a list of lengths":    {post("Content-Length: 5, 6\r\n", "{}"+hidden), 400},
		"a negative length":    {post("Content-Length: -1\r\n", hidden), 400},
		"a length with a sign": {post("Content-Length: +2\r\n", "{}"+hidden), 400},
		"an unknown coding":    {post("Transfer-Encoding: xchunked\r\n", hidden), 400},
		"two codings":          {post("Transfer-Encoding: gzip, chunked\r\n", hidden), 400},
		"a coding twice": {post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
			hidden), 400},
		"a space before the colon":        {post("Content-Length : 2\r\n", "{}"+hidden), 400},
		"a folded header":                 {"GET /v1/products HTTP/1.1\r\n" + last + "X-Folded: a\r\n b\r\n\r\n", 200},
		"a header without a colon":        {post("Nonsense\r\n", hidden), 400},
		"a control character in a header": {post("X-A: a\x00b\r\n", hidden), 400},
		"a bad chunk size":                {post("Transfer-Encoding: chunked\r\n", "zz\r\n{}\r\n0\r\n\r\n"), 400},
		"a chunk without an end":          {post("Transfer-Encoding: chunked\r\n", "2\r\n{}XX0\r\n\r\n"), 400},
		"chunks in HTTP/1.0": {strings.Replace(post("Transfer-Encoding: chunked\r\n", chunked("{}")),
			"1.1", "1.0", 1), 400},
		"no host":                  {"GET /healthz HTTP/1.1\r\n\r\n" + hidden, 400},
		"two hosts":                {"GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n" + hidden, 400},
		"a host that is none":      {"GET /healthz HTTP/1.1\r\nHost: a b\r\n\r\n" + hidden, 400},
		"HTTP/0.9":                 {"GET /healthz\r\n\r\n", 400},
		"an unknown version":       {"GET /healthz HTTP/3.7\r\nHost: levy\r\n\r\n", 400},
		"a space in the path":      {"GET /v1/prod ucts HTTP/1.1\r\n" + auth + "\r\n", 400},
		"a bad escape in the path": {"GET /v1/products/%zz HTTP/1.1\r\n" + auth + "\r\n", 400},
		"a method that is no word": {"G(T /healthz HTTP/1.1\r\nHost: levy\r\n\r\n", 400},
		"TRACE":                    {"TRACE /v1/products HTTP/1.1\r\n" + last + "\r\n", 405},
		"CONNECT":                  {"CONNECT /v1/products HTTP/1.1\r\n" + last + "\r\n", 405},
		"CONNECT to another host": {"CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\nConnection: " +
			"close\r\n\r\n", 404},
		"an unknown method": {"FETCH /v1/products HTTP/1.1\r\n" + last + "\r\n", 405},
		"OPTIONS": {"OPTIONS /v1/products HTTP/1.1\r\n" + last +
			"Origin: https://example.com\r\nAccess-Control-Request-Method: GET\r\n\r\n", 405},
		"OPTIONS *":                    {"OPTIONS * HTTP/1.1\r\n" + last + "\r\n", 404},
		"the address of another host":  {"GET http://169.254.169.254/latest HTTP/1.1\r\n" + last + "\r\n", 404},
		"the absolute form of our own": {"GET http://levy/v1/products HTTP/1.1\r\n" + last + "\r\n", 200},
		"another host name": {strings.Replace("GET /v1/products HTTP/1.1\r\n"+last+"\r\n", "Host: levy",
			"Host: evil.example", 1), 200},
		"headers that override": {"GET /v1/products HTTP/1.1\r\n" + last +
			"X-HTTP-Method-Override: DELETE\r\nX-Original-URL: /v1/organizations\r\nX-Rewrite-URL: /x\r\nX-Forwarded-Host: " +
			"evil\r\n\r\n", 200},
		"a chunk extension": {post("Connection: close\r\nTransfer-Encoding: chunked\r\n",
			strings.Replace(chunked(product("ext")), "\r\n", ";name=value\r\n", 1)), 200},
		"line feeds alone": {strings.ReplaceAll("GET /v1/products HTTP/1.1\r\n"+last+"\r\n", "\r\n",
			"\n"), 200},
		"an unknown expectation": {post("Expect: miracles\r\nContent-Length: 2\r\n", "{}"), 417},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			answers, bodies := raw(t, address, c.bytes)
			require.NotEmpty(t, answers, "no answer")
			require.Equal(t, c.status, answers[0].StatusCode, bodies[0])
			require.Len(t, answers, 1, "the following bytes were read as a request")
			require.Empty(t, answers[0].Header.Values("Access-Control-Allow-Origin"))
			require.NotContains(t, bodies[0], "TRACE /", "no request is echoed")
		})
	}

	t.Run("a length beside chunks ends the connection", func(t *testing.T) {
		t.Parallel()
		answers, bodies := raw(t, address,
			post("Content-Length: 6\r\nTransfer-Encoding: chunked\r\n", chunked(product("both"))+hidden))
		require.Equal(t, 200, answers[0].StatusCode, bodies)
		require.Len(t, answers, 1)
	})
	t.Run("requests in a row get their own answers", func(t *testing.T) {
		t.Parallel()
		one := product("one")
		answers, bodies := raw(t, address, post(fmt.Sprintf("Content-Length: %d\r\n", len(one)), one)+
			"GET /v1/products/external/one HTTP/1.1\r\n"+auth+"\r\n"+"GET /healthz HTTP/1.1\r\nHost: "+
			"levy\r\nConnection: close\r\n\r\n")
		require.Len(t, answers, 3)
		require.JSONEq(t, bodies[0], bodies[1])
		require.JSONEq(t, `{"status":"ok"}`, bodies[2])
	})
	t.Run("a body that is refused before it is read does not become a request", func(t *testing.T) {
		t.Parallel()
		wrong := strings.Replace(post(fmt.Sprintf("Content-Length: %d\r\n", len(hidden)), hidden), in.root.key, "wrong", 1)
		answers, bodies := raw(t, address, wrong+"GET /healthz HTTP/1.1\r\nHost: levy\r\nConnection: close\r\n\r\n")
		require.Len(t, answers, 2)
		require.Equal(t, 401, answers[0].StatusCode, bodies)
		require.JSONEq(t, `{"status":"ok"}`, bodies[1])
	})
}

// A body above the limit is cut off, however it announces itself.
func TestOversizedBodies(t *testing.T) {
	t.Parallel()
	in := install(t)
	address := in.listen()
	head := fmt.Sprintf("POST /v1/products HTTP/1.1\r\nHost: levy\r\nX-API-KEY: %s\r\nx-organization-id: "+
		"%s\r\nContent-Type: application/json\r\n", in.root.key, in.root.organization)
	for name, framing := range map[string]struct{ header, unit string }{
		"announced": {"Content-Length: 104857600\r\n\r\n", strings.Repeat(" ", 1<<16)},
		"endless chunks": {"Transfer-Encoding: chunked\r\n\r\n", "10000\r\n" +
			strings.Repeat(" ", 1<<16) + "\r\n"},
		"a small object with a long tail": {"Content-Length: 104857600\r\n\r\n" + productBody("tail"),
			strings.Repeat(" ", 1<<16)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn, err := net.Dial("tcp", address)
			require.NoError(t, err)
			defer conn.Close()
			require.NoError(t, conn.SetDeadline(time.Now().Add(10*time.Second)))
			sent := make(chan int, 1)
			go func() {
				n, _ := io.WriteString(conn, head+framing.header)
				for n < 100<<20 {
					more, err := io.WriteString(conn, framing.unit)
					n += more
					if err != nil {
						break
					}
				}
				sent <- n
			}()
			response, err := http.ReadResponse(bufio.NewReader(conn), nil)
			require.NoError(t, err)
			defer response.Body.Close()
			require.Equal(t, 413, response.StatusCode)
			require.True(t, response.Close)
			require.NoError(t, conn.Close())
			require.Less(t, <-sent, 16<<20, "the server went on reading")
		})
	}
	require.Len(t, in.items(in.root, "/v1/products"), 1, "nothing was written")
}
