package testbed

import (
	"context"
	"net"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Proxy is a TCP proxy between the service and a server that can inject faults.
type Proxy struct {
	Address string // where the service connects to

	target      string
	listener    net.Listener
	mu          sync.Mutex
	fault       fault
	changed     chan struct{} // closed when the fault changes
	connections map[*connection]bool
}

// fault is what the proxy does to bytes; the zero value passes them on.
type fault struct {
	delay      time.Duration // of every piece, both ways
	frozen     bool          // nothing passes, and no connection breaks
	noReplies  bool          // requests pass, replies are dropped
	noRequests bool          // requests are dropped, replies pass
}

// connection is one connection through the proxy.
type connection struct {
	client, server net.Conn
	damaged        bool // bytes were dropped: it cannot continue
}

// newProxy opens a proxy to target, which need not be there yet.
func newProxy(tb testing.TB, target string) *Proxy {
	tb.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(tb, err)
	p := &Proxy{
		Address: listener.Addr().String(), target: target, listener: listener,
		changed: make(chan struct{}), connections: map[*connection]bool{},
	}
	go p.accept()
	tb.Cleanup(func() { _ = listener.Close(); p.Reset() })
	return p
}

// Delay delays every piece of data in both directions.
func (p *Proxy) Delay(delay time.Duration) { p.inject(fault{delay: delay}) }

// Freeze holds everything back: connections stay, and nothing arrives.
func (p *Proxy) Freeze() { p.inject(fault{frozen: true}) }

// DropReplies lets requests through and drops their replies: requests are carried out, but the caller does not learn of
// it.
func (p *Proxy) DropReplies() { p.inject(fault{noReplies: true}) }

// DropRequests drops requests and lets replies through: reports of completed work are lost.
func (p *Proxy) DropRequests() { p.inject(fault{noRequests: true}) }

// Heal lets everything pass again. Connections of which something was dropped are reset.
func (p *Proxy) Heal() {
	p.inject(fault{})
	p.resetConnections(func(c *connection) bool { return c.damaged })
}

// Reset resets all connections; new ones are accepted.
func (p *Proxy) Reset() { p.resetConnections(func(*connection) bool { return true }) }

func (p *Proxy) inject(f fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fault = f
	close(p.changed)
	p.changed = make(chan struct{})
}

func (p *Proxy) resetConnections(selected func(*connection) bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.connections {
		if selected(c) {
			c.reset()
			delete(p.connections, c)
		}
	}
}

func (c *connection) reset() {
	for _, conn := range []net.Conn{c.client, c.server} {
		if tcp, ok := conn.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0) // a reset, not an orderly end
		}
		_ = conn.Close()
	}
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		go p.serve(client)
	}
}

func (p *Proxy) serve(client net.Conn) {
	var dialer net.Dialer
	server, err := dialer.DialContext(context.Background(), "tcp", p.target)
	if err != nil {
		_ = client.Close()
		return
	}
	c := &connection{client: client, server: server}
	p.mu.Lock()
	p.connections[c] = true
	p.mu.Unlock()
	var both sync.WaitGroup
	both.Go(func() { p.pass(c, client, server, false) })
	both.Go(func() { p.pass(c, server, client, true) })
	both.Wait()
	p.mu.Lock()
	delete(p.connections, c)
	p.mu.Unlock()
}

// pass carries bytes in one direction until the connection ends.
func (p *Proxy) pass(c *connection, from, to net.Conn, replies bool) {
	defer func() { _, _ = from.Close(), to.Close() }()
	piece := make([]byte, 32<<10)
	for {
		n, err := from.Read(piece)
		if n > 0 && !p.drops(c, replies) {
			if _, err := to.Write(piece[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// drops waits as long as the fault delays the piece, and reports whether it is dropped.
func (p *Proxy) drops(c *connection, reply bool) bool {
	delayed := false
	for {
		p.mu.Lock()
		f, changed := p.fault, p.changed
		dropped := reply && f.noReplies || !reply && f.noRequests
		c.damaged = c.damaged || dropped
		p.mu.Unlock()
		switch {
		case dropped:
			return true
		case f.frozen:
			<-changed
		case f.delay > 0 && !delayed:
			<-time.After(f.delay)
			delayed = true
		default:
			return false
		}
	}
}

// OwnProxies gives a process that is not started yet its own proxies to the servers of the bed: their faults affect no
// other process.
func (s *Service) OwnProxies() (toDatabase, toTemporal *Proxy) {
	b := s.bed
	b.tb.Helper()
	u, err := url.Parse(b.DatabaseURL)
	require.NoError(b.tb, err)
	toDatabase, toTemporal = newProxy(b.tb, u.Host), newProxy(b.tb, b.TemporalAddress)
	u.Host = toDatabase.Address
	s.env = append(s.env, "LEVY_DATABASE_URL="+u.String(), "LEVY_TEMPORAL_ADDRESS="+toTemporal.Address)
	return toDatabase, toTemporal
}
