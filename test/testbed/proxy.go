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

// Proxy is a line between the service and a server, which can be disturbed.
type Proxy struct {
	Address string // where the service connects to

	target      string
	listener    net.Listener
	mu          sync.Mutex
	disturbance disturbance
	changed     chan struct{} // closed when the disturbance changes
	lines       map[*line]bool
}

// disturbance is what a line does to bytes; the zero value passes them on.
type disturbance struct {
	delay     time.Duration // of every piece, both ways
	frozen    bool          // nothing passes, and nothing breaks
	swallowed bool          // requests pass, replies are thrown away
	dropped   bool          // requests are thrown away, replies pass
}

// line is one connection through the proxy.
type line struct {
	client, server net.Conn
	damaged        bool // bytes were thrown away: it cannot go on
}

// newProxy opens a proxy to target, which need not be there yet.
func newProxy(tb testing.TB, target string) *Proxy {
	tb.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(tb, err)
	p := &Proxy{
		Address: listener.Addr().String(), target: target, listener: listener,
		changed: make(chan struct{}), lines: map[*line]bool{},
	}
	go p.accept()
	tb.Cleanup(func() { _ = listener.Close(); p.Cut() })
	return p
}

// Slow delays every piece of data in both directions.
func (p *Proxy) Slow(delay time.Duration) { p.disturb(disturbance{delay: delay}) }

// Freeze holds everything back: connections stay, and nothing arrives.
func (p *Proxy) Freeze() { p.disturb(disturbance{frozen: true}) }

// Swallow lets requests through and throws their replies away: what was asked for
// happens, and who asked does not hear of it.
func (p *Proxy) Swallow() { p.disturb(disturbance{swallowed: true}) }

// Drop throws requests away and lets replies through: what somebody has done, nobody
// hears of.
func (p *Proxy) Drop() { p.disturb(disturbance{dropped: true}) }

// Heal lets everything pass again. Lines of which something was thrown away break.
func (p *Proxy) Heal() {
	p.disturb(disturbance{})
	p.breakLines(func(l *line) bool { return l.damaged })
}

// Cut resets all connections; new ones are accepted.
func (p *Proxy) Cut() { p.breakLines(func(*line) bool { return true }) }

func (p *Proxy) disturb(d disturbance) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.disturbance = d
	close(p.changed)
	p.changed = make(chan struct{})
}

func (p *Proxy) breakLines(broken func(*line) bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for l := range p.lines {
		if broken(l) {
			l.reset()
			delete(p.lines, l)
		}
	}
}

func (l *line) reset() {
	for _, c := range []net.Conn{l.client, l.server} {
		if tcp, ok := c.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0) // a reset, not an orderly end
		}
		_ = c.Close()
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
	l := &line{client: client, server: server}
	p.mu.Lock()
	p.lines[l] = true
	p.mu.Unlock()
	var both sync.WaitGroup
	both.Go(func() { p.pass(l, client, server, false) })
	both.Go(func() { p.pass(l, server, client, true) })
	both.Wait()
	p.mu.Lock()
	delete(p.lines, l)
	p.mu.Unlock()
}

// pass carries bytes in one direction until the line ends.
func (p *Proxy) pass(l *line, from, to net.Conn, replies bool) {
	defer func() { _, _ = from.Close(), to.Close() }()
	piece := make([]byte, 32<<10)
	for {
		n, err := from.Read(piece)
		if n > 0 && !p.swallow(l, replies) {
			if _, err := to.Write(piece[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// swallow waits as long as the line is disturbed, and tells whether the piece is
// thrown away.
func (p *Proxy) swallow(l *line, reply bool) bool {
	delayed := false
	for {
		p.mu.Lock()
		d, changed := p.disturbance, p.changed
		thrown := reply && d.swallowed || !reply && d.dropped
		l.damaged = l.damaged || thrown
		p.mu.Unlock()
		switch {
		case thrown:
			return true
		case d.frozen:
			<-changed
		case d.delay > 0 && !delayed:
			<-time.After(d.delay)
			delayed = true
		default:
			return false
		}
	}
}

// Lines gives a process that is not started yet lines of its own to the servers of the
// bed: what becomes of them is nobody else's matter.
func (s *Service) Lines() (toDatabase, toTemporal *Proxy) {
	b := s.bed
	b.tb.Helper()
	u, err := url.Parse(b.DatabaseURL)
	require.NoError(b.tb, err)
	toDatabase, toTemporal = newProxy(b.tb, u.Host), newProxy(b.tb, b.TemporalAddress)
	u.Host = toDatabase.Address
	s.env = append(s.env, "LEVY_DATABASE_URL="+u.String(), "LEVY_TEMPORAL_ADDRESS="+toTemporal.Address)
	return toDatabase, toTemporal
}
