package organizations_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/internal/secret"
	"levy/store/pg"
	"levy/store/storetest"
)

// A new master key wraps the data keys while sealed values do not change, and values of a destroyed data key cannot
// be decrypted.
func TestRotationAndErasureOfDataKeys(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	s := storetest.Open(t, pg.Options{URL: url})
	scope := storetest.Organization(t, url)
	vault := func(text string) *secret.Vault {
		ring, err := secret.ParseRing(text)
		require.NoError(t, err)
		return secret.NewVault(ring, s.Organizations)
	}
	old, current := secret.NewMasterKey("old"), secret.NewMasterKey("new")
	before, err := vault(old).KeyOrNew(t.Context(), scope.OrganizationID)
	require.NoError(t, err)
	sealed := before.Seal("business_contact_ssn", []byte("123456789"))
	require.NotContains(t, string(sealed), "123456789")

	rotated, err := vault(current+","+old).Rotate(t.Context(), s.Organizations.DataKeys())
	require.NoError(t, err)
	require.Equal(t, 1, rotated)
	rotated, err = vault(current+","+old).Rotate(t.Context(), s.Organizations.DataKeys())
	require.NoError(t, err)
	require.Zero(t, rotated, "again")
	after, err := vault(current).Key(t.Context(), scope.OrganizationID)
	require.NoError(t, err, "the old master key is not needed any more")
	plain, err := after.Open("business_contact_ssn", sealed)
	require.NoError(t, err)
	require.Equal(t, "123456789", string(plain))
	_, err = after.Open("business_owner1_ssn", sealed)
	require.ErrorIs(t, err, secret.ErrUnreadable, "a value belongs to its field")
	_, err = vault(old).Key(t.Context(), scope.OrganizationID)
	require.ErrorIs(t, err, secret.ErrUnreadable)

	conn := storetest.SQL(t, url)
	_, err = conn.Exec(t.Context(), "INSERT INTO personal_data VALUES ($1, 'business_contact_ssn', $2)",
		scope.OrganizationID, []byte("123456789 in plain text, long enough to pass for more"))
	require.ErrorContains(t, err, "sealed_check", "the database refuses plain text")
	_, err = conn.Exec(t.Context(),
		`UPDATE organization_details
		    SET business_contact = '{"business_contact_ssn": "123456789"}'
		  WHERE organization_id = $1`, scope.OrganizationID)
	require.ErrorContains(t, err, "contact_is_masked")
	_, err = conn.Exec(t.Context(), "DELETE FROM data_keys WHERE organization_id = $1", scope.OrganizationID)
	require.NoError(t, err)
	_, err = vault(current).Key(t.Context(), scope.OrganizationID)
	require.ErrorIs(t, err, secret.ErrNoKey)
}
