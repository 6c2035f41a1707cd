package models

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"
)

func networks(t *testing.T, texts ...string) (all Networks) {
	t.Helper()
	for _, text := range texts {
		network, ok := ParseNetwork(text)
		require.True(t, ok, text)
		all = append(all, network)
	}
	return all
}

func TestNetworksAdmitTheirAddresses(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"203.0.113.0/24", "198.51.100.7/32", "2001:db8::/32", "192.0.2.1/32"},
		networks(t, "203.0.113.9/24", "198.51.100.7", "2001:db8::1/32", "::ffff:192.0.2.1").Texts())
	for _, wrong := range []string{"", "203.0.113", "203.0.113.0/33", "fe80::1%eth0", "example.com", "::ffff:192.0.2.0/120"} {
		_, ok := ParseNetwork(wrong)
		require.False(t, ok, wrong)
	}
	limited := networks(t, "203.0.113.0/24", "2001:db8::/32")
	for from, admitted := range map[string]bool{
		"203.0.113.255": true, "203.0.114.0": false, "2001:db8:1::1": true, "2001:db9::1": false,
	} {
		require.Equal(t, admitted, limited.Admit(netip.MustParseAddr(from)), from)
	}
	require.False(t, limited.Admit(netip.Addr{}), "it is not known")
	require.True(t, Networks(nil).Admit(netip.Addr{}))
}

func TestNetworksAreWithinOthers(t *testing.T) {
	t.Parallel()
	outer := networks(t, "203.0.113.0/24", "2001:db8::/32")
	require.True(t, networks(t, "203.0.113.128/25", "2001:db8:1::/48").Within(outer))
	require.True(t, outer.Within(outer))
	require.True(t, outer.Within(nil))
	require.False(t, networks(t, "203.0.112.0/23").Within(outer), "it is larger")
	require.False(t, networks(t, "203.0.113.1", "198.51.100.1").Within(outer))
	require.False(t, Networks(nil).Within(outer), "that is everywhere")
}
