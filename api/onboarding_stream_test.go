package api_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/api"
	"levy/service"
)

// waitLimit bounds the wait of a test.
const waitLimit = 3 * time.Minute

// eventStream is a stream as its client reads it.
type eventStream struct {
	t      *testing.T
	status int
	lines  *bufio.Reader
	close  func()
}

// follow opens a stream of an onboarding over a new connection. lastEventID is empty for none.
func follow(
	t *testing.T, address string, as credentials, organizationID, lastEventID string,
	dial func(context.Context, string, string) (net.Conn, error),
) *eventStream {
	t.Helper()
	return followPath(t, address, as, "/v1/onboarding/"+organizationID+"/events", lastEventID, dial)
}

// followPath opens the stream of a path.
func followPath(
	t *testing.T, address string, as credentials, path, lastEventID string,
	dial func(context.Context, string, string) (net.Conn, error),
) *eventStream {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), waitLimit)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+path, nil)
	require.NoError(t, err)
	request.Header.Set("X-API-KEY", as.key)
	request.Header.Set("x-organization-id", as.organizationID)
	if lastEventID != "" {
		request.Header.Set("Last-Event-ID", lastEventID)
	}
	transport := &http.Transport{DialContext: dial}
	response, err := (&http.Client{Transport: transport}).Do(request)
	require.NoError(t, err)
	shut := func() {
		cancel()
		_ = response.Body.Close()
		transport.CloseIdleConnections()
	}
	t.Cleanup(shut)
	return &eventStream{t: t, status: response.StatusCode, lines: bufio.NewReader(response.Body), close: shut}
}

// block returns the lines until the next empty line. ok is false at the clean end.
func (e *eventStream) block() (block string, ok bool) {
	e.t.Helper()
	for {
		line, err := e.lines.ReadString('\n')
		if errors.Is(err, io.EOF) && line == "" && block == "" {
			return "", false
		}
		require.NoError(e.t, err, "a stream ends between two messages")
		if line == "\n" {
			return block, true
		}
		block += line
	}
}

// message is an event of a stream.
type message struct {
	id   int64
	body map[string]any
}

// next returns the next event. ok is false at the clean end of the stream. It skips lines that are no event.
func (e *eventStream) next() (m message, ok bool) {
	e.t.Helper()
	for {
		block, ok := e.block()
		if !ok {
			return message{}, false
		}
		lines := strings.Split(strings.TrimSuffix(block, "\n"), "\n")
		if lines[0] != "event: onboarding" {
			continue
		}
		require.Len(e.t, lines, 3, block)
		id, err := strconv.ParseInt(strings.TrimPrefix(lines[1], "id: "), 10, 64)
		require.NoError(e.t, err, block)
		m.id = id
		require.NoError(e.t, json.Unmarshal([]byte(strings.TrimPrefix(lines[2], "data: ")), &m.body), block)
		return m, true
	}
}

// change raises the version of an onboarding by n, one commit each.
func (in *installation) change(organizationID string, n int) {
	in.t.Helper()
	for range n {
		in.execute("UPDATE onboardings SET version = version + 1 WHERE organization_id = $1", organizationID)
	}
}

func withStreams(times service.StreamTimes) func(*service.Deps, *api.Options) {
	return func(_ *service.Deps, o *api.Options) { o.Streams = times }
}

func TestAStreamSendsHeartbeatsAndEndsAfterItsTime(t *testing.T) {
	t.Parallel()
	in := install(t, withStreams(service.StreamTimes{
		Heartbeat: 20 * time.Millisecond, Lifetime: 500 * time.Millisecond, WriteTimeout: time.Minute,
	}))
	address, _, _ := in.serve()
	id := in.client("Acme").organizationID
	e := follow(t, address, in.root, id, "", nil)
	require.Equal(t, http.StatusOK, e.status)
	blocks := map[string]int{}
	for {
		block, ok := e.block()
		if !ok {
			break
		}
		first, _, _ := strings.Cut(block, "\n")
		blocks[first]++
	}
	require.Equal(t, 1, blocks["retry: 3000"])
	require.Equal(t, 1, blocks["event: onboarding"], "nothing changed")
	require.Greater(t, blocks[": still here"], 1)
	require.Len(t, blocks, 3)
}

