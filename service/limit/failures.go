package limit

import (
	"net/netip"
	"sync"
	"time"
)

const (
	maxFailures      = 100 // failed authentications of an address in a window
	failureWindow    = time.Minute
	maxFailureMemory = 1 << 16 // addresses and accounts in memory
)

// Failures counts failed authentications for each client address. The window of an address opens
// with its first failure.
type Failures struct {
	now   func() time.Time
	most  int // of an address in a window
	mu    sync.Mutex
	peers map[netip.Addr]failures
}

type failures struct {
	until   time.Time
	count   int
	lookUps int // reads of unknown keys after the last allowed failure
}

// NewFailures returns the limit of a process.
func NewFailures(now func() time.Time) *Failures { return newFailures(now, maxFailures) }

func newFailures(now func() time.Time, most int) *Failures {
	return &Failures{now: now, most: most, peers: map[netip.Addr]failures{}}
}

// Add counts a failure of the peer. wait is 0 while the peer may fail again, else the time until its window closes.
func (l *Failures) Add(remote string) (wait time.Duration) {
	peer := PeerOf(remote)
	now := l.now()
	l.mu.Lock()
	defer l.mu.Unlock()
	f, known := l.peers[peer]
	if !known || !now.Before(f.until) {
		if !known && len(l.peers) >= maxFailureMemory {
			forget(l.peers, now)
		}
		f = failures{until: now.Add(failureWindow)}
	}
	f.count++
	l.peers[peer] = f
	if f.count <= l.most {
		return 0
	}
	return f.until.Sub(now)
}

// Try counts a failure of the peer before the work that shows whether it is one. giveBack takes it back, once. wait is
// the time until the window of a peer with too many failures closes, and nothing counts; 0 for an admitted attempt.
func (l *Failures) Try(remote string) (giveBack func(), wait time.Duration) {
	peer := PeerOf(remote)
	now := l.now()
	l.mu.Lock()
	defer l.mu.Unlock()
	f, known := l.peers[peer]
	if !known || !now.Before(f.until) {
		if !known && len(l.peers) >= maxFailureMemory {
			forget(l.peers, now)
		}
		f = failures{until: now.Add(failureWindow)}
	}
	// guard: sign-in: attempts of an address count before they are tried
	if f.count >= l.most {
		return nil, f.until.Sub(now)
	}
	f.count++
	l.peers[peer] = f
	return func() { l.giveBack(peer, f.until) }, 0
}

// giveBack takes back a failure of the window that closes at a time.
func (l *Failures) giveBack(peer netip.Addr, until time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if f, known := l.peers[peer]; known && f.until.Equal(until) {
		f.count--
		l.peers[peer] = f
	}
}

// lookUpEvery is the time between two reads of unknown keys for a peer at its limit of failures.
// lookUpsAtOnce reads may come at once.
const (
	lookUpEvery   = 100 * time.Millisecond
	lookUpsAtOnce = 10
)

// MayLookUp reports whether an unknown key, session or link may be read from the database. It may,
// unless the peer has reached its limit of failures. Then only some reads are allowed, for other callers
// at the same address with valid keys.
func (l *Failures) MayLookUp(remote string) bool {
	peer := PeerOf(remote)
	now := l.now()
	l.mu.Lock()
	defer l.mu.Unlock()
	f := l.peers[peer]
	if f.count < l.most || !now.Before(f.until) {
		return true
	}
	if most := lookUpsAtOnce + int(failureWindow-f.until.Sub(now))/int(lookUpEvery); f.lookUps >= most {
		return false
	}
	f.lookUps++
	l.peers[peer] = f
	return true
}

// Wait returns the time until the window of a peer with too many failures closes; 0 for other peers.
func (l *Failures) Wait(remote string) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	f, known := l.peers[PeerOf(remote)]
	if !known || f.count < l.most {
		return 0
	}
	return max(0, f.until.Sub(l.now()))
}

// forget drops closed windows first, then others. It drops many at once, because it reads all of them.
func forget[K comparable](known map[K]failures, now time.Time) {
	for who, f := range known {
		if !now.Before(f.until) {
			delete(known, who)
		}
	}
	for who := range known {
		if len(known) < maxFailureMemory*7/8 {
			return
		}
		delete(known, who)
	}
}

// PeerOf returns the address of a peer. Of an IPv6 address it returns only the network, because one client usually has
// 2^64 addresses.
func PeerOf(remote string) netip.Addr {
	at, err := netip.ParseAddrPort(remote)
	if err != nil {
		return netip.Addr{} // all peers without an address, such as those of a socket file
	}
	addr := at.Addr().Unmap().WithZone("")
	if addr.Is6() {
		if network, err := addr.Prefix(64); err == nil {
			return network.Addr()
		}
	}
	return addr
}
