package webhook

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// RefusedError says why an address may not be called.
type RefusedError struct{ Reason string }

func (e *RefusedError) Error() string { return e.Reason }

// Hosts are those that the deployment allows by name: they may have private addresses and be called without TLS.
type Hosts []string

// allow reports whether a host is one of them. Letter case does not count.
func (h Hosts) allow(host string) bool {
	return slices.ContainsFunc(h,
		func(allowed string) bool { return strings.EqualFold(strings.Trim(allowed, "[]"), host) })
}

// longestURL is that of the contract, in characters.
const longestURL = 2000

// checkURL checks an address by itself, without asking what its name means. Errors: *RefusedError.
func (h Hosts) checkURL(text string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil, u.Opaque != "", u.Hostname() == "", len([]rune(text)) > longestURL:
		return &RefusedError{"Must be an address such as https://example.com/levy."}
	case u.User != nil:
		return &RefusedError{"Must not contain a user or a password."}
	case u.Fragment != "" || strings.Contains(text, "#"):
		return &RefusedError{"Must not have a part behind #."}
	case h.allow(u.Hostname()) && (u.Scheme == "https" || u.Scheme == "http"):
		return nil
	case u.Scheme != "https":
		return &RefusedError{"Must begin with https://."}
	}
	if at, err := netip.ParseAddr(u.Hostname()); err == nil && !IsPublic(at) {
		return errPrivate
	}
	return nil
}

// Wrong is the reason by which checkURL refuses an address; empty for none.
func (h Hosts) Wrong(address string) string {
	if err := h.checkURL(address); err != nil {
		return err.Error()
	}
	return ""
}

var errPrivate = &RefusedError{"The host has an address that is not public."}

// special are networks that look like public ones but are not. They are the registries of special-purpose addresses
// (RFC 6890), and networks of IPv6 whose addresses contain one of IPv4.
var special = prefixes(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
	"192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
	"224.0.0.0/4", "240.0.0.0/4",
	"2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
)

// global is where public addresses of IPv6 are; everything else of it is loopback, local, multicast, NAT64
// (64:ff9b::/96) or not assigned.
var global = netip.MustParsePrefix("2000::/3")

func prefixes(texts ...string) []netip.Prefix {
	list := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		list[i] = netip.MustParsePrefix(text)
	}
	return list
}

// OfThisMachine reports whether a host without a port is this machine by a name that no other machine can have.
func OfThisMachine(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.IsLoopback()
}

// IsPublic reports whether an address is one of the public internet. An address of IPv4 written as one of IPv6 is
// that of IPv4.
func IsPublic(at netip.Addr) bool {
	at = at.Unmap()
	if !at.IsValid() || at.Zone() != "" || at.Is6() && !global.Contains(at) {
		return false
	}
	return !slices.ContainsFunc(special, func(p netip.Prefix) bool { return p.Contains(at) })
}
