package migrations_test

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"levy/store"
	"levy/store/migrations"
	"levy/store/storetest"
)

// A client that exists keeps what its partner could do, also while the previous release goes on creating clients. Keys
// that the partner is known to have made are under the grant; the first key of the client is not.
func TestClientsThatExistGetTheirGrant(t *testing.T) {
	t.Parallel()
	address := storetest.UnmigratedURL(t)
	conn, s := connect(t, address), storetest.Open(t, store.Options{URL: address})
	do := func(sql string, args ...any) {
		t.Helper()
		_, err := conn.Exec(t.Context(), sql, args...)
		require.NoError(t, err)
	}
	organization := func(id string, parent any) {
		t.Helper()
		do(`INSERT INTO organizations (id, parent_organization_id, external_id, status, is_test, billing_plan, disable_emails,
			onboarding_status, created_at, updated_at)
			VALUES ($1::text, $2, $1::text, 'ACTIVE', true, 'FREE', false, 'COMPLETED', now(), now())`, id, parent)
	}
	require.Equal(t, 1, migrate(t, s))
	names, err := fs.Glob(migrations.FS, "*.sql")
	require.NoError(t, err)
	until := fstest.MapFS{}
	for _, name := range names {
		if name < "00203_client_grants.sql" {
			content, err := fs.ReadFile(migrations.FS, name)
			require.NoError(t, err)
			until[name] = &fstest.MapFile{Data: content}
		}
	}
	_, err = s.MigrateFrom(t.Context(), until)
	require.NoError(t, err)
	organization("org_partner", nil)
	organization("org_client", "org_partner")
	for i, id := range []string{"org_partner key", "org_client first", "org_client second", "org_client third"} {
		do(`INSERT INTO api_keys (organization_id, id, hash, prefix, last4, metadata, created_at)
			VALUES (split_part($1::text, ' ', 1), split_part($1::text, ' ', 2), sha256(convert_to($1::text, 'UTF8')),
			'levy', $2, '{}', now())`,
			id, string(rune('a'+i)))
	}
	do(`INSERT INTO makers (organization_id, kind, id, key_id, own, made_at) VALUES
		('org_client', 'api_key', 'first', 'key', true, now()), ('org_client', 'api_key', 'second', 'key', false, now()),
		('org_client', 'api_key', 'third', 'second', false, now()),
		('org_client', 'invitation', 'user_1', 'key', false, now())`)
	_, err = s.Migrate(t.Context())
	require.NoError(t, err)
	organization("org_later", "org_partner")

	require.Equal(t, []string{"org_client as_before", "org_later preparer"}, column[string](t, conn,
		"SELECT organization_id || ' ' || role FROM client_grants WHERE partner_id = 'org_partner' ORDER BY 1"))
	require.Equal(t, []string{"second"}, column[string](t, conn, "SELECT id::text FROM api_keys WHERE granted"))
	require.Equal(t, []string{"second", "user_1"}, column[string](t, conn,
		"SELECT id::text FROM makers WHERE granted ORDER BY 1"))
}
