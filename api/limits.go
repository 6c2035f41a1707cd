package api

import (
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"

	"levy/api/problem"

	"github.com/gin-gonic/gin"
)

const (
	maxURL  = 8 << 10
	maxHead = 16 << 10
	// serverHeadLimit is what net/http itself reads. It is larger than the limits of
	// the contract, so that all but absurd requests get an answer in our own form.
	serverHeadLimit = 1 << 20
)

// limitHead refuses URLs and header blocks that are too large.
func limitHead(c *gin.Context) {
	if len(c.Request.RequestURI) > maxURL {
		problem.Write(c, problem.New(problem.CodeURITooLong, ""))
		return
	}
	size := len(c.Request.Host)
	for name, values := range c.Request.Header {
		for _, value := range values {
			size += len(name) + len(value) + len(": \r\n")
		}
	}
	if size > maxHead {
		problem.Write(c, problem.New(problem.CodeHeadersTooLarge, ""))
	}
}

// unescapePath decodes the values of the path, each once. Gin does not: its own
// decoding reads a plus as a space.
func unescapePath(c *gin.Context) {
	for i := range c.Params {
		if strings.IndexByte(c.Params[i].Value, '%') < 0 {
			continue
		}
		value, err := url.PathUnescape(c.Params[i].Value)
		if err != nil { // net/http has refused such a path already
			problem.Write(c, problem.New(problem.CodeResourceNotFound, ""))
			return
		}
		c.Params[i].Value = value
	}
}

const (
	maxFailures      = 100 // failed authentications of an address in a window
	failureWindow    = time.Minute
	maxFailureMemory = 1 << 16 // addresses that are remembered
)

// failureLimit counts failed authentications for each client address. The window
// of an address opens with its first failure.
type failureLimit struct {
	now   func() time.Time
	mu    sync.Mutex
	peers map[netip.Addr]failures
}

type failures struct {
	until time.Time
	count int
}

func newFailureLimit(now func() time.Time) *failureLimit {
	return &failureLimit{now: now, peers: map[netip.Addr]failures{}}
}

// add counts a failure of the peer. wait is 0 while the peer may go on failing,
// else the time until its window closes.
func (l *failureLimit) add(remote string) (wait time.Duration) {
	peer := peerOf(remote)
	now := l.now()
	l.mu.Lock()
	defer l.mu.Unlock()
	f, known := l.peers[peer]
	if !known || !now.Before(f.until) {
		if !known && len(l.peers) >= maxFailureMemory {
			l.forget(now)
		}
		f = failures{until: now.Add(failureWindow)}
	}
	f.count++
	l.peers[peer] = f
	if f.count <= maxFailures {
		return 0
	}
	return f.until.Sub(now)
}

// forget makes room: closed windows first, else any. It makes room for many at
// once, because it looks at all of them.
func (l *failureLimit) forget(now time.Time) {
	for peer, f := range l.peers {
		if !now.Before(f.until) {
			delete(l.peers, peer)
		}
	}
	for peer := range l.peers {
		if len(l.peers) < maxFailureMemory*7/8 {
			return
		}
		delete(l.peers, peer)
	}
}

// peerOf is the address of a peer. Of an IPv6 address only the network counts:
// whoever has one address there has 2^64 of them.
func peerOf(remote string) netip.Addr {
	at, err := netip.ParseAddrPort(remote)
	if err != nil {
		return netip.Addr{} // all peers without an address, such as those of a socket file, count as one
	}
	addr := at.Addr().Unmap().WithZone("")
	if addr.Is6() {
		if network, err := addr.Prefix(64); err == nil {
			return network.Addr()
		}
	}
	return addr
}
