package api

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"levy/service/limit"
)

// resetServer returns a server with these trusted proxies. It counts the calls of /index.html, which last
// until their stream is reset.
func resetServer(t *testing.T, proxies ...string) (address string, served *atomic.Int64) {
	served = &atomic.Int64{}
	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	engine.GET("/", func(c *gin.Context) { c.Status(http.StatusNoContent) })
	engine.GET("/index.html", func(c *gin.Context) {
		served.Add(1)
		<-c.Request.Context().Done()
	})
	return serveEngine(t, engine, proxies...), served
}

// serveEngine returns the address of a server with these trusted proxies and only an engine.
func serveEngine(t *testing.T, engine *gin.Engine, proxies ...string) string {
	t.Helper()
	s := &Server{
		engine: engine, log: slog.New(slog.DiscardHandler), service: emptyService(t),
		resets: limit.NewResets(time.Now, proxies),
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, listener) }()
	t.Cleanup(func() {
		stop()
		require.NoError(t, <-ended)
	})
	return listener.Addr().String()
}

func TestStreamResetsOfAnAddressAreLimited(t *testing.T) {
	t.Parallel()
	for name, of := range map[string]struct {
		proxies     []string
		connections int // at most
		refused     bool
	}{
		"a client":               {nil, 500, true},
		"a trusted proxy":        {[]string{"10.0.0.0/8", "127.0.0.1"}, 12, false},
		"beside another network": {[]string{"10.0.0.0/8"}, 500, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address, served := resetServer(t, of.proxies...)
			require.NoError(t, get(address, "127.0.0.1", true))
			// Of 500 each. A stream that is reset before its handler begins costs nothing and does not count, so it may
			// take more than four.
			var err error
			for n := 0; err == nil && n < of.connections; n++ {
				resetSome(dialHTTP2(t, address), 1, 500)
				err = get(address, "127.0.0.1", true)
			}
			if of.refused {
				require.Error(t, err, "the address gets no other connection of HTTP/2")
				require.Less(t, served.Load(), int64(3000), "2,000, and what was under way on that connection")
			} else {
				require.NoError(t, err, "others are behind the proxy")
			}
			require.NoError(t, get(address, "127.0.0.1", false), "others may have the same address")
			require.NoError(t, get(address, "127.0.0.2", true))
		})
	}
}

func TestStreamResetsOfAConnectionAreLimited(t *testing.T) {
	t.Parallel()
	address, served := resetServer(t, "127.0.0.1")
	conn := dialHTTP2(t, address)
	// Few at a time: the server ends a connection itself where more than 500 are under way.
	for first := uint32(1); resetSome(conn, first, 200); first += 400 {
		require.Less(t, first, uint32(20_000), "the connection stays open")
	}
	require.Less(t, served.Load(), int64(2000))
}

// get sends a request on a new connection from an address.
func get(server, from string, http2 bool) error {
	protocols := &http.Protocols{}
	protocols.SetHTTP1(!http2)
	protocols.SetUnencryptedHTTP2(http2)
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	transport := &http.Transport{Protocols: protocols, DialContext: dialer.DialContext}
	defer transport.CloseIdleConnections()
	ctx, stop := context.WithTimeout(context.Background(), 30*time.Second)
	defer stop()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+server+"/", nil)
	if err != nil {
		return err
	}
	response, err := (&http.Client{Transport: transport}).Do(request)
	if err != nil {
		return err
	}
	return response.Body.Close()
}

// resetSome opens streams on a connection, resets each, and waits until the server has read them.
// It returns false when the connection has ended.
func resetSome(conn net.Conn, first uint32, count int) bool {
	var frames []byte
	for i := range uint32(count) {
		frames = append(frames, resetStream(first+2*i)...)
	}
	frames = append(frames, frameHTTP2(6, 0, 0, make([]byte, 8))...) // a ping, which is answered in turn
	if _, err := conn.Write(frames); err != nil {
		return false
	}
	var read []byte
	for buffer := make([]byte, 4096); !bytes.Contains(read, []byte("\x00\x00\x08\x06\x01")); {
		n, err := conn.Read(buffer)
		if err != nil {
			return false
		}
		read = append(read, buffer[:n]...)
	}
	return true
}

func dialHTTP2(t *testing.T, address string) net.Conn {
	conn, err := net.Dial("tcp", address)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	require.NoError(t, conn.SetDeadline(time.Now().Add(30*time.Second)))
	_, err = io.WriteString(conn, prefaceOfHTTP2+"\r\n\r\nSM\r\n\r\n"+string(frameHTTP2(4, 0, 0, nil)))
	require.NoError(t, err)
	return conn
}

// resetStream returns a request for /index.html (of the static table of HPACK: RFC 7541, appendix A) and its reset.
func resetStream(stream uint32) []byte {
	headers := frameHTTP2(1, 4|1, stream, []byte{0x82, 0x86, 0x85, 0x41, 0x01, 'l'})
	return append(headers, frameHTTP2(3, 0, stream, []byte{0, 0, 0, 8})...)
}

func frameHTTP2(kind, flags byte, stream uint32, payload []byte) []byte {
	n := len(payload)
	head := []byte{byte(n >> 16), byte(n >> 8), byte(n), kind, flags}
	return append(binary.BigEndian.AppendUint32(head, stream), payload...)
}
