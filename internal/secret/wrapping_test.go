package secret

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Data keys are wrapped by wrapping keys, which can be destroyed without the master key. A master key still unwraps the
// data keys that it wrapped before.
func TestAWrappingKeyCanBeReplacedAndDestroyed(t *testing.T) {
	t.Parallel()
	master, first, second := NewMasterKey("k1"), NewMasterKey("w1"), NewMasterKey("w2")
	ring, err := ParseRing(master)
	require.NoError(t, err)
	vault := func(wrapping string) *Vault {
		with, err := ring.WithWrapping(wrapping)
		require.NoError(t, err, wrapping)
		return NewVault(with, nil)
	}
	wrapped := func(by string, v *Vault) RecordKey {
		_, key := v.NewRecordKey("org_1", "attm_1")
		require.Equal(t, by, key.MasterKeyID)
		return RecordKey{OrganizationID: "org_1", RecordID: "attm_1", WrappedKey: key}
	}
	old := wrapped("k1", vault(""))
	require.NoError(t, vault(second).Opens(old))
	require.NoError(t, vault(first).Opens(wrapped("k1", vault("k1,"+first))), "while not all processes have the new one")
	between := wrapped("w1", vault(first+","+second))
	require.NoError(t, vault(second+", "+first).Opens(between))
	require.ErrorIs(t, vault(second).Opens(between), ErrUnreadable, "it is destroyed")
	moved := between
	moved.RecordID = "attm_2"
	require.ErrorIs(t, vault(first).Opens(moved), ErrUnreadable)

	with, err := ring.WithWrapping(second + "," + first)
	require.NoError(t, err)
	require.Equal(t, []string{"w2", "w1", "k1"}, with.WrappingIDs())
	require.Equal(t, []string{"w2", "k1"}, []string{with.CurrentWrapping(), with.Current()})
	for text, says := range map[string]string{
		"k2":                "wrapping key 1: names no master key",
		"k1,k1":             "wrapping key 2: its id is used twice",
		first + "," + first: "wrapping key 2: its id is used twice",
		NewMasterKey("k1"):  "wrapping key 1: its id is that of a master key",
		"w1:c2hvcnQ=":       "wrapping key 1: not of the form id:base64, with 32 bytes",
		first + ",":         "wrapping key 2: names no master key",
	} {
		_, err := ring.WithWrapping(text)
		require.ErrorContains(t, err, says)
		_, encoded, _ := strings.Cut(first, ":")
		require.NotContains(t, err.Error(), encoded)
	}
}