func TestStreamResumesWithoutGapOrRepeat(t *testing.T) {
	t.Parallel()
	in := install(t)
	address, _, _ := in.serve()
	id := in.client("Acme").organizationID
	e := follow(t, address, in.root, id, "", nil)
	first, ok := e.next()
	require.True(t, ok)
	e.close()

	again := follow(t, address, in.root, id, strconv.FormatInt(first.id, 10), nil)
	in.change(id, 1)
	second, ok := again.next()
	require.True(t, ok)
	require.Equal(t, first.id+1, second.id, "events that were received are not repeated")
	again.close()

	in.change(id, 5)
	behind := follow(t, address, in.root, id, strconv.FormatInt(second.id, 10), nil)
	missed, ok := behind.next()
	require.True(t, ok)
	require.Equal(t, second.id+5, missed.id, "missed events are sent at once")
	for _, unknown := range []string{"0", "-1", "nothing", "99999999999999999999"} {
		m, ok := follow(t, address, in.root, id, unknown, nil).next()
		require.True(t, ok)
		require.Equal(t, missed.id, m.id, unknown)
	}
}

func TestStreamsEndCleanlyWhenTheServerDrains(t *testing.T) {
	t.Parallel()
	in := install(t)
	address, stop, ended := in.serve()
	id := in.client("Acme").organizationID
	var open []*eventStream
	for range 5 {
		e := follow(t, address, in.root, id, "", nil)
		_, ok := e.next()
		require.True(t, ok)
		open = append(open, e)
	}
	stop()
	for _, e := range open {
		_, ok := e.next()
		require.False(t, ok)
	}
	require.NoError(t, <-ended)
}

// full opens the largest number of streams of one organization.
func (in *installation) full(
	address, id string, dial func(context.Context, string, string) (net.Conn, error),
) []*eventStream {
	in.t.Helper()
	var open []*eventStream
	for range 20 {
		e := follow(in.t, address, in.root, id, "", dial)
		require.Equal(in.t, http.StatusOK, e.status)
		_, ok := e.next()
		require.True(in.t, ok)
		open = append(open, e)
	}
	return open
}

func TestStreamLimitIsPerOrganizationOfTheKey(t *testing.T) {
	t.Parallel()
	in := install(t)
	address, _, _ := in.serve()
	c := in.client("Acme")
	open := in.full(address, c.organizationID, nil)
	refused := in.do(in.root, "GET", "/v1/onboarding/"+c.organizationID+"/events", "").expect(429, "rate_limited")
	require.Equal(t, "concurrency", refused.text("limit_type"))
	own := follow(t, address, c, c.organizationID, "", nil)
	require.Equal(t, http.StatusOK, own.status, "the client has streams of its own")

	open[7].close()
	require.Eventually(t, func() bool {
		e := follow(t, address, in.root, c.organizationID, "", nil)
		if e.status != http.StatusOK {
			e.close()
		}
		return e.status == http.StatusOK
	}, waitLimit, 10*time.Millisecond, "a client that disconnects frees its place")
}

// A revoked key receives nothing more, also on a stream that it opened before. The end is clean even
// if nothing was written for longer than the write timeout.
func TestStreamEndsWithItsKey(t *testing.T) {
	t.Parallel()
	in := install(t, withStreams(service.StreamTimes{
		Heartbeat: 1100 * time.Millisecond, Lifetime: time.Hour, WriteTimeout: time.Second,
	}))
	address, _, _ := in.serve()
	c := in.client("Acme")
	e := follow(t, address, c, c.organizationID, "", nil)
	_, ok := e.next()
	require.True(t, ok)
	in.execute("UPDATE api_keys SET revoked_at = now() WHERE organization_id = $1", c.organizationID)
	_, ok = e.next()
	require.False(t, ok)
}

// Undoing an onboarding revokes the client's keys, but the client still gets the last state. A key of its partner
// that is revoked meanwhile gets nothing more.
func TestAStreamTellsTheEndThatRevokesItsKey(t *testing.T) {
	t.Parallel()
	in := install(t, func(_ *service.Deps, o *api.Options) { o.PrincipalLifetime = 1 }) // refused from the next moment on
	address, _, _ := in.serve()
	c := in.client("Acme")
	own, partner := follow(t, address, c, c.organizationID, "", nil), follow(t, address, in.root, c.organizationID, "", nil)
	for _, e := range []*eventStream{own, partner} {
		_, ok := e.next()
		require.True(t, ok)
	}
	in.execute(`WITH revoked AS (UPDATE api_keys SET revoked_at = now() WHERE organization_id = ANY ($2))
		UPDATE onboardings SET status = 'CANCELLED', compensation_started_at = now(), version = version + 1
		WHERE organization_id = $1`, c.organizationID, []string{c.organizationID, in.root.organizationID})
	last, ok := own.next()
	require.True(t, ok)
	require.Equal(t, "CANCELLED", last.body["status"])
	_, ok = own.next()
	require.False(t, ok)
	_, ok = partner.next()
	require.False(t, ok)
}

