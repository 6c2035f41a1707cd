package api

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"levy/service"
)

// A trusted proxy names the address of the client and not its port, so the port of the connection is that of the proxy.
func TestThePortOfAProxyIsNotThatOfTheClient(t *testing.T) {
	t.Parallel()
	engine, err := newEngine([]string{"10.0.0.1"})
	require.NoError(t, err)
	var peer service.Peer
	engine.GET("/", func(c *gin.Context) { peer = peerOf(c) })
	from := func(remote, forwarded string) service.Peer {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = remote
		r.Header.Set("X-Forwarded-For", forwarded)
		r.Header.Set("User-Agent", "Browser/1")
		engine.ServeHTTP(httptest.NewRecorder(), r)
		return peer
	}
	require.Equal(t, service.Peer{Address: "81.2.69.142:0", UserAgent: "Browser/1"}, from("10.0.0.1:5000", "81.2.69.142"))
	require.Equal(t, service.Peer{Address: "81.2.69.143:0", Port: 47138, UserAgent: "Browser/1"},
		from("81.2.69.143:47138", "81.2.69.142"), "others are not believed")
}
