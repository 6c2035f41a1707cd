package models

import (
	"net/netip"
	"slices"
	"strings"
)

// Networks are the addresses and networks from which a key may be used; none means everywhere.
type Networks []netip.Prefix

// ParseNetwork reads an address, or a network such as 203.0.113.0/24. ok is false for anything else.
func ParseNetwork(text string) (network netip.Prefix, ok bool) {
	if !strings.Contains(text, "/") {
		address, err := netip.ParseAddr(text)
		address = address.Unmap()
		return netip.PrefixFrom(address, address.BitLen()), err == nil && address.Zone() == ""
	}
	network, err := netip.ParsePrefix(text)
	if err != nil || network.Addr().Is4In6() {
		return netip.Prefix{}, false
	}
	return network.Masked(), true
}

// Admit reports whether a key with these networks may be used from an address. An unknown address is in no network.
func (n Networks) Admit(from netip.Addr) bool {
	return len(n) == 0 || slices.ContainsFunc(n, func(p netip.Prefix) bool { return p.Contains(from) })
}

// Within reports whether a key with these networks may be used from no other address than one with the others.
func (n Networks) Within(others Networks) bool {
	if len(others) == 0 {
		return true
	}
	return len(n) > 0 && !slices.ContainsFunc(n, func(p netip.Prefix) bool { return !others.contain(p) })
}

// contain reports whether one of the networks contains a whole network.
func (n Networks) contain(inner netip.Prefix) bool {
	return slices.ContainsFunc(n, func(p netip.Prefix) bool { return p.Bits() <= inner.Bits() && p.Contains(inner.Addr()) })
}

// Texts returns the networks as they are written.
func (n Networks) Texts() []string {
	texts := make([]string, len(n))
	for i, p := range n {
		texts[i] = p.String()
	}
	return texts
}