// pipes is a listener of connections without any buffer: a write waits until it is read.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	conn, ok := <-p
	if !ok {
		return nil, net.ErrClosed
	}
	return conn, nil
}

func (p pipes) Close() error {
	close(p)
	return nil
}

func (p pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipes", Net: "pipe"} }

func (p pipes) dial(context.Context, string, string) (net.Conn, error) {
	here, there := net.Pipe()
	p <- there
	return here, nil
}

func (in *installation) servePipes() pipes {
	in.t.Helper()
	listener := make(pipes)
	ctx, stop := context.WithCancel(in.t.Context())
	ended := make(chan error, 1)
	go func() { ended <- in.server.Serve(ctx, listener) }()
	in.t.Cleanup(func() {
		stop()
		require.NoError(in.t, <-ended)
	})
	return listener
}

// Events that a slow client does not read are dropped: it gets the newest state.
func TestASlowReaderGetsTheNewestState(t *testing.T) {
	t.Parallel()
	in := install(t, withStreams(service.StreamTimes{
		Heartbeat: time.Hour, Lifetime: time.Hour, WriteTimeout: waitLimit,
	})) // as long as the test takes
	listener := in.servePipes()
	id := in.client("Acme").organizationID
	fast := follow(t, "levy", in.root, id, "", listener.dial)
	slow, err := listener.dial(t.Context(), "", "")
	require.NoError(t, err)
	require.NoError(t, slow.SetDeadline(time.Now().Add(waitLimit)))
	_, err = io.WriteString(
		slow,
		"GET /v1/onboarding/"+id+"/events HTTP/1.0\r\nHost: levy\r\nX-API-KEY: "+in.root.key+
			"\r\nx-organization-id: "+in.root.organizationID+"\r\n\r\n",
	)
	require.NoError(t, err)
	response, err := http.ReadResponse(bufio.NewReaderSize(slow, 16), nil) // reads hardly anything ahead
	require.NoError(t, err)
	defer response.Body.Close()
	e := &eventStream{t: t, status: response.StatusCode, lines: bufio.NewReaderSize(response.Body, 16)}
	first, ok := e.next()
	require.True(t, ok)

	in.change(id, 1)
	begun, err := e.lines.ReadByte() // the rest of the message is not read
	require.NoError(t, err)
	in.change(id, 40)
	for {
		m, ok := fast.next()
		require.True(t, ok)
		if m.id == first.id+41 {
			break
		}
	}
	require.NoError(t, e.lines.UnreadByte())
	require.Equal(t, byte('e'), begun)
	var seen []int64
	for len(seen) == 0 || seen[len(seen)-1] < first.id+41 {
		m, ok := e.next()
		require.True(t, ok)
		seen = append(seen, m.id)
	}
	require.Equal(t, []int64{first.id + 1, first.id + 41}, seen)
}

func TestAReaderThatStopsReadingIsDisconnected(t *testing.T) {
	t.Parallel()
	in := install(t, withStreams(service.StreamTimes{
		Heartbeat: 20 * time.Millisecond, Lifetime: time.Hour, WriteTimeout: 300 * time.Millisecond,
	}))
	listener := in.servePipes()
	id := in.client("Acme").organizationID
	for range 20 {
		conn, err := listener.dial(t.Context(), "", "")
		require.NoError(t, err)
		t.Cleanup(func() { _ = conn.Close() })
		_, err = io.WriteString(
			conn,
			"GET /v1/onboarding/"+id+"/events HTTP/1.1\r\nHost: levy\r\nX-API-KEY: "+in.root.key+
				"\r\nx-organization-id: "+in.root.organizationID+"\r\n\r\n",
		)
		require.NoError(t, err)
		_, err = conn.Read(make([]byte, 1)) // the answer begins; the client does not read on
		require.NoError(t, err)
	}
	require.Eventually(t, func() bool {
		e := follow(t, "levy", in.root, id, "", listener.dial)
		e.close()
		return e.status == http.StatusOK
	}, waitLimit, 10*time.Millisecond)
}
