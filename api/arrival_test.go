package api_test

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// listen starts the server with other times on a free port.
func (in *installation) listen(change func(*http.Server)) (address string) {
	in.t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(in.t, err)
	server := in.server.HTTPServer(in.t.Context())
	change(server)
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	in.t.Cleanup(func() {
		require.NoError(in.t, server.Close())
		if err := <-served; !errors.Is(err, http.ErrServerClosed) {
			require.NoError(in.t, err)
		}
	})
	return listener.Addr().String()
}

// wire is a connection on which a test writes any bytes.
type wire struct {
	net.Conn
	t      *testing.T
	reader *bufio.Reader
}

func dial(t *testing.T, address string) *wire {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	require.NoError(t, conn.SetDeadline(time.Now().Add(10*time.Second)))
	return &wire{conn, t, bufio.NewReader(conn)}
}

func (w *wire) send(parts ...string) {
	w.t.Helper()
	_, err := io.WriteString(w, strings.Join(parts, ""))
	require.NoError(w.t, err)
}

// expect reads one answer whose body contains a text.
func (w *wire) expect(status int, contains string) *http.Response {
	w.t.Helper()
	response, err := http.ReadResponse(w.reader, nil)
	require.NoError(w.t, err)
	body, err := io.ReadAll(response.Body)
	require.NoError(w.t, err)
	require.Equal(w.t, status, response.StatusCode, string(body))
	require.Contains(w.t, string(body), contains)
	return response
}

// ends expects that the server ends the connection.
func (w *wire) ends() {
	w.t.Helper()
	_, err := w.reader.ReadByte()
	require.ErrorIs(w.t, err, io.EOF)
}

func head(as credentials, path string, more ...string) string {
	return "POST " + path + " HTTP/1.1\r\nHost: levy\r\nX-API-KEY: " + as.key + "\r\nx-organization-id: " +
		as.organizationID + "\r\n" + strings.Join(more, "\r\n") + "\r\n\r\n"
}

// The time for the answer to a body that did not arrive begins when the time for the body is over.
func TestABodyThatDoesNotArriveInTimeIsAnswered(t *testing.T) {
	t.Parallel()
	in := install(t)
	in.do(in.root, "GET", "/v1/products", "").expect(200) // the key is known from now on
	address := in.listen(func(s *http.Server) { s.ReadTimeout, s.WriteTimeout = time.Second, time.Second/2 })
	t.Run("HTTP/1.1", func(t *testing.T) {
		t.Parallel()
		conn := dial(t, address)
		conn.send(head(in.root, "/v1/products", "Content-Type: application/json", "Content-Length: 500"), "{")
		require.True(t, conn.expect(408, "request_timeout").Close)
		conn.ends()
	})
	t.Run("HTTP/2", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, 408, waitingOnHTTP2(t, address, in.root))
	})
}

// waitingOnHTTP2 returns the answer to a client that does not send its body.
func waitingOnHTTP2(t *testing.T, address string, as credentials) (status int) {
	t.Helper()
	body, sending := io.Pipe()
	defer sending.Close()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+address+"/v1/products", body)
	require.NoError(t, err)
	r.Header = http.Header{
		"X-Api-Key": {as.key}, "X-Organization-Id": {as.organizationID}, "Content-Type": {"application/json"},
	}
	transport := &http.Transport{Protocols: &http.Protocols{}}
	transport.Protocols.SetUnencryptedHTTP2(true)
	t.Cleanup(transport.CloseIdleConnections)
	response, err := (&http.Client{Transport: transport}).Do(r)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.StatusCode
}
