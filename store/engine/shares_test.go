package engine_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store"
	"levy/store/storetest"
)

// The organization that is nearest to its quota is named, also where it has one of its own, or where its partner is.
func TestTheFullestStorageIsMeasured(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	s := storetest.Open(t, store.Options{URL: url, Quotas: models.Quotas{Storage: 1000, OwnStorage: 100}})
	fullest := func() []models.LargestShare {
		t.Helper()
		found, err := s.Engine.FullestStorage(models.AcrossOrganizations(t.Context()))
		require.NoError(t, err)
		return found
	}
	require.Empty(t, fullest())
	partner, client := storetest.Organization(t, url).OrganizationID, storetest.Organization(t, url).OrganizationID
	storetest.Execute(t, url, "UPDATE organizations SET parent_organization_id = $1 WHERE id = $2", partner, client)
	storetest.Execute(t, url, "INSERT INTO organization_storage (organization_id, bytes, most) VALUES ($1, 81, NULL)", client)
	require.Equal(t, []models.LargestShare{{OrganizationID: client, Percent: 81}}, fullest())
	storetest.Execute(t, url, "UPDATE organization_storage SET most = 1000")
	storetest.Execute(t, url, "INSERT INTO partner_storage (organization_id, bytes) VALUES ($1, 500)", partner)
	require.Equal(t, []models.LargestShare{{OrganizationID: partner, Percent: 50}, {OrganizationID: client, Percent: 8}}, fullest())
	storetest.Execute(t, url, "UPDATE organization_storage SET most = 0")
	require.Equal(t, []models.LargestShare{{OrganizationID: partner, Percent: 50}}, fullest(), "without a quota nothing is full")
	storetest.Execute(t, url, "UPDATE organizations SET status = 'ARCHIVED', archived_at = now() WHERE id = $1", partner)
	require.Empty(t, fullest(), "an archived organization stores nothing more")
}

// A share of what has waited for five minutes is told where much waits, of more than one organization.
func TestTheLargestBacklogIsMeasured(t *testing.T) {
	t.Parallel()
	s, url := storetest.NewStore(t)
	one, other := storetest.Organization(t, url).OrganizationID, storetest.Organization(t, url).OrganizationID
	wait := func(organization string, from, to int, age string, background bool) {
		t.Helper()
		storetest.Execute(t, url, fmt.Sprintf(`INSERT INTO outbox (organization_id, kind, aggregate_id, epoch, created_at, background)
			SELECT $1, 1, 'txn_' || n, 1, now() - $2::interval, $3 FROM generate_series(%d, %d) n`, from, to),
			organization, age, background)
	}
	largest := func() models.LargestShare {
		t.Helper()
		found, err := s.Engine.LargestBacklog(models.AcrossOrganizations(t.Context()))
		require.NoError(t, err)
		return found
	}
	wait(one, 1, 1000, "6 minutes", false)
	require.Equal(t, models.LargestShare{}, largest(), "no other waits for it")
	wait(other, 1, 99, "6 minutes", false)
	wait(other, 1001, 1200, "4 minutes", false)
	wait(other, 2001, 2200, "6 minutes", true)
	require.Equal(t, models.LargestShare{OrganizationID: one, Percent: 91}, largest(), "neither recent nor background work counts")
	storetest.Execute(t, url, "DELETE FROM outbox WHERE organization_id = $1 AND aggregate_id <> 'txn_1'", one)
	require.Equal(t, models.LargestShare{}, largest(), "little waits")
}

// Of a large outbox a sample of pages is read, and the shares are nearly right.
func TestALargeBacklogIsSampled(t *testing.T) {
	t.Parallel()
	s, url := storetest.NewStore(t)
	one, other := storetest.Organization(t, url).OrganizationID, storetest.Organization(t, url).OrganizationID
	storetest.Execute(t, url, "ALTER TABLE outbox SET (fillfactor = 10)")
	storetest.Execute(t, url, `INSERT INTO outbox (organization_id, kind, aggregate_id, epoch, created_at)
		SELECT CASE WHEN n % 4 = 0 THEN $1 ELSE $2 END, 1, 'txn_' || n, 1, now() - interval '1 hour' FROM generate_series(1, 40000) n`,
		other, one)
	var pages int
	require.NoError(t, storetest.SQL(t, url).QueryRow(t.Context(),
		"SELECT pg_relation_size('outbox') / current_setting('block_size')::int").Scan(&pages))
	require.Greater(t, pages, 4000)
	found, err := s.Engine.LargestBacklog(models.AcrossOrganizations(t.Context()))
	require.NoError(t, err)
	require.Equal(t, one, found.OrganizationID)
	require.InDelta(t, 75, found.Percent, 5)
}
