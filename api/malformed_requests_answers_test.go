package api

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"
)

// A document may contain a raw reply of net/http, split at any byte. It arrives unchanged, and
// so does the next answer on the connection. Only between answers such a text becomes a problem.
func TestADocumentIsNeverTakenForARefusal(t *testing.T) {
	t.Parallel()
	text := malformedReplies[0].status + "\r\n" + plainType
	document := func(shift int) string { return strings.Repeat("-", shift) + strings.Repeat(text, 200) }
	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	engine.GET("/:shift", func(c *gin.Context) {
		shift, _ := strconv.Atoi(c.Param("shift"))
		c.Header("Content-Length", strconv.Itoa(shift+200*len(text)))
		c.String(http.StatusOK, "%s", document(shift))
	})
	address := serveEngine(t, engine)
	for _, http2 := range []bool{false, true} {
		protocols := &http.Protocols{}
		protocols.SetHTTP1(!http2)
		protocols.SetUnencryptedHTTP2(http2)
		transport := &http.Transport{Protocols: protocols}
		client := &http.Client{Transport: transport, Timeout: 30 * time.Second}
		for shift := range len(text) {
			response, err := client.Get("http://" + address + "/" + strconv.Itoa(shift))
			require.NoError(t, err)
			body, err := io.ReadAll(response.Body)
			require.NoError(t, err)
			require.NoError(t, response.Body.Close())
			require.Equal(t, document(shift), string(body), "HTTP/2: %t, shift %d", http2, shift)
		}
		transport.CloseIdleConnections()
	}
	conn, err := net.Dial("tcp", address)
	require.NoError(t, err)
	defer conn.Close()
	require.NoError(t, conn.SetDeadline(time.Now().Add(30*time.Second)))
	answers := bufio.NewReader(conn)
	for _, c := range []struct {
		path, contentType string
	}{{"/1", "text/plain; charset=utf-8"}, {"/%zz", "application/problem+json; charset=utf-8"}} {
		_, err = io.WriteString(conn, "GET "+c.path+" HTTP/1.1\r\nHost: levy\r\n\r\n")
		require.NoError(t, err)
		response, err := http.ReadResponse(answers, nil)
		require.NoError(t, err)
		require.Equal(t, c.contentType, response.Header.Get("Content-Type"))
		_, err = io.Copy(io.Discard, response.Body)
		require.NoError(t, err)
	}
}
