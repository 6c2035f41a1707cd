package limit

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAddressesOfOneNetworkAreOnePeer(t *testing.T) {
	t.Parallel()
	for name, pair := range map[string][2]string{
		"another port":                        {"198.51.100.1:1", "198.51.100.1:2"},
		"IPv4 inside IPv6":                    {"198.51.100.1:1", "[::ffff:198.51.100.1]:1"},
		"the same IPv6 network":               {"[2001:db8:1:2::1]:1", "[2001:db8:1:2:ffff::9]:1"},
		"no address at all counts as one":     {"@", ""},
		"an interface makes no other address": {"[fe80::1%eth0]:1", "[fe80::1%eth1]:1"},
	} {
		require.Equal(t, PeerOf(pair[0]), PeerOf(pair[1]), name)
	}
	require.NotEqual(t, PeerOf("198.51.100.1:1"), PeerOf("198.51.100.2:1"))
	require.NotEqual(t, PeerOf("[2001:db8:1:2::1]:1"), PeerOf("[2001:db8:1:3::1]:1"))
}

func TestFailureMemoryIsBounded(t *testing.T) {
	t.Parallel()
	now := time.Now()
	l := NewFailures(func() time.Time { return now })
	fail := func(i int) { l.Add(fmt.Sprintf("10.%d.%d.%d:1", i>>16, i>>8&255, i&255)) }
	for i := range maxFailureMemory {
		fail(i)
	}
	fail(maxFailureMemory)
	require.True(
		t, len(l.known) > maxFailureMemory/2 && len(l.known) < maxFailureMemory,
		"some were forgotten, and most were kept",
	)
	for i := range maxFailureMemory - len(l.known) {
		fail(maxFailureMemory + 1 + i)
	}
	now = now.Add(failureWindow)
	fail(3 * maxFailureMemory)
	require.Len(t, l.known, 1, "closed windows are forgotten first")
}
