package secret_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/internal/secret"
)

// Equal texts of one organization have equal ciphertexts, and those of two organizations different ones. A ciphertext
// can be decrypted for its organization only, and a changed one not at all. A text that was never sealed is returned
// unchanged.
func TestATextKeySealsEqualTextsOfAnOrganizationAlike(t *testing.T) {
	t.Parallel()
	ring, err := secret.ParseRing(secret.NewMasterKey("k1"))
	require.NoError(t, err)
	vault := secret.NewVault(ring, nil)
	key, wrapped := vault.NewTextKey("installation", "tax ids")
	again, err := vault.TextKey(secret.RecordKey{OrganizationID: "installation", RecordID: "tax ids", WrappedKey: wrapped})
	require.NoError(t, err)
	sealed := key.Seal("org_1", "12-3456789")
	require.NotContains(t, sealed, "3456789")
	require.Equal(t, sealed, again.Seal("org_1", "12-3456789"))
	require.Equal(t, sealed, key.Seal("org_1", sealed), "it is sealed already")
	require.NotEqual(t, sealed, key.Seal("org_1", "12-3456780"))
	require.NotEqual(t, sealed, key.Seal("org_2", "12-3456789"))
	plain, err := again.Open("org_1", sealed)
	require.NoError(t, err)
	require.Equal(t, "12-3456789", plain)
	plain, err = key.Open("org_1", "from before")
	require.NoError(t, err)
	require.Equal(t, "from before", plain)

	last := sealed[len(sealed)-2]
	changed := sealed[:len(sealed)-2] + string(last^1) + sealed[len(sealed)-1:]
	for organization, text := range map[string]string{"org_2": sealed, "org_1": changed, "org_3": "sealed:1:",
		"org_4": "sealed:1:%"} {
		_, err := key.Open(organization, text)
		require.ErrorIs(t, err, secret.ErrUnreadable, text)
		require.False(t, key.Sealed(organization, text))
	}
	_, err = vault.TextKey(secret.RecordKey{OrganizationID: "installation", RecordID: "another", WrappedKey: wrapped})
	require.ErrorIs(t, err, secret.ErrUnreadable, "a key belongs to its record")
}
