package audit_test

import (
	"fmt"
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
	l.pastTheGuards(t, fmt.Sprintf(`
		INSERT INTO notices (organization_id, id, registration_id, country_code, state_code, kind, authority, received_date, status,
		  revision, created_at, updated_at)
		VALUES ('%s', 'notc_1', 'regs_1', 'US', 'NY', 'OTHER', 'New York Tax', '2026-06-02', 'OPEN', 1, now(), now())`,
		l.Scope.OrganizationID), fmt.Sprintf(`
		INSERT INTO notice_documents (organization_id, id, notice_id, filename, content_type, size, sha256, created_at)
		VALUES ('%s', 'ndoc_1', 'notc_1', 'letter.pdf', 'application/pdf', 1, sha256(''), now())`, l.Scope.OrganizationID),
		fmt.Sprintf("UPDATE organizations SET parent_organization_id = '%s' WHERE id = '%s'", other.OrganizationID,
			l.Scope.OrganizationID), fmt.Sprintf(`
		INSERT INTO api_keys (organization_id, id, name, hash, prefix, last4, metadata, created_at) VALUES
		('%s', 'akey_own', 'Ours', sha256('a'), 'levy', 'aaaa', '{}', now()),
		('%s', 'akey_partner', 'For acme', sha256('b'), 'levy', 'bbbb', '{}', now())`,
			l.Scope.OrganizationID, other.OrganizationID))
	for i, row := range [][]string{
		{"notice", "notc_1"}, {"notice_document", "ndoc_1"}, {"api_key", "akey_own"}, {"api_key", "akey_partner"},
		{"customer", "cust_own"}, {"customer", "cust_other"}, {"customer", "cust_gone"}, {"organization", l.Scope.OrganizationID},
		{"organization", other.OrganizationID}, {"rate_limit", "cust_own"},
	} {
		storetest.Execute(t, l.URL, `INSERT INTO audit (organization_id, id, action, entity_type, entity_id)
			VALUES ($1, 'audt_' || $2, 'update', $3, $4)`, l.Scope.OrganizationID, strconv.Itoa(i), row[0], row[1])
	}
	list, err := l.Store.Audit.ListAudit(t.Context(), l.Scope, models.AuditFilter{}, models.Page{Limit: 20})
	require.NoError(t, err)
	names := map[string]string{}
	for _, e := range list.Items {
		if e.ID != "" && e.ObjectName != "" {
			names[e.EntityType+" "+e.EntityID] = e.ObjectName
		}
	}
	require.Equal(t, "Zoë", names["customer cust_own"])
	require.Contains(t, names, "organization "+l.Scope.OrganizationID)
	require.Equal(t, "New York Tax", names["notice notc_1"])
	require.Equal(t, "letter.pdf", names["notice_document ndoc_1"])
	require.Equal(t, "Ours", names["api_key akey_own"])
	require.Len(t, names, 5, "a partner's own key has none")

	list, err = l.Store.Audit.ListAudit(t.Context(), l.Scope, models.AuditFilter{ObjectTypes: []string{"rate_limit"}}, models.Page{Limit: 10})
	require.NoError(t, err)
	require.Len(t, list.Items, 1)
}
