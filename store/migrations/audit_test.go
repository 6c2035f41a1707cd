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

// Every row that the audit trail has when it becomes a chain is sealed once, also one that is written meanwhile.
func TestTheAuditTrailFromBeforeIsSealed(t *testing.T) {
	t.Parallel()
	address := storetest.UnmigratedURL(t)
	conn, s := connect(t, address), storetest.Open(t, store.Options{URL: address})
	write := func(first, last int) {
		_, err := conn.Exec(t.Context(), `INSERT INTO audit (organization_id, id, action, entity_type, entity_id)
			SELECT 'org_' || n % 3, 'audt_' || n, 'create', 'product', 'prod_1'
			FROM generate_series($1::int, $2::int) n`, first, last)
		require.NoError(t, err)
	}
	require.Equal(t, 1, migrate(t, s))
	write(1, 1500)
	names, err := fs.Glob(migrations.FS, "*.sql")
	require.NoError(t, err)
	until := fstest.MapFS{}
	for _, name := range names {
		if name <= "00039_audit.sql" { // it queues what is written from then on
			content, err := fs.ReadFile(migrations.FS, name)
			require.NoError(t, err)
			until[name] = &fstest.MapFile{Data: content}
		}
	}
	_, err = s.MigrateFrom(t.Context(), until)
	require.NoError(t, err)
	write(1501, 1510)
	_, err = s.Migrate(t.Context())
	require.NoError(t, err)
	require.Equal(t, []int64{3}, column[int64](t, conn, "SELECT count(*) FROM audit_unsealed"))
	require.Equal(t, []int64{1510, 1510}, column[int64](t, conn, `SELECT unnest(ARRAY[count(*), count(DISTINCT q)])
		FROM audit_unsealed u, unnest(u.organization_ids, u.ids) AS q (organization_id, id)
		JOIN audit USING (organization_id, id)`))
}
