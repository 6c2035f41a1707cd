package secret_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/internal/secret"
)

func ring(t *testing.T, text string) *secret.Ring {
	t.Helper()
	r, err := secret.ParseRing(text)
	require.NoError(t, err)
	return r
}

func TestParseRing(t *testing.T) {
	t.Parallel()
	first, second := secret.NewMasterKey("2026-01"), secret.NewMasterKey("2025")
	keys := ring(t, first+", "+second).Derive(secret.PurposePayloads)
	require.Equal(t, []string{"2026-01", "2025"}, []string{keys[0].ID, keys[1].ID}, "the first key is the current one")
	require.Len(t, keys[0].Bytes, 32)

	for name, bad := range map[string]string{
		"nothing":       " ",
		"no id":         strings.TrimPrefix(first, "2026-01"),
		"blank id":      " :" + strings.TrimPrefix(first, "2026-01:"),
		"no colon":      "2026-01",
		"short key":     "a:c2hvcnQ=",
		"not base64":    "a:" + strings.Repeat("*", 44),
		"id twice":      first + "," + first,
		"trailing list": first + ",",
	} {
		_, err := secret.ParseRing(bad)
		require.Error(t, err, name)
		if len(bad) > 40 {
			require.NotContains(t, err.Error(), bad[10:40], "an error never carries the key")
		}
	}
	require.Panics(t, func() { secret.NewMasterKey("no spaces") })
}

func TestDerivedKeysDiffer(t *testing.T) {
	t.Parallel()
	text := secret.NewMasterKey("a")
	one, again := ring(t, text), ring(t, text)
	require.Equal(
		t, one.Derive(secret.PurposeAPIKeys), again.Derive(secret.PurposeAPIKeys),
		"the same for the same master key",
	)
	require.NotEqual(
		t, one.Derive(secret.PurposeAPIKeys)[0].Bytes, one.Derive(secret.PurposePayloads)[0].Bytes,
		"another for each purpose",
	)
	require.NotEqual(
		t, one.Derive(secret.PurposeAPIKeys)[0].Bytes,
		ring(t, secret.NewMasterKey("a")).Derive(secret.PurposeAPIKeys)[0].Bytes,
	)
}

func TestAPIKeys(t *testing.T) {
	t.Parallel()
	for _, kind := range []secret.Kind{secret.KindLive, secret.KindTest, secret.KindOperator} {
		key := secret.NewAPIKey(kind)
		require.Regexp(t, `^levy_`+string(kind)+`_[0-9A-Za-z]{49}$`, key)
		got, ok := secret.APIKeyKind(key)
		require.True(t, ok)
		require.Equal(t, kind, got)
		prefix, last4 := secret.Shown(key)
		require.Equal(t, key[:14], prefix)
		require.Equal(t, key[55:], last4)
	}
	first, second := secret.NewAPIKey(secret.KindLive), secret.NewAPIKey(secret.KindLive)
	require.NotEqual(t, first, second)
}

func TestAKeyWithATypingErrorIsRefused(t *testing.T) {
	t.Parallel()
	key := secret.NewAPIKey(secret.KindTest)
	for i := range len(key) {
		wrong := []byte(key)
		if wrong[i]++; wrong[i] > 'z' {
			wrong[i] = '0'
		}
		_, ok := secret.APIKeyKind(string(wrong))
		require.False(t, ok, "character %d", i)
	}
	for name, bad := range map[string]string{
		"empty": "", "blank": "   ", "cut": key[:len(key)-1], "longer": key + "0", "white space": " " + key[1:],
		"another kind": "levy_live_" + key[10:], "huge": strings.Repeat("a", 1<<20),
	} {
		_, ok := secret.APIKeyKind(bad)
		require.False(t, ok, name)
	}
}

func TestHashesSurviveARotation(t *testing.T) {
	t.Parallel()
	old, current := secret.NewMasterKey("old"), secret.NewMasterKey("new")
	key := secret.NewAPIKey(secret.KindLive)
	before := secret.NewKeyHasher(ring(t, old))
	after := secret.NewKeyHasher(ring(t, current+","+old))
	require.Contains(t, after.Hashes(key), before.Hash(key), "a key made before is still found")
	require.Equal(t, after.Hash(key), after.Hashes(key)[0], "new keys use the current master key")
	require.NotEqual(t, before.Hash(key), after.Hash(key))
	require.Len(t, before.Hash(key), 32)
}
