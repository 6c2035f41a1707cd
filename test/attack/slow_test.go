package attack_test

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/stretchr/testify/require"
)

// slow is how many connections an attack holds open.
func (b *attackRun) slow() int {
	if b.long {
		return 1000
	}
	return 100
}

// trickle writes a byte now and then until the service closes the connection, and
// returns what it said before.
func trickle(conn net.Conn, pause time.Duration) string {
	refused := make(chan string, 1)
	go func() {
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			refused <- "connection closed"
			return
		}
		_ = response.Body.Close()
		refused <- response.Status
	}()
	for {
		select {
		case answer := <-refused:
			return answer
		case <-time.After(pause):
			if _, err := io.WriteString(conn, "a"); err != nil {
				return <-refused
			}
		}
	}
}

// hold writes the beginning of a request on many connections and goes on with it
// slowly. A long run waits until the service has ended them all within the time, and a
// short one leaves them open while the others attack.
func (b *attackRun) hold(n int, within time.Duration, begin string, expected ...string) {
	ended := make(chan string, n)
	for range n {
		conn := b.attacker.dial()
		_, err := io.WriteString(conn, begin)
		require.NoError(b, err)
		go func() { ended <- trickle(conn, time.Second) }()
	}
	if !b.long {
		b.saw("open")
		return
	}
	late := time.After(within)
	for range n {
		select {
		case answer := <-ended:
			b.saw(answer)
		case <-late:
			require.FailNow(b, "slow connections stay open", "%v", b.answers)
		}
	}
	b.only(expected...)
}

// Of a head all bytes arrive within 5 seconds.
func slowHeads(b *attackRun) {
	b.hold(b.slow(), 15*time.Second, b.attacker.head("GET", "/v1/products")+"X-Slow: ", "408", "connection closed")
}

// Of a body all bytes arrive within 15 seconds, and at most 200 calls of an organization
// wait for theirs.
func slowBodies(b *attackRun) {
	head := b.attacker.head("POST", "/v1/transactions") + "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"
	b.hold(b.slow(), 30*time.Second, head, "408", "429", "connection closed")
}

func idleConnections(b *attackRun) {
	const ask = "GET /healthz HTTP/1.1\r\nHost: levy\r\n\r\n"
	for range b.slow() {
		conn := b.attacker.dial()
		_, err := io.WriteString(conn, ask)
		require.NoError(b, err)
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		require.NoError(b, err)
		b.saw(response.Status)
		require.NoError(b, response.Body.Close())
	}
	b.waitForCalls()
	b.only("200")
}

// brokenOff leaves in the middle of the body, or once all is sent.
func brokenOff(b *attackRun) {
	body := saleBody("BROKEN", 1)
	head := b.attacker.head("POST", "/v1/transactions") + "Content-Type: application/json\r\nContent-Length: " +
		itoa(len(body)) + "\r\n\r\n"
	b.while(8, func(i, round int) {
		conn, err := b.attacker.dialContext(b.Context(), "tcp", b.address())
		if err != nil {
			return
		}
		defer conn.Close()
		if tcp, ok := conn.(*net.TCPConn); ok && i%2 == 0 {
			_ = tcp.SetLinger(0) // a reset, not an orderly end
		}
		_, _ = io.WriteString(conn, head+body[:(round*37)%len(body)])
		b.saw("left")
	})
	require.Zero(b, b.bed.Count("SELECT count(*) FROM transactions WHERE external_id = 'BROKEN'"),
		"half a body is no sale")
	b.parallel(20, func(int) {
		conn := b.attacker.dial()
		_, _ = io.WriteString(conn, head+body)
		_ = conn.Close()
	})
	require.LessOrEqual(b, b.bed.Count("SELECT count(*) FROM transactions WHERE external_id = 'BROKEN'"), 1)
}

// unread asks on a connection and reads nothing, or only the first line of the answer.
func (b *attackRun) unread(request string) (conn net.Conn, status string) {
	conn = b.attacker.dial()
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetReadBuffer(4 << 10)
	}
	_, err := io.WriteString(conn, request)
	require.NoError(b, err)
	require.NoError(b, conn.SetReadDeadline(time.Now().Add(2*time.Second)))
	line := make([]byte, len("HTTP/1.1 200"))
	if _, err := io.ReadFull(conn, line); errors.Is(err, os.ErrDeadlineExceeded) {
		return conn, "open"
	} else if err != nil {
		return conn, "connection closed"
	}
	return conn, string(line[len("HTTP/1.1 "):])
}
