package audit_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

// Entries have the names of their records and keys as they are now. A record of another organization has none.
func TestEntriesHaveTheNamesOfTheirRecords(t *testing.T) {
	t.Parallel()
	l := newTrail(t)
	other := storetest.Organization(t, l.URL)
	storetest.Execute(t, l.URL, `
		INSERT INTO customers (organization_id, id, external_id, name, status, address_status, source, tax_registrations, created_at, updated_at)
		SELECT unnest(ARRAY[$1, $2]::text[]), 'cust_' || unnest(ARRAY['own', 'other']), 'C-1', 'Zoë', 'ACTIVE', 'UNVERIFIED',
		       'API', '[]', now(), now()`,
		l.Scope.OrganizationID, other.OrganizationID)
	for i, row := range [][]string{
		{"customer", "cust_own"}, {"customer", "cust_other"}, {"customer", "cust_gone"}, {"organization", l.Scope.OrganizationID},
		{"organization", other.OrganizationID}, {"rate_limit", "cust_own"},
	} {
		storetest.Execute(t, l.URL, `INSERT INTO audit (organization_id, id, action, entity_type, entity_id)
			VALUES ($1, 'audt_' || $2, 'update', $3, $4)`, l.Scope.OrganizationID, strconv.Itoa(i), row[0], row[1])
	}
	list, err := l.Store.Audit.ListAudit(t.Context(), l.Scope, models.AuditFilter{}, models.Page{Limit: 10})
	require.NoError(t, err)
	names := map[string]string{}
	for _, e := range list.Items {
		if e.ID != "" && e.ObjectName != "" {
			names[e.EntityType+" "+e.EntityID] = e.ObjectName
		}
	}
	require.Equal(t, "Zoë", names["customer cust_own"])
	require.Contains(t, names, "organization "+l.Scope.OrganizationID)
	require.Len(t, names, 2)

	list, err = l.Store.Audit.ListAudit(t.Context(), l.Scope, models.AuditFilter{ObjectTypes: []string{"rate_limit"}}, models.Page{Limit: 10})
	require.NoError(t, err)
	require.Len(t, list.Items, 1)
}
