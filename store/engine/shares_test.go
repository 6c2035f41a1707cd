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
	fullest := func() models.LargestShare {
		t.Helper()
		found, err := s.Engine.FullestStorage(models.AcrossOrganizations(t.Context()))
		require.NoError(t, err)
		return found
	}
	require.Equal(t, models.LargestShare{}, fullest())
	partner, client := storetest.Organization(t, url).OrganizationID, storetest.Organization(t, url).OrganizationID
	storetest.Execute(t, url, "UPDATE organizations SET parent_organization_id = $1 WHERE id = $2", partner, client)
	storetest.Execute(t, url, "INSERT INTO organization_storage (organization_id, bytes, most) VALUES ($1, 81, NULL)", client)
	require.Equal(t, models.LargestShare{OrganizationID: client, Percent: 81}, fullest())
	storetest.Execute(t, url, "UPDATE organization_storage SET most = 1000")
	storetest.Execute(t, url, "INSERT INTO partner_storage (organization_id, bytes) VALUES ($1, 500)", partner)
	require.Equal(t, models.LargestShare{OrganizationID: partner, Percent: 50}, fullest())
}

// A share of what waits is told where much waits, of more than one organization.
func TestTheLargestBacklogIsMeasured(t *testing.T) {
	t.Parallel()
	s, url := storetest.NewStore(t)
	one, other := storetest.Organization(t, url).OrganizationID, storetest.Organization(t, url).OrganizationID
	wait := func(organization string, from, to int) {
		t.Helper()
		storetest.Execute(t, url, fmt.Sprintf(`INSERT INTO outbox (organization_id, kind, aggregate_id, epoch)
			SELECT $1, 1, 'txn_' || n, 1 FROM generate_series(%d, %d) n`, from, to), organization)
	}
	largest := func() models.LargestShare {
		t.Helper()
		found, err := s.Engine.LargestBacklog(models.AcrossOrganizations(t.Context()))
		require.NoError(t, err)
		return found
	}
	wait(one, 1, 1000)
	require.Equal(t, models.LargestShare{}, largest(), "no other waits for it")
	wait(other, 1, 99)
	require.Equal(t, models.LargestShare{OrganizationID: one, Percent: 91}, largest())
	storetest.Execute(t, url, "DELETE FROM outbox WHERE organization_id = $1 AND aggregate_id <> 'txn_1'", one)
	require.Equal(t, models.LargestShare{}, largest(), "little waits")
}
