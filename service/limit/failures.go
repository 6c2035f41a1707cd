package limit

import (
	"net/netip"
	"time"
)

const (
	maxFailures   = 100 // failed authentications of an address in a window
	failureWindow = time.Minute
)

// Failures counts failed authentications for each client address. The window of an address opens
// with its first failure.
type Failures struct{ windows[netip.Addr] }

// NewFailures returns the limit of a process.
func NewFailures(now func() time.Time) *Failures { return newFailures(now, maxFailures) }

func newFailures(now func() time.Time, most int) *Failures {
	return &Failures{windows[netip.Addr]{now: now, most: most, lasts: failureWindow, known: map[netip.Addr]failures{}}}
}

// Add counts a failure of the peer. wait is 0 while the peer may fail again, else the time until its window closes.
func (l *Failures) Add(remote string) (wait time.Duration) {
	peer := PeerOf(remote)
	now := l.now()
	l.mu.Lock()
	defer l.mu.Unlock()
	f := l.of(peer, now)
	f.count++
	l.known[peer] = f
	if f.count <= l.most {
		return 0
	}
	return f.until.Sub(now)
}

// Try counts an attempt of the peer as a failure, until giveBack takes it back. wait is the time until the window of a
// peer with too many failures closes; 0 for an admitted attempt.
func (l *Failures) Try(remote string) (giveBack func(), wait time.Duration) {
	return l.try(PeerOf(remote))
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
	f := l.known[peer]
	if f.count < l.most || !now.Before(f.until) {
		return true
	}
	if most := lookUpsAtOnce + int(failureWindow-f.until.Sub(now))/int(lookUpEvery); f.lookUps >= most {
		return false
	}
	f.lookUps++
	l.known[peer] = f
	return true
}

// Wait returns the time until the window of a peer with too many failures closes; 0 for other peers.
func (l *Failures) Wait(remote string) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	f, known := l.known[PeerOf(remote)]
	if !known || f.count < l.most {
		return 0
	}
	return max(0, f.until.Sub(l.now()))
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
