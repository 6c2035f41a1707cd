package limit

import (
	"net"
	"net/netip"
	"time"

	"golang.org/x/time/rate"
)

// A connection of HTTP/2 may have 1,000 of its streams reset at once, and 33 in a second.
// This is the default of nghttp2, the library of many proxies, since the attacks of 2023 (CVE-2023-44487).
// An address may have as many in a minute.
const (
	resetsAtOnce    = 1000
	resetsPerSecond = 33
	maxResets       = 60 * resetsPerSecond
)

// Resets counts the streams of HTTP/2 that ended before their answer, for each address. An address
// with too many gets no connection of HTTP/2 until its window closes.
type Resets struct {
	counted *Failures
	proxies []netip.Prefix
}

// NewResets returns the limit of a process. proxies are addresses and networks of trusted proxies.
// Their streams come from many clients, so only their connections are bounded.
func NewResets(now func() time.Time, proxies []string) *Resets {
	r := &Resets{counted: newFailures(now, maxResets)}
	for _, text := range proxies {
		if network, err := netip.ParsePrefix(text); err == nil {
			r.proxies = append(r.proxies, network)
		} else if addr, err := netip.ParseAddr(text); err == nil {
			r.proxies = append(r.proxies, netip.PrefixFrom(addr, addr.BitLen()))
		}
	}
	return r
}

// Connection returns the limit of one connection.
func (r *Resets) Connection() *rate.Limiter { return rate.NewLimiter(resetsPerSecond, resetsAtOnce) }

// Add counts a stream of the peer and reports whether it exceeds the limit.
func (r *Resets) Add(peer net.Addr) (tooMany bool) {
	return !r.trusted(peer) && r.counted.Add(peer.String()) > 0
}

// Refused reports whether the peer gets no connection of HTTP/2 now.
func (r *Resets) Refused(peer net.Addr) bool {
	return !r.trusted(peer) && r.counted.Wait(peer.String()) > 0
}

func (r *Resets) trusted(peer net.Addr) bool {
	at, err := netip.ParseAddrPort(peer.String())
	if err != nil {
		return false
	}
	for _, proxy := range r.proxies {
		if proxy.Contains(at.Addr().Unmap()) {
			return true
		}
	}
	return false
}
